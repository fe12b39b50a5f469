"""Where two courses of a fight part, and how their ends differ."""

from __future__ import annotations

from hypothesis import given

from affray.engine import Undo
from affray.engine.comparing import Change, Parting, changes, compared, parting, reordered
from affray.events import Noted, RoundBegan, TurnBegan
from tests.engine.fights import Plan, acted, fights, played
from tests.engine.moments import at_the_window, in_turn, said

A, B, C = (Noted(text=text) for text in "abc")


def turns(*rounds: str) -> list[RoundBegan | TurnBegan]:
    """Return rounds in which these have their turns, each named by a letter."""
    course: list[RoundBegan | TurnBegan] = []
    for number, slots in enumerate(rounds, 1):
        course.append(RoundBegan(round=number))
        course += [TurnBegan(slot=slot, members=(slot,)) for slot in slots]
    return course


def test_two_courses_part_at_the_first_event_that_differs() -> None:
    """Or where one of them goes no further; the same ones never do."""
    assert parting([A, B], [A, B]) is None
    assert parting([A, B], [A, C]) == Parting(index=1, one=B, other=C)
    assert parting([A], [A, C]) == Parting(index=1, one=None, other=C)
    assert parting([A, B], [A]) == Parting(index=1, one=B, other=None)


def test_the_turn_order_differs_from_the_first_round_in_which_it_does() -> None:
    """Another order, or somebody missing, in a round that both have had to its end."""
    assert reordered(turns("abc", "abc"), turns("abc", "acb")) == 2
    assert reordered(turns("abc", "abc"), turns("ab", "abc")) == 1
    assert reordered(turns("abc", "abc"), turns("abc", "abc", "cab")) == 0
    assert reordered(turns("abc", "abc"), turns("abc", "a")) == 0
    assert reordered(turns("abc"), turns("b")) == 1


@given(fights())
def test_a_fight_does_not_differ_from_itself(plan: Plan) -> None:
    """Nor does its state from the same state."""
    fight = played(plan)
    events = [one.event for one in fight.history.effective()]
    found = compared(events, list(events), (fight.state, fight.state))
    assert (found.parting, found.changes, found.order) == (None, (), 0)


@given(fights())
def test_what_differs_one_way_differs_the_other_way(plan: Plan) -> None:
    """The beginning and the end of a fight, compared both ways round."""
    fight = played(plan)
    first, last = fight.state_at(fight.history.recorded[0].more + 1), fight.state
    there = {(one.about, one.of, one.name): (one.one, one.other) for one in changes(first, last)}
    back = {(one.about, one.of, one.name): (one.other, one.one) for one in changes(last, first)}
    assert there == back


def test_a_blow_shows_in_what_it_did() -> None:
    """Health, actions and the order of things, but nothing that a system only notes for itself."""
    fight = at_the_window()
    before = fight.state
    found = changes(before, said(fight, "pass brand").state)
    assert Change(about="pool", of="brand", name="health", one=6, other=3) in found
    assert Change(about="fight", of="", name="phase", one="window", other="turn") in found
    assert {one.about for one in found} == {"pool", "fight"}


def test_who_is_in_one_of_them_only_is_named() -> None:
    """With nothing on the other side."""
    fight = in_turn()
    before = fight.state
    found = changes(before, said(fight, "rule leave nell").state)
    assert Change(about="side", of="nell", name="", one="b", other=None) in found


def test_what_was_taken_back_leaves_no_difference() -> None:
    """A state and the same one after a ruling that was undone."""
    fight = in_turn()
    before = fight.state
    said(fight, "rule pool brand health by=-2")
    assert changes(before, fight.state)
    acted(fight, Undo())
    assert changes(before, fight.state) == ()
