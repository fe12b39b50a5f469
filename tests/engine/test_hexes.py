"""The geometry of hexes against its definition: neighbours, distances, and the hexes that a straight line takes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from affray.engine.kit.hexes import (
    DIRECTIONS,
    SIDES,
    format_hex,
    hex_direction,
    hex_distance,
    hex_line,
    hex_neighbours,
    parse_hex,
)

NEAR = tuple(f"{q},{r}" for q, r in product(range(-5, 6), repeat=2) if abs(q + r) <= 5)
HAIR = Fraction(1, 10**6)


def test_directions_are_those_of_the_page() -> None:
    """From east against the clock to south-east; opposite ones are three apart."""
    assert DIRECTIONS == ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
    assert SIDES == 6
    assert hex_neighbours("2,-3") == ("3,-3", "3,-4", "2,-4", "1,-3", "1,-2", "2,-2")


@pytest.mark.parametrize("place", ["", "hall", "1", "1,", ",1", "1,x", "x,1"])
def test_what_is_no_hex(place: str) -> None:
    assert parse_hex(place) is None
    assert hex_neighbours(place) == ()
    assert (hex_distance(place, "0,0"), hex_distance("0,0", place)) == (None, None)
    assert (hex_line(place, "0,0"), hex_line("0,0", place)) == ((), ())
    assert (hex_direction(place, "0,0"), hex_direction("0,0", place)) == (None, None)


@pytest.mark.parametrize("hex", [(0, 0), (-7, 3), (12, -40)])
def test_a_hex_is_named_by_its_coordinates(hex: tuple[int, int]) -> None:
    assert parse_hex(format_hex(hex)) == hex


def test_neighbours_have_a_direction_and_nobody_else() -> None:
    for at, place in enumerate(hex_neighbours("0,0")):
        assert hex_direction("0,0", place) == at
        assert hex_direction(place, "0,0") == (at + 3) % 6
    assert {place for place in NEAR if hex_direction("0,0", place) is not None} == set(hex_neighbours("0,0"))


def test_apart_is_how_many_steps_there_are() -> None:
    """Found by going on from neighbour to neighbour."""
    steps, ring = {"0,0": 0}, ["0,0"]
    for step in range(1, 6):
        ring = [there for here in ring for there in hex_neighbours(here) if there not in steps and not steps.get(there)]
        steps |= dict.fromkeys(ring, step)
    assert {place: hex_distance("0,0", place) for place in NEAR} == {place: steps[place] for place in NEAR}
    assert hex_distance("2,-1", "-1,4") == hex_distance("-1,4", "2,-1") == 5


def away(hex: tuple[int, int], q: Fraction, r: Fraction) -> Fraction:
    """Return how far a point is from the middle of a hex, squared."""
    x, y = q - hex[0], r - hex[1]
    return x * x + x * y + y * y


@pytest.mark.parametrize("start", ["0,0", "2,-1", "-3,1"])
def test_a_line_takes_the_hex_whose_middle_is_nearest_at_each_step(start: str) -> None:
    """A hair off the middles, where two are equally near; both directions take the same hexes."""
    q, r = parse_hex(start) or (0, 0)
    for goal in (*NEAR, "130,-65", "-64,128", "70,1"):
        to_q, to_r = parse_hex(goal) or (0, 0)
        steps = hex_distance(start, goal) or 0
        found = hex_line(start, goal)
        assert found == hex_line(goal, start)[::-1]
        assert (found[0], found[-1], len(found)) == (start, goal, steps + 1)
        for step, here in enumerate(found[1:-1], start=1):
            at_q = q + Fraction((to_q - q) * step, steps) + HAIR
            at_r = r + Fraction((to_r - r) * step, steps) + HAIR
            hex = parse_hex(here) or (0, 0)
            assert all(
                away(hex, at_q, at_r) <= away((hex[0] + one, hex[1] + other), at_q, at_r) for one, other in DIRECTIONS
            )


@pytest.mark.parametrize(
    ("goal", "between"),
    [
        ("1,1", "1,0"),
        ("-1,-1", "0,-1"),
        ("2,2", "1,0 1,1 2,1"),
        ("2,-1", "1,0"),
        ("-2,1", "-1,1"),
        ("-1,2", "0,1"),
        ("1,-2", "1,-1"),
        ("4,-2", "1,0 2,-1 3,-1"),
    ],
)
def test_a_line_along_sides_takes_always_the_same_hexes(goal: str, between: str) -> None:
    assert hex_line("0,0", goal)[1:-1] == tuple(between.split())
