"""The geometry of squares against its definition: names, distances, lines, and the best ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.kit import hexes
from affray.engine.kit.line_cache import SHORT, Line
from affray.engine.kit.squares import (
    DIRECTIONS,
    Cell,
    Metric,
    find_cheapest_path,
    find_shortest_path,
    format_cell,
    is_next_to,
    list_cheapest_paths,
    list_shortest_paths,
    list_squares_crossed,
    list_squares_left_behind,
    list_squares_nearest,
    list_squares_within,
    neighbour_towards,
    square_coordinates,
    square_distance,
    square_neighbours,
)
from affray.events import Id

SPAN = range(-4, 5)
STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
METRICS: tuple[Metric, ...] = ("chebyshev", "manhattan", "euclidean")

places = st.builds(format_cell, st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
grounds = st.dictionaries(
    st.builds(format_cell, st.tuples(st.integers(-3, 3), st.integers(-3, 3))), st.integers(0, 3), max_size=20
)
"""Maps of a few squares, each with how many times the distance it costs; 0 is a wall."""


def test_the_eight_directions_in_their_order() -> None:
    assert [*DIRECTIONS] == ["n", "e", "s", "w", "ne", "se", "sw", "nw"]
    assert [*DIRECTIONS.values()] == [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)]
    assert square_neighbours("2,-1") == ("2,-2", "3,-1", "2,0", "1,-1", "3,-2", "3,0", "1,0", "1,-2")
    assert tuple(neighbour_towards("2,-1", direction) for direction in DIRECTIONS) == square_neighbours("2,-1")


@pytest.mark.parametrize("cell", [(0, 0), (-3, 12), (7, -9999)])
def test_a_square_is_named_by_its_coordinates(cell: Cell) -> None:
    assert square_coordinates(format_cell(cell)) == cell
    assert format_cell(cell) == f"{cell[0]},{cell[1]}"


@pytest.mark.parametrize("place", ["", "hall", "1", "1,", ",1", "1,x", "1,2,3"])
def test_what_is_no_square(place: str) -> None:
    with pytest.raises(ValueError, match=r"value|invalid"):
        square_coordinates(place)


@pytest.mark.parametrize(
    ("metric", "far", "slant", "off"), [("chebyshev", 4, 3, 3), ("manhattan", 7, 6, 4), ("euclidean", 5, 4, 3)]
)
def test_distances_go_by_the_metric(metric: Metric, far: int, slant: int, off: int) -> None:
    """The larger difference, the sum, or the straight line rounded down; the same in both directions."""
    for one, other, squares in (("1,2", "4,6", far), ("1,2", "4,5", slant), ("5,1", "2,0", off)):
        assert square_distance(one, other, metric) == square_distance(other, one, metric) == squares
        (x, y), (to_x, to_y) = square_coordinates(one), square_coordinates(other)
        assert square_distance(format_cell((y, x)), format_cell((to_y, to_x)), metric) == squares
    assert square_distance("3,3", "3,3", metric) == 0


@given(places, places, places)
def test_no_way_round_is_nearer(one: Id, other: Id, third: Id) -> None:
    """Except for the straight line, which loses up to two halves to rounding."""
    for metric, lost in (("chebyshev", 0), ("manhattan", 0), ("euclidean", 1)):
        direct = square_distance(one, other, metric)
        assert direct <= square_distance(one, third, metric) + square_distance(third, other, metric) + lost


@given(places, places)
def test_squares_touch_in_all_eight_ways(one: Id, other: Id) -> None:
    assert is_next_to(one, other) == (other in square_neighbours(one)) == (square_distance(one, other) == 1)


def list_crossed_squares(one: Cell, other: Cell) -> set[Cell]:
    """List the squares that the line between two centres crosses, by cutting it into many pieces."""
    (x, y), (to_x, to_y) = one, other
    many = 4 * max(abs(to_x - x), abs(to_y - y), 1) * max(abs(to_x - x) * abs(to_y - y), 1) + 1
    found = set()
    for nth in range(many + 1):
        across, down = (2 * ((to_x - x) * nth + x * many) + many), (2 * ((to_y - y) * nth + y * many) + many)
        if across % (2 * many) and down % (2 * many):
            found.add((across // (2 * many), down // (2 * many)))
    return found - {one, other}


@pytest.mark.parametrize("one", [(0, 0), (5, 3)])
def test_a_line_crosses_the_squares_that_it_goes_through(one: Cell) -> None:
    """In every direction; a corner that is touched is not crossed, and no square is told twice."""
    for other in product(range(8), range(8)):
        told = list(list_squares_crossed(format_cell(one), format_cell(other)))
        assert (set(told), len(told)) == (
            {format_cell(cell) for cell in list_crossed_squares(one, other)},
            len(set(told)),
        )


def test_a_line_runs_through_the_squares_nearest_to_it() -> None:
    """From middle to middle; halfway between two squares it is the one to the east or south."""
    half = Fraction(1, 2)
    for dx, dy in product(SPAN, SPAN):
        steps = max(abs(dx), abs(dy))
        way = [
            (floor(3 + Fraction(dx * nth, steps) + half), floor(1 + Fraction(dy * nth, steps) + half))
            for nth in range(1, steps)
        ]
        assert list_squares_nearest("3,1", f"{3 + dx},{1 + dy}") == tuple(f"{x},{y}" for x, y in way)


@given(places, places)
def test_a_line_that_crosses_takes_no_fewer_than_one_a_step(one: Id, other: Id) -> None:
    """And crosses the same squares on the way back."""
    crossing = list(list_squares_crossed(one, other))
    assert len(crossing) >= len(list_squares_nearest(one, other)) == max(square_distance(one, other) - 1, 0)
    assert crossing == list(list_squares_crossed(other, one))[::-1]


@pytest.mark.parametrize("draw", [list_squares_crossed, list_squares_nearest, hexes.hex_line])
def test_short_lines_are_kept_and_long_ones_are_drawn_each_time(draw: Line) -> None:
    """So that combatants far apart on a large map fill no memory."""
    assert draw("1,2", f"{SHORT - 9},2") is draw("1,2", f"{SHORT - 9},2")
    far = draw("1,2", f"{SHORT + 9},2")
    assert len(far) > SHORT
    assert draw("1,2", f"{SHORT + 9},2") == far
    assert draw("1,2", f"{SHORT + 9},2") is not far


def test_around_a_square_are_all_that_are_near_enough() -> None:
    for far in (0, 1, 2):
        near = {f"{x},{y}" for x, y in product(range(-5, 10), repeat=2) if square_distance("2,1", f"{x},{y}") <= far}
        assert set(list_squares_within("2,1", far)) == near
        assert len(list_squares_within("2,1", far)) == len(near) == (2 * far + 1) ** 2


@pytest.mark.parametrize("there", ["3,1", "3,2", "2,0", "5,1"])
def test_a_step_leaves_behind_what_was_near_and_is_no_more(there: Id) -> None:
    for far in (1, 2):
        left = {one for one in list_squares_within("2,1", far) if one not in list_squares_within(there, far)}
        assert set(list_squares_left_behind("2,1", there, far)) == left


def steps_of(path: tuple[Id, ...]) -> Iterator[tuple[Id, Id]]:
    """Yield the steps of a way from the middle of the map."""
    return pairwise(("0,0", *path))


def best_ways(allowance: int, weights: Mapping[Id, int], metric: Metric) -> dict[Id, tuple[int, int]]:
    """Return what the cheapest way to each square costs, and how many of its steps are slanted, by trying them all."""
    best = {"0,0": (0, 0)}
    for _ in range(2 * allowance + 2):
        for here, (cost, slants) in list(best.items()):
            for there in square_neighbours(here):
                weight = weights.get(there, 1)
                total = (cost + square_distance(here, there, metric) * weight, slants + is_slanted(here, there))
                if weight and total[0] <= allowance and total < best.get(there, (999, 0)):
                    best[there] = total
    del best["0,0"]
    return best


def is_slanted(here: Id, there: Id) -> bool:
    """Tell whether a step goes to a corner."""
    return square_distance(here, there, "manhattan") == 2


@pytest.mark.parametrize("metric", METRICS)
@given(weights=grounds, allowance=st.integers(0, 4))
def test_every_square_in_reach_is_found_with_its_cheapest_way(
    metric: Metric, weights: dict[Id, int], allowance: int
) -> None:
    """Around walls and through rough ground; of ways that cost the same the one with the fewest slanted steps."""
    told = list(list_cheapest_paths("0,0", allowance, weights, metric))
    found = dict(told)
    expected = best_ways(allowance, weights, metric)
    assert found.keys() == expected.keys()
    assert len(told) == len(found)
    for goal, path in found.items():
        assert path[-1] == goal
        assert all(is_next_to(here, there) and weights.get(there, 1) for here, there in steps_of(path))
        cost = sum(square_distance(here, there, metric) * weights.get(there, 1) for here, there in steps_of(path))
        assert (cost, sum(is_slanted(here, there) for here, there in steps_of(path))) == expected[goal]
    assert [expected[goal] for goal, _ in told] == sorted(expected.values())


def test_ways_that_are_as_good_lead_the_same_way_round_always() -> None:
    """The order of offers is fixed: nearest first, straight ones before diagonal ones."""
    found = dict(list_cheapest_paths("0,0", 2, {}))
    assert list(found)[:8] == ["-1,0", "0,-1", "0,1", "1,0", "-1,-1", "-1,1", "1,-1", "1,1"]
    assert found["1,1"] == ("1,1",)
    assert found["2,0"] == ("1,0", "2,0")
    assert found["0,-2"] == ("0,-1", "0,-2")
    off = ("1,-2", "-1,-2", "2,-1", "2,1", "-1,2", "1,2", "-2,-1", "-2,1")
    assert [found[goal][0] for goal in off] == ["0,-1", "0,-1", "1,0", "1,0", "0,1", "0,1", "-1,0", "-1,0"]


@given(weights=grounds, steps=st.integers(0, 4))
def test_the_shortest_ways_are_as_short_as_the_cheapest_where_every_step_costs_the_same(
    weights: dict[Id, int], steps: int
) -> None:
    """To the same squares, over none that is blocked, the nearest first."""
    walls = {place for place, weight in weights.items() if not weight}
    told = list(list_shortest_paths("0,0", steps, walls))
    cheapest = dict(list_cheapest_paths("0,0", steps, dict.fromkeys(walls, 0)))
    assert {goal: len(way) for goal, way in told} == {goal: len(way) for goal, way in cheapest.items()}
    assert len(told) == len(cheapest)
    for goal, way in told:
        assert way[-1] == goal
        assert all(is_next_to(here, there) for here, there in steps_of(way))
        assert walls.isdisjoint(way)
    assert [len(way) for _, way in told] == sorted(len(way) for _, way in told)


def test_the_shortest_way_goes_straight_first() -> None:
    """Found around a wall too."""
    ways = dict(list_shortest_paths("0,0", 2, {"1,-1", "1,0", "1,1"}))
    assert ways["0,2"] == ("0,1", "0,2")
    assert ways["-1,2"] == ("0,1", "-1,2")
    assert [*list_shortest_paths("0,0", 1, ())] == [(place, (place,)) for place in square_neighbours("0,0")]


@given(weights=grounds, steps=st.integers(0, 5), metric=st.sampled_from(METRICS))
def test_a_way_to_one_square_is_the_one_that_is_found_among_all(
    weights: dict[Id, int], steps: int, metric: Metric
) -> None:
    walls = {place for place, weight in weights.items() if not weight}
    short, cheap = (
        dict(list_shortest_paths("0,0", steps, walls)),
        dict(list_cheapest_paths("0,0", steps, weights, metric)),
    )
    for goal in list_squares_within("0,0", 6):
        if goal != "0,0":
            assert find_shortest_path("0,0", goal, steps, walls, 1_000) == short.get(goal)
            assert find_cheapest_path("0,0", goal, steps, weights, metric, 1_000) == cheap.get(goal)


def test_a_straight_way_is_found_however_far_and_a_crooked_one_among_the_nearest() -> None:
    """The search of a whole plain is bounded."""
    far, wall = "9000,4000", ("5000,0", "5001,1", "5002,2")
    assert len(find_shortest_path("0,0", far, 9_000, wall, 10) or ()) == 9_000
    assert len(find_cheapest_path("0,0", far, 9_000, {"5000,1": 0}, "chebyshev", 10) or ()) == 9_000
    around_it = dict.fromkeys(square_neighbours("0,0"), 0)
    assert find_shortest_path("0,0", far, 9_000, around_it, 10) is None
    ring = {place for place in list_squares_within("0,0", 2) if square_distance("0,0", place) == 2 and place != "-2,0"}
    assert find_shortest_path("0,0", "3,0", 99, ring, 1_000) is not None
    assert find_shortest_path("0,0", "3,0", 99, ring, 10) is None
    assert find_cheapest_path("0,0", "3,0", 99, dict.fromkeys(ring, 0), "chebyshev", 1_000) is not None
    assert find_cheapest_path("0,0", "3,0", 99, dict.fromkeys(ring, 0), "chebyshev", 10) is None
