"""Fresh dice in an audit: the earlier rolls, and the same rolls under new names."""

from __future__ import annotations

from affray.engine.integrity.audit.prescan import prescan
from affray.engine.integrity.audit.renewals import Renewals
from affray.events import Amended, DiceRenewed, Event, Restored
from tests.engine.histories import A, make_roll
from tests.engine.test_lanes_layer import back, sealed_all
from tests.engine.test_takebacks import Command


def list_renewals(*commands: Command) -> list[tuple[int, list[tuple[int, int]]]]:
    """Return for each time fresh dice were asked for their generation, and what each die showed before and then."""
    recorded, lines = sealed_all(*commands)
    renewals = Renewals(prescan(lines).renewals)
    for one in recorded:
        renewals.follow(one)
    return [
        (one.generation, [(fell.before[0][0], fell.after[0][0]) for fell in one.fell])
        for one in renewals.list_requests()
    ]


def make_strike(face: int, generation: int = 0) -> Event:
    return make_roll(f"{f'g{generation}:' if generation else ''}1/ilse/attack.1/attack", face, sides=20)


def make_fresh_rewind_pair(to: int, lane: int, generation: int) -> list[Event]:
    return [back(to, lane, fresh=True), DiceRenewed(generation=generation)]


def test_what_fell_is_listed_with_what_had_fallen() -> None:
    """Once, in the order of the requests."""
    assert list_renewals(make_strike(8), make_fresh_rewind_pair(1, 2, 1)) == [(1, [])]
    assert list_renewals(make_strike(8), make_fresh_rewind_pair(1, 2, 1), make_strike(10, 1)) == [(1, [(8, 10)])]
    twice: list[Command] = [
        make_strike(8),
        make_fresh_rewind_pair(1, 2, 1),
        make_strike(10, 1),
        make_fresh_rewind_pair(4, 5, 2),
        make_strike(12, 2),
    ]
    assert list_renewals(*twice) == [(1, [(8, 10)]), (2, [(10, 12)])]


def test_the_lane_of_earlier_fresh_dice_is_brought_again() -> None:
    """They were asked for once more in between, and those that fall now are the earlier ones."""
    lanes: list[Command] = [
        make_strike(8),
        make_fresh_rewind_pair(1, 2, 1),
        list(A),
        make_fresh_rewind_pair(4, 6, 2),
        Restored(lane=6, left=8),
    ]
    assert list_renewals(*lanes, make_strike(10, 1)) == [(1, [(8, 10)]), (2, [])]


def test_what_was_taken_back_before_they_were_asked_for_fell_again_too() -> None:
    """By another undo, or behind fresh dice that never fell."""
    assert list_renewals(
        make_strike(8), back(1, 2), list(A), list(A), make_fresh_rewind_pair(5, 7, 1), make_strike(10, 1)
    ) == [(1, [(8, 10)])]
    assert list_renewals(
        make_strike(8), make_fresh_rewind_pair(1, 2, 1), list(A), make_fresh_rewind_pair(4, 6, 2), make_strike(12, 2)
    ) == [(1, []), (2, [(8, 12)])]


def test_an_amendment_throws_the_same_dice_again() -> None:
    """There was no request for fresh ones."""
    amends: list[Event] = [Amended(position=4, to=1, lane=5), DiceRenewed(generation=1), make_strike(10, 1)]
    assert list_renewals(make_strike(8), make_fresh_rewind_pair(1, 2, 1), make_strike(10, 1), amends) == [
        (1, [(8, 10)])
    ]
