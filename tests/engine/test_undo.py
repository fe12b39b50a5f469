"""Undo never erases: taking back and restoring only choose which lane of the record counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine import Fight, Redo, Refused, Undo, Unusable, digest
from affray.events import Restored, Rewound, Ruled
from tests.engine.fights import (
    FightSeen,
    Plan,
    ask_fight,
    begin_plan,
    commands,
    fights,
    play_plan,
    submit_accepted,
    view_all_sides,
)
from tests.examples import a_share

NOTE = Ruled(kind="note", params=Raw(b'{"text":"meanwhile"}'), reason="it matters")


def count_undoable(fight: Fight, most: int) -> int:
    """Return how many commands can be taken back, up to so many."""
    return min(most, len({one.cause for one in fight.history.effective()}) - 1)


def a_fight_that_has_moved(plan: Plan) -> Fight:
    """Play a plan and note something, so that there is always something to take back."""
    fight = play_plan(plan)
    submit_accepted(fight, NOTE)
    return fight


@a_share(2)
@given(fights())
def test_the_same_effective_path_is_the_same_fight(plan: Plan) -> None:
    """Whenever undo or redo lead back to a path that was there before, all is as it was then."""
    fight = begin_plan(plan)
    known: dict[tuple[int, ...], FightSeen] = {}
    for command in commands(fight, plan):
        ask_fight(fight, command)
        path = tuple(fight.history.path)
        assert known.setdefault(path, view_all_sides(fight)) == view_all_sides(fight)


@given(fights(), st.integers(1, 6), st.booleans())
def test_undo_then_redo_is_the_identity(plan: Plan, many: int, fresh: bool) -> None:
    """State, digest, legal actions and effective log are as before, with fresh dice asked for in between or not."""
    fight = a_fight_that_has_moved(plan)
    before, sum_before = view_all_sides(fight), digest(fight.state)
    submit_accepted(fight, Undo(commands=count_undoable(fight, many), fresh=fresh))
    assert view_all_sides(fight) != before
    submit_accepted(fight, Redo())
    assert view_all_sides(fight) == before
    assert digest(fight.state) == sum_before


@given(fights(), st.integers(1, 6))
def test_several_undos_are_redone_one_by_one(plan: Plan, many: int) -> None:
    """Each redo brings back what the last undo not yet redone took."""
    fight = a_fight_that_has_moved(plan)
    passed = []
    for _ in range(count_undoable(fight, many)):
        passed.append(view_all_sides(fight))
        submit_accepted(fight, Undo())
    while passed:
        submit_accepted(fight, Redo())
        assert view_all_sides(fight) == passed.pop()
    with pytest.raises(Refused, match="nothing_to_redo"):
        submit_accepted(fight, Redo())


@given(fights(), st.integers(1, 6))
def test_undoing_many_at_once_is_undoing_them_one_by_one(plan: Plan, many: int) -> None:
    """The number of commands says nothing but how far."""
    fight = a_fight_that_has_moved(plan)
    many = count_undoable(fight, many)
    for _ in range(many):
        submit_accepted(fight, Undo())
    singly = view_all_sides(fight)
    for _ in range(many):
        submit_accepted(fight, Redo())
    submit_accepted(fight, Undo(commands=many))
    assert view_all_sides(fight) == singly


@given(fights(), st.integers(1, 6))
def test_a_lane_that_was_left_is_restored_by_its_name(plan: Plan, many: int) -> None:
    """Once something else happened redo has nothing to bring back, but the lane is still there, and so is the other."""
    fight = a_fight_that_has_moved(plan)
    before, lane = view_all_sides(fight), fight.history.path[-1]
    submit_accepted(fight, Undo(commands=count_undoable(fight, many)))
    submit_accepted(fight, NOTE)
    other, tip = view_all_sides(fight), fight.history.path[-1]
    with pytest.raises(Refused, match="nothing_to_redo"):
        submit_accepted(fight, Redo())
    (restored,) = submit_accepted(fight, Redo(lane=lane, reason="it was right")).recorded
    assert restored.event == Restored(lane=lane, left=tip, reason="it was right")
    assert view_all_sides(fight) == before
    submit_accepted(fight, Redo(lane=tip))
    assert view_all_sides(fight) == other


@given(fights(), st.integers(1, 3))
def test_an_undo_can_be_undone(plan: Plan, many: int) -> None:
    """Restoring the lane that the record of an undo names takes that undo back, and undoing again leads there again."""
    fight = a_fight_that_has_moved(plan)
    before = view_all_sides(fight)
    undo = Undo(commands=count_undoable(fight, many), reason="oops")
    (undone,) = submit_accepted(fight, undo).recorded
    after = view_all_sides(fight)
    assert isinstance(undone.event, Rewound | Restored)
    submit_accepted(fight, Redo(lane=undone.event.lane if isinstance(undone.event, Rewound) else undone.event.left))
    assert view_all_sides(fight) == before
    submit_accepted(fight, undo)
    assert view_all_sides(fight) == after


@given(fights())
def test_nothing_recorded_is_ever_lost(plan: Plan) -> None:
    """The record only grows: what was recorded at a position stays there."""
    fight = begin_plan(plan)
    recorded = list(fight.history.recorded)
    for command in commands(fight, plan):
        ask_fight(fight, command)
        assert fight.history.recorded[: len(recorded)] == recorded
        recorded = list(fight.history.recorded)


def test_the_opening_cannot_be_taken_back(duel: Fight) -> None:
    """There is no fight before it began to be recorded."""
    with pytest.raises(Refused, match="nothing_to_undo"):
        submit_accepted(duel, Undo())


@pytest.mark.parametrize("to", [0, 1, 10_000])
def test_only_the_end_of_a_command_can_be_gone_back_to(duel: Fight, to: int) -> None:
    """Neither the middle of the opening, nor a position that does not exist."""
    submit_accepted(duel, NOTE)
    with pytest.raises(Refused, match="no_such_moment"):
        submit_accepted(duel, Undo(to=to))


def test_less_than_one_command_cannot_be_taken_back(duel: Fight) -> None:
    """Zero is no number of commands."""
    with pytest.raises(Unusable, match="commands: must be at least 1"):
        submit_accepted(duel, Undo(commands=0))
