"""A sample of what ``make thorough`` does 100,000 times for each system: all invariants hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from random import Random

import pytest

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import fold_into
from affray.engine.history import snapshots
from affray.engine.runtime.dice import Faces, NamedDice
from affray.events import Dice, PoolChanged, Recorded
from tests.engine.drawing import FIRST, Kind
from tests.rulesets.systems import PRESENT
from tests.simulation.course import Came, play_generated
from tests.simulation.encounters import begin_generated
from tests.simulation.meddling import fulfil
from tests.simulation.playing import Playing
from tests.simulation.progress import Progress, keep, read_progress

FIGHTS = 16


@pytest.mark.parametrize("system", PRESENT)
def test_generated_fights_hold_every_property(system: str) -> None:
    """Replay, reopening anywhere, undo and redo, amendments, a clean audit, and an end."""
    came = [play_generated(system, seed) for seed in range(FIGHTS)]
    assert [f"{one.system}:{one.seed} {one.fault}" for one in came if one.fault] == []
    drawn = sum((one.drawn for one in came), Counter[str]())
    kinds = ("declarations", "rulings", "undos", "redos", "amendments", "restarts", "closed")
    assert all(drawn[kind] for kind in kinds), drawn


def test_a_fight_is_known_by_its_seed_alone() -> None:
    """After any earlier fights."""
    once = play_generated("wyrd", 3)
    play_generated("wyrd", 4)
    assert play_generated("wyrd", 3) == once


def test_what_somebody_waits_for_is_done_once_it_is_possible_and_what_must_come_before_it_first() -> None:
    drawn = Counter[str]()
    it = Playing(begin_generated("wyrd", Random(1)), Random(1), drawn)
    it.wishes = [Kind("ruling", "unveil"), FIRST["unveil"]]
    assert [fulfil(it), fulfil(it), fulfil(it)] == [True, True, False]
    assert (drawn["ruling veil"], drawn["ruling unveil"]) == (1, 1)


def test_dice_that_follow_from_more_than_their_names_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a repeated command with another result, or by the audit; some dice fall in each of these fights."""
    honest, fallen = NamedDice.faces, count()

    def loaded(dice: NamedDice, roll: str, groups: tuple[Dice, ...]) -> Faces:
        return honest(dice, f"{roll}, the {next(fallen)}th", groups)

    monkeypatch.setattr(NamedDice, "faces", loaded)
    faults = [play_generated("wyrd", seed).fault for seed in range(2, 6)]
    assert all(faults), faults


def test_what_a_restart_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight is reopened without the changes of its pools."""

    def forgetful(draft: Draft, recorded: Iterable[Recorded]) -> None:
        fold_into(draft, [one for one in recorded if not isinstance(one.event, PoolChanged)])

    monkeypatch.setattr(snapshots, "fold_into", forgetful)
    faults = [play_generated("hexblade", seed).fault for seed in range(4)]
    assert all(faults)
    assert any(fault.startswith("opened again") for fault in faults), faults


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    """Only failed fights are played again, in any order."""
    file, known = tmp_path / "progress.json", {"wyrd": Progress()}
    for seed in (0, 3, 1):
        known["wyrd"].take(Came("wyrd", seed, Counter({"events": 10}), "it is broken" if seed == 1 else ""), "code")
    keep(file, known)
    again = read_progress(file, ["wyrd"])["wyrd"]
    assert list(again.due(6)) == [1, 2, 4, 5]
    again.take(Came("wyrd", 1, Counter({"events": 7})), "later")
    assert (again.next, again.ahead, again.failed, again.drawn["events"]) == (2, {3}, {}, 27)
    assert again.by == {"code": 2, "later": 1}
