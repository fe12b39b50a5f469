"""Moments without a half resolved action, and records that have none."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw

from affray.engine.core.draft import Draft
from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from affray.engine.core.state import Awaited, Pending, Question, State, Window
from affray.engine.history.snapshots import EVERY, Snapshots
from affray.engine.history.timeline import History
from affray.engine.runtime.dice import EnteredDice
from affray.events import ClockSet, Dice, Event, Option, PhaseEntered, Senseless, WindowClosed, WindowOpened
from tests.engine.histories import OPENED, also, make_note_ruling

BEGUN = PhaseEntered(phase="turn", trigger="opened")
HALF: list[dict[str, Any]] = [
    {"stack": (Pending("1/al/1", "al", "hit", Raw(b"{}"), "s"),)},
    {"question": Question(id="q", of=("al",), about="push", options=(Option(choice="no", says="no"),))},
    {"awaited": Awaited(roll="r", by="al", purpose="hit", dice=(Dice(count=1, sides=6),))},
    {"window": Window("w", ("al",), "an answer")},
]


@pytest.mark.parametrize("nth", range(len(HALF)))
def test_a_moment_is_quiet_where_nothing_is_half_resolved(nth: int) -> None:
    """A single unresolved thing is enough, with any others."""
    whole: dict[str, Any] = {name: value for one in HALF for name, value in one.items()}
    others = {name: value for name, value in whole.items() if name not in HALF[nth]}
    for fields, quiet in (({}, True), (HALF[nth], False), (others, False), (whole, False)):
        state = State(**fields)
        assert (state.quiet, Draft(state).quiet) == (quiet, quiet)


OPENS = WindowOpened(window="w", about="x", nth=1, to=("al",), what="an answer")
CLOSES = WindowClosed(window="w", how="ruled")


def list_handmade_moments(*commands: list[Event]) -> Snapshots:
    """Return the moments of a record made by hand, looked at from its end."""
    made, ruleset = History(), load("vestige")
    for command in commands:
        also(made, command, who="gm")
    found = Snapshots(ruleset, made, config_of(ruleset, {}))
    found.decider_at_head(EnteredDice())
    return found


def test_where_nothing_was_ever_quiet_no_fight_could_go_on() -> None:
    """Though it is later on, as only a forged record has it; from there it could."""
    found = list_handmade_moments([OPENED, BEGUN, OPENS], [make_note_ruling("a"), CLOSES], [make_note_ruling("b")])
    for position in (5, 6):
        found.check_quiet_before(position)
    with pytest.raises(Senseless, match="the opening of the fight leaves something unresolved") as never:
        found.check_quiet_before(3)
    assert never.value.line == 1
    list_handmade_moments([OPENED, BEGUN]).check_quiet_before(2)


@pytest.mark.parametrize("many", [1, EVERY - 3, EVERY - 2, EVERY - 1, 2 * EVERY + 5])
def test_a_state_is_the_same_from_whatever_is_kept_of_an_earlier_one(many: int) -> None:
    """Before, at and after the positions of the snapshots."""
    ticks: list[list[Event]] = [[ClockSet(clock="dawn", before=nth, after=nth + 1)] for nth in range(many)]
    found = list_handmade_moments([OPENED, BEGUN], *ticks)
    for position in {2, 3, EVERY - 1, EVERY, EVERY + 1, many + 2} & set(range(2, many + 3)):
        assert found.state_at(position).clocks.get("", {}).get("dawn", {}).get("", 0) == position - 2
