"""The opening that the promise covers, and the dice that are bound to the promise."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from affray.engine import Close, FileStore, Stir, begin_fight
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.integrity.audit import Parent, audit
from affray.engine.integrity.commitment import find_promise
from affray.events import FightOpened, Forked, Joined, Recorded, Rolled
from tests.engine.closed import fork_open_fight, go_on, open_system_fight, play_and_close, submit_to_closed
from tests.engine.conftest import two
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore
from tests.forging import encode_log, rechain_log, replace_event
from tests.rulesets.systems import PRESENT
from tests.tampering.fights import Closed, closed_fight
from tests.tampering.varied import list_fight_ids, variants

OTHER = bytes(reversed(SEED))


@pytest.mark.parametrize("system", PRESENT)
def test_the_key_is_the_hmac_of_the_promise_and_all_words(system: str) -> None:
    """The first block of the first die, worked out by hand."""
    fight = play_and_close(system, system)
    promise = find_promise(fight.history.recorded)
    assert promise.bound == promise.commitment
    key = hmac.digest(SEED, "\n".join((promise.commitment, *promise.words)).encode(), "sha256")
    assert promise.dice(SEED).block("1/x/attack.1/attack/d6#0") == hmac.digest(
        key, b"1/x/attack.1/attack/d6#0", "sha256"
    )


def alter_opening_fields(fight: Closed) -> list[list[Recorded]]:
    """Return the opening of the fight with each field of each line altered in turn."""
    found, ids, opening = [], list_fight_ids(fight), fight.log[: fight.opening]
    for one in opening:
        for variant in variants(one.event, ids):
            if not (isinstance(one.event, FightOpened) and variant.field in {"commitment", "dice_scheme"}):
                found.append(replace_event(opening, one.position, variant.event))
    for field, value in (("who", "Mallory"), ("time", "2025-06-01T11:59:59.000Z"), ("cause", "other")):
        found.append([replace(one, **{field: value}) for one in opening])
    for one in opening:
        hidden = replace(one, audience=(), salt="5a17" * 8)
        found.append([*opening[: one.position - 1], hidden, *opening[one.position :]])
    return found


@pytest.mark.parametrize("system", PRESENT)
def test_no_seed_keeps_the_promise_of_an_altered_opening(system: str) -> None:
    """Names, labels, places, settings, version, format, code; author, time and command; who may read it."""
    fight = closed_fight(system)
    forged = alter_opening_fields(fight)
    assert len(forged) > 100
    assert find_promise(fight.log[: fight.opening]).is_kept_by(fight.seed)
    for log in forged:
        assert not find_promise(rechain_log(log)).is_kept_by(fight.seed)


@pytest.mark.parametrize("system", PRESENT)
def test_names_exchanged_are_found_by_the_promise(system: str) -> None:
    """Two combatants have exchanged names: every sentence is the reverse of the truth."""
    fight = closed_fight(system)
    (one, first), (other, second) = [(at.position, at.event) for at in fight.log if isinstance(at.event, Joined)][:2]
    swapped = replace_event(fight.log, one, replace(first, name=second.name))
    swapped = replace_event(swapped, other, replace(second, name=first.name))
    lines = encode_log(rechain_log(swapped))
    report = audit(lambda: lines)
    assert report.verdict == "found"
    assert "dice" in {found.layer for found in report.findings}


def play_at(millisecond: int, who: str = "gm", seed: bytes = SEED) -> tuple[Recorded, ...]:
    """Return a closed fight that was opened at a millisecond."""
    fight = begin_fight(NAME, two(), who=who, seed=seed, clock=lambda: f"2026-01-01T20:00:00.{millisecond:03}Z")
    go_on(fight, 6)
    submit_to_closed(fight, Close(unfinished=True))
    return tuple(fight.history.recorded)


def list_faces(log: Iterable[Recorded]) -> list[tuple[int, ...]]:
    return [group.faces for one in log if isinstance(one.event, Rolled) for group in one.event.dice]


@pytest.mark.parametrize("another", [play_at(1), play_at(0, who="Mallory")], ids=["time", "author"])
def test_no_other_history_fits_the_promise_that_was_shown(another: tuple[Recorded, ...]) -> None:
    """The keeper of the seed plays the fight again from another opening, since other dice suit them better."""
    shown = play_at(0)
    assert list_faces(shown) == list_faces(play_at(0)) != list_faces(another)
    opened = another[0].event
    assert isinstance(opened, FightOpened)
    promise = find_promise(shown).commitment
    assert opened.commitment != promise
    forged = encode_log(rechain_log(replace_event(another, 1, replace(opened, commitment=promise))))
    report = audit(lambda: forged)
    assert [(one.layer, one.code) for one in report.findings] == [("dice", "seed")]
    assert audit(lambda: forged[:-1], seed=SEED).findings[0].code == "key"


def test_a_fork_s_own_dice_are_bound_to_all_that_it_took_over(tmp_path: pytest.TempPathFactory) -> None:
    """Its promise covers the whole of its parent's record; words stirred into the parent do not count."""
    store = FileStore(tmp_path)  # type: ignore[arg-type]
    child = fork_open_fight(store, OTHER, "for the parent")
    submit_to_closed(child, Stir(words="for the child"))
    go_on(child, 20)
    submit_to_closed(child, Close(unfinished=True))
    recorded = child.history.recorded
    left = next(one for one in recorded if isinstance(one.event, Forked))
    promise = find_promise(recorded)
    assert isinstance(left.event, Forked)
    assert (promise.bound, promise.words) == (left.event.commitment, ["for the child"])
    told = Parent(name="parent", lines=lambda: store.lines("parent"), key=SEED)
    assert audit(lambda: store.lines("child"), parents=[told]).verdict == "clean"


def test_a_fork_of_a_closed_fight_goes_on_under_its_binding() -> None:
    """Its seed is public, and the same declarations meet the same dice as there."""
    store = MemoryStore()
    parent = play_and_close("wyrd", "parent", store)
    child = fork_fight(ForkRequest(parent="parent", name="child", who="gm"), store, store, fresh=OTHER, clock=noon)
    ours, theirs = find_promise(child.history.recorded), find_promise(parent.history.recorded)
    assert (ours.bound, ours.words, ours.commitment) == (theirs.bound, theirs.words, theirs.commitment)


def test_no_die_of_an_opening_falls_before_it_is_whole() -> None:
    """The key is made of the last line of the opening's command; until then there is none."""
    fight = open_system_fight("wwn", "x")
    for many in range(1, len(fight.history.recorded)):
        assert find_promise(fight.history.recorded[:many]).bound == ""
    go_on(fight, 20)
    assert any(isinstance(one.event, Rolled) for one in fight.history.recorded)
