"""The approach of a combatant to another, on squares with a step cost of 1."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from affray.engine.kit import squares
from affray.engine.kit.approach import Walk, list_moves_towards
from affray.events import Id

POCKET = ("2,-1", "3,-1", "3,0", "3,1", "2,1")
"""A blind alley that is open to the west."""


def walk(allowance: int, walls: Collection[Id] = (), taken: Collection[Id] = ()) -> Walk:
    """Return the path of a combatant from 0,0 past others."""

    def ways(barred: Collection[Id]):  # type: ignore[no-untyped-def]
        return squares.list_shortest_paths("0,0", 30, {*walls, *barred})

    return Walk(
        allowance,
        lambda _, there: int(there not in walls),
        lambda place: place not in taken,
        squares.square_neighbours,
        squares.square_distance,
        ways,
    )


def list_best_moves(one: Walk, *goals: tuple[Id, int], taken: Collection[Id] = ()) -> list[str]:
    """List the moves toward a combatant, best first."""
    return [";".join(path) for path in list_moves_towards(one, "0,0", goals, taken)]


def test_straight_if_that_leads_there() -> None:
    assert list_best_moves(walk(2), ("5,0", 1))[0] == "1,0;2,0"
    assert list_best_moves(walk(9), ("5,0", 1))[0] == "1,0;2,0;3,0;4,0"


def test_nobody_goes_into_a_blind_alley() -> None:
    """Straight ahead the way ends at 2,0; who went there would have to come back."""
    (found,) = list_best_moves(walk(9, POCKET), ("5,0", 1))
    assert "2,0" not in found.split(";")
    assert found.split(";")[-1] in ("4,-1", "4,0", "4,1")


def test_one_goes_to_whom_one_gets_to() -> None:
    """All around the nearest there is a wall."""
    walls = [one for one in squares.square_neighbours("3,0") if one != "3,0"]
    assert list_best_moves(walk(9, walls), ("3,0", 1)) == []
    assert list_best_moves(walk(9, walls), ("3,0", 1), ("0,5", 1)) == ["0,1;0,2;0,3;0,4"]


def test_one_stops_where_nobody_stands() -> None:
    """Beside the enemy if there is room, else as near as one move leads; past people, or round them in small steps."""
    friends = ("1,0", "2,0")
    assert list_best_moves(walk(9, taken=friends), ("4,0", 1), taken=friends)[0] == "1,0;2,0;3,0"
    (round_,) = list_best_moves(walk(1, taken=friends), ("4,0", 1), taken=friends)
    assert round_ in ("1,-1", "1,1")
    ring = squares.square_neighbours("4,0")
    assert list_best_moves(walk(9, taken=ring), ("4,0", 1), taken=ring)[0] == "1,0;2,0"


def test_no_way_is_looked_for_where_there_is_no_room() -> None:
    """In a crowd all around the only enemy the whole board would be searched for nothing."""
    crowd = [one for one in squares.square_neighbours("9,0") if one != "9,0"]
    lost = walk(9, taken=(*crowd, "9,0"))._replace(ways=lambda _: pytest.fail("the board is searched"))
    assert list_best_moves(lost, ("9,0", 1), taken=crowd) == ["1,0;2,0;3,0;4,0;5,0;6,0;7,0"]
    assert list_best_moves(lost._replace(is_free=lambda _: False), ("9,0", 1), taken=crowd) == []
