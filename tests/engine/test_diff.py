"""The first difference of two courses of a fight, and the differences of their ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from affray.engine import Undo
from affray.engine.analysis.diff import (
    Change,
    Divergence,
    compare_streams,
    find_divergence,
    find_reordered_round,
    list_changes,
)
from affray.engine.core.state import Combatant, Item, Place, Relation, State
from affray.events import Member, Noted, RoundBegan, SideTrait, Slot, TurnBegan
from tests.engine.fights import Plan, fights, play_plan, submit_accepted
from tests.engine.phases import in_turn, submit_lines

A, B, C = (Noted(text=text) for text in "abc")


def turns(*rounds: str) -> list[RoundBegan | TurnBegan]:
    """Return rounds with these turns, each named by a letter."""
    course: list[RoundBegan | TurnBegan] = []
    for number, slots in enumerate(rounds, 1):
        course.append(RoundBegan(round=number))
        course += [TurnBegan(slot=slot, members=(slot,)) for slot in slots]
    return course


def test_two_courses_part_at_the_first_event_that_differs() -> None:
    """Or where one of them goes no further; the same ones never do."""
    assert find_divergence([A, B], [A, B]) is None
    assert find_divergence([A, B], [A, C]) == Divergence(index=1, one=B, other=C)
    assert find_divergence([A], [A, C]) == Divergence(index=1, one=None, other=C)
    assert find_divergence([A, B], [A]) == Divergence(index=1, one=B, other=None)


def test_the_turn_order_differs_from_the_first_round_in_which_it_does() -> None:
    """Another order, or a missing combatant, in a round that both finished."""
    assert find_reordered_round(turns("abc", "abc"), turns("abc", "acb")) == 2
    assert find_reordered_round(turns("abc", "abc"), turns("ab", "abc")) == 1
    assert find_reordered_round(turns("abc", "abc"), turns("abc", "abc", "cab")) == 0
    assert find_reordered_round(turns("abc", "abc"), turns("abc", "a")) == 0
    assert find_reordered_round(turns("abc"), turns("b")) == 1


@given(fights())
def test_a_fight_does_not_differ_from_itself(plan: Plan) -> None:
    """Nor does its state from the same state."""
    fight = play_plan(plan)
    events = [one.event for one in fight.history.effective()]
    found = compare_streams(events, list(events), (fight.state, fight.state))
    assert (found.parting, found.changes, found.order) == (None, (), 0)


@given(fights())
def test_what_differs_one_way_differs_the_other_way(plan: Plan) -> None:
    """The beginning and the end of a fight, compared both ways round."""
    fight = play_plan(plan)
    first, last = fight.state_at(fight.history.recorded[0].more + 1), fight.state
    there = {(one.about, one.of, one.name): (one.one, one.other) for one in list_changes(first, last)}
    back = {(one.about, one.of, one.name): (one.other, one.one) for one in list_changes(last, first)}
    assert there == back


def test_a_blow_shows_in_what_it_did() -> None:
    """Health, actions and the order of things, but nothing that a system only notes for itself."""
    fight = submit_lines(in_turn(), "rule sheet brand agility to=1", "ilse attack brand")
    before = fight.state
    found = list_changes(before, submit_lines(fight, "pass brand").state)
    assert Change(about="pool", of="brand", name="health", one=6, other=3) in found
    assert Change(about="fight", of="", name="phase", one="window", other="turn") in found
    assert {one.about for one in found} == {"pool", "fight"}


def test_who_is_in_one_of_them_only_is_named() -> None:
    """With nothing on the other side."""
    fight = in_turn()
    before = fight.state
    found = list_changes(before, submit_lines(fight, "rule leave nell").state)
    assert Change(about="side", of="nell", name="", one="b", other=None) in found


def test_what_was_taken_back_leaves_no_difference() -> None:
    """A state and the same one after a ruling that was undone."""
    fight = in_turn()
    before = fight.state
    submit_lines(fight, "rule pool brand health by=-2")
    assert list_changes(before, fight.state)
    submit_accepted(fight, Undo())
    assert list_changes(before, fight.state) == ()


AL = Combatant(
    id="al", name="Al", side="a", stats={"dex": 1}, traits=("tall",), pools={"hp": 3}, conditions={"held": {"orc": 2}}
)
AXE = Item(id="axe", name="Axe", kind="weapon", owner="al", where="hand", counters={"left": 2}, die=6)
PAIR = Relation(id="hold", kind="grapple", members=(Member(who="bo"), Member(who="al")))
WHOLE = State(
    combatants={"al": AL},
    items={"axe": AXE},
    distances={"al": {"bo": 4}},
    views={"al": {"bo": "half"}},
    places={"ford": Place(id="ford", traits=("deep",))},
    relations={"hold": PAIR},
    clocks={"": {"dawn": {"": 5}}},
    slots=(Slot(id="al", members=("al",)), Slot(id="bo", members=("bo",))),
    round=2,
    phases={"": "turn"},
    acting=("al",),
)


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        ({"combatants": {"al": replace(AL, side="b")}}, ("side", "al", "", "a", "b")),
        ({"combatants": {"al": replace(AL, place="ford")}}, ("place", "al", "", "", "ford")),
        ({"combatants": {"al": replace(AL, pools={"hp": 2})}}, ("pool", "al", "hp", 3, 2)),
        ({"combatants": {"al": replace(AL, pools={})}}, ("pool", "al", "hp", 3, None)),
        (
            {"combatants": {"al": replace(AL, conditions={"held": {"orc": 2, "": 1}})}},
            ("condition", "al", "held", 2, 3),
        ),
        ({"combatants": {"al": replace(AL, stats={"dex": 2})}}, ("stat", "al", "dex", 1, 2)),
        ({"combatants": {"al": replace(AL, traits=())}}, ("trait", "al", "tall", True, None)),
        ({"items": {"axe": replace(AXE, owner="bo")}}, ("item", "axe", "", "al", "bo")),
        ({"items": {"axe": replace(AXE, where="belt")}}, ("where", "axe", "", "hand", "belt")),
        ({"items": {"axe": replace(AXE, die=4)}}, ("die", "axe", "", 6, 4)),
        ({"items": {"axe": replace(AXE, counters={"left": 1})}}, ("counter", "axe", "left", 2, 1)),
        ({"distances": {"al": {"bo": 5}}}, ("distance", "al", "bo", 4, 5)),
        ({"views": {}}, ("view", "al", "bo", "half", None)),
        ({"places": {"ford": Place(id="ford")}}, ("terrain", "ford", "", ("deep",), ())),
        (
            {"places": {"ford": Place(id="ford", traits=("deep",), side_traits=(SideTrait(side=3, trait="soft"),))}},
            ("terrain", "ford", "3", None, ("soft",)),
        ),
        ({"relations": {}}, ("relation", "hold", "grapple", ("al", "bo"), None)),
        ({"clocks": {"": {"dawn": {"": 4}}}}, ("clock", "", "dawn", 5, 4)),
        ({"slots": WHOLE.slots[::-1]}, ("order", "", "", ("al", "bo"), ("bo", "al"))),
        ({"round": 3}, ("fight", "", "round", 2, 3)),
        ({"phases": {"": "window"}}, ("fight", "", "phase", "turn", "window")),
        ({"acting": ()}, ("fight", "", "up", ("al",), ())),
        ({"ended": True}, ("fight", "", "ended", False, True)),
        ({"victors": "a"}, ("fight", "", "victors", "", "a")),
    ],
)
def test_everything_a_table_would_notice_is_told_apart(other: dict[str, Any], differs: tuple[Any, ...]) -> None:
    """Each difference is listed separately, under its own name."""
    about, of, name, was, now = differs
    found = Change(about=about, of=of, name=name, one=was, other=now)
    assert list_changes(WHOLE, replace(WHOLE, **other)) == (found,)


def test_what_only_a_system_notes_is_not_told_apart() -> None:
    """The order of members in a list does not count either."""
    noted = replace(
        WHOLE,
        marks={"al": {"x": 1}},
        counts={"al": 2},
        relations={"hold": replace(PAIR, members=PAIR.members[::-1])},
    )
    assert list_changes(WHOLE, noted) == ()
