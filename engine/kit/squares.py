"""Squares named ``x,y``: neighbours, distances, lines, and cheapest paths."""

from collections import deque
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice
from math import isqrt
from typing import Literal

from affray.engine.core.coordinates import EDGE, is_cell
from affray.events import Id

from .line_cache import keep_short

Cell = tuple[int, int]

Metric = Literal["chebyshev", "manhattan", "euclidean"]
"""The larger coordinate difference, the sum of both, or the straight line rounded down."""

DIRECTIONS: dict[str, Cell] = {
    "n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0),
    "ne": (1, -1), "se": (1, 1), "sw": (-1, 1), "nw": (-1, -1),
}  # fmt: skip
"""The eight neighbours of a square, in the order of search."""


@lru_cache(maxsize=65536)
def square_coordinates(place: Id) -> Cell:
    """Return the coordinates of a square.

    Raises:
        ValueError: the name is not of the form ``x,y``.
    """
    x, y = place.split(",")
    return int(x), int(y)


@lru_cache(maxsize=65536)
def format_cell(cell: Cell) -> Id:
    """Return the name of a square."""
    return f"{cell[0]},{cell[1]}"


@lru_cache(maxsize=65536)
def square_neighbours(place: Id) -> tuple[Id, ...]:
    """Return the eight neighbours of a square in the order of the directions; fewer at the edge of every map."""
    x, y = square_coordinates(place)
    around = [format_cell((x + dx, y + dy)) for dx, dy in DIRECTIONS.values()]
    return tuple([one for one in around if is_cell(one)])


def neighbour_towards(place: Id, direction: str) -> Id:
    """Return the neighbour of a square in a direction, such as ``ne``."""
    (x, y), (dx, dy) = square_coordinates(place), DIRECTIONS[direction]
    return format_cell((x + dx, y + dy))


@lru_cache(maxsize=65536)
def square_distance(one: Id, other: Id, metric: Metric = "chebyshev") -> int:
    """Return the distance between two squares, in squares.

    By default a diagonal step counts like any other.
    """
    (x, y), (to_x, to_y) = square_coordinates(one), square_coordinates(other)
    return _length(to_x - x, to_y - y, metric)


def _length(dx: int, dy: int, metric: Metric) -> int:
    if metric == "chebyshev":
        return max(abs(dx), abs(dy))
    return abs(dx) + abs(dy) if metric == "manhattan" else isqrt(dx * dx + dy * dy)


@lru_cache(maxsize=65536)
def is_next_to(one: Id, other: Id) -> bool:
    """Tell whether two squares touch, even if only at a corner."""
    return square_distance(one, other) == 1


@keep_short
def list_squares_crossed(one: Id, other: Id) -> tuple[Id, ...]:
    """Return the squares crossed by the line between the centres of two, in order.

    Touching a corner is not crossing. The way back crosses the same squares. See ``list_squares_nearest``.
    """
    (x, y), (to_x, to_y) = square_coordinates(one), square_coordinates(other)
    wide, high = abs(to_x - x), abs(to_y - y)
    right, down = (1 if to_x > x else -1), (1 if to_y > y else -1)
    across = along = 1
    crossed = []
    while (x, y) != (to_x, to_y):
        to_side, to_end = across * high, along * wide
        if to_side <= to_end:
            x, across = x + right, across + 2
        if to_end <= to_side:
            y, along = y + down, along + 2
        if (x, y) != (to_x, to_y):
            crossed.append(format_cell((x, y)))
    return tuple(crossed)


@keep_short
def list_squares_nearest(one: Id, other: Id) -> tuple[Id, ...]:
    """Return one square for each step between two: the nearest to the straight line.

    A tie between two squares goes to the one to the east or south. ``list_squares_crossed`` returns more squares.
    """
    (x, y), (to_x, to_y) = square_coordinates(one), square_coordinates(other)
    dx, dy = to_x - x, to_y - y
    steps = max(abs(dx), abs(dy))
    return tuple(
        [
            format_cell((x + (2 * dx * step + steps) // (2 * steps), y + (2 * dy * step + steps) // (2 * steps)))
            for step in range(1, steps)
        ]
    )


@lru_cache(maxsize=16384)
def list_squares_within(place: Id, far: int) -> tuple[Id, ...]:
    """Return all squares within a number of steps, including the square itself."""
    x, y = square_coordinates(place)
    return tuple([format_cell((x + dx, y + dy)) for dx in range(-far, far + 1) for dy in range(-far, far + 1)])


@lru_cache(maxsize=16384)
def list_squares_left_behind(here: Id, there: Id, far: int) -> tuple[Id, ...]:
    """Return the squares near one square that are farther away from another.

    Both are measured by the same number of steps.
    """
    return tuple([one for one in list_squares_within(here, far) if square_distance(one, there) > far])


def find_shortest_path(start: Id, goal: Id, steps: int, blocked: Container[Id], most: int) -> tuple[Id, ...] | None:
    """Return the path that ``list_shortest_paths`` yields to a square, or ``None``.

    A path as short as without walls is found at any distance, unless walls lie beside it. Other paths are found only to
    the nearest squares.

    Args:
        most: The number of squares to search where walls are in the way.
    """
    far = square_distance(start, goal)
    if far > steps:
        return None
    way: list[Id] = []
    here = start
    while here != goal:  # each step comes nearer; the first direction that does is taken
        left = far - len(way) - 1
        ahead = (one for one in square_neighbours(here) if square_distance(one, goal) == left and one not in blocked)
        here = next(ahead, goal)
        way.append(here)
        if here == goal and left:
            return _find_among(list_shortest_paths(start, steps, blocked), goal, most)
    return None if goal in blocked else tuple(way)


def _find_among(ways: Iterator[tuple[Id, tuple[Id, ...]]], goal: Id, most: int) -> tuple[Id, ...] | None:
    """Return the path to a square, if it is among the first results of a search."""
    return next((way for there, way in islice(ways, most) if there == goal), None)


def list_shortest_paths(start: Id, steps: int, blocked: Container[Id]) -> Iterator[tuple[Id, tuple[Id, ...]]]:
    """Yield each square within some steps with its shortest path, nearest first.

    No path enters a blocked square. Among equally short paths, the straight one is taken.
    """
    paths: dict[Id, tuple[Id, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        way = paths[here]
        if len(way) >= steps:
            break
        for there in square_neighbours(here):
            if there not in paths and there not in blocked:
                paths[there] = (*way, there)
                queue.append(there)
                yield there, paths[there]


def find_cheapest_path(
    start: Id, goal: Id, allowance: int, weights: Mapping[Id, int], metric: Metric, most: int
) -> tuple[Id, ...] | None:
    """Return the path that ``list_cheapest_paths`` yields to a square, or ``None``.

    A path over ordinary squares is found at any distance, unless other squares lie beside it.
    Other paths are found only to the nearest squares.

    Args:
        most: The number of squares to search where ordinary squares do not lead there.
    """
    first = square_coordinates(start)

    def least(cell: Cell) -> tuple[int, int]:
        """Return the least cost of a path to a cell, and its fewest diagonal steps."""
        wide, high = abs(cell[0] - first[0]), abs(cell[1] - first[1])
        return (wide + high, 0) if metric == "manhattan" else (max(wide, high), min(wide, high))

    cell = square_coordinates(goal)
    if least(cell)[0] > allowance:
        return None
    way: list[Id] = []
    while cell != first:  # from the goal back, the same path that ``list_cheapest_paths`` finds first
        if weights.get(format_cell(cell), 1) != 1:
            return _find_among(list_cheapest_paths(start, allowance, weights, metric), goal, most)
        way.append(format_cell(cell))
        cost, slants = least(cell)
        before = []
        for dx, dy in DIRECTIONS.values():
            one = (cell[0] - dx, cell[1] - dy)
            if least(one) == (cost - _length(dx, dy, metric), slants - abs(dx * dy)):
                before.append((*least(one), one))
        cell = min(before)[-1]
    return tuple(reversed(way))


def list_cheapest_paths(
    start: Id, allowance: int, weights: Mapping[Id, int], metric: Metric = "chebyshev"
) -> Iterator[tuple[Id, tuple[Id, ...]]]:
    """Yield each square within an allowance with its cheapest path, cheapest first.

    Among equally cheap paths, the one with the fewest diagonal steps is taken, as people would walk.

    Args:
        allowance: The most that a path may cost.
        weights: The factor by which entering a square costs more than its distance. The default is 1; 0 bars the way.
        metric: The length of a step.
    """
    weighing = {square_coordinates(place): weight for place, weight in weights.items()}
    steps = [(dx, dy, _length(dx, dy, metric), abs(dx * dy)) for dx, dy in DIRECTIONS.values()]
    first = square_coordinates(start)
    best: dict[Cell, tuple[int, int]] = {first: (0, 0)}
    paths: dict[Cell, tuple[Id, ...]] = {first: ()}
    queue: list[tuple[int, int, Cell]] = [(0, 0, first)]
    while queue:
        cost, slants, here = heappop(queue)
        if (cost, slants) > best[here] or max(map(abs, here)) > EDGE:
            continue
        if here != first:
            yield paths[here][-1], paths[here]
        for dx, dy, far, slanting in steps:
            there = (here[0] + dx, here[1] + dy)
            weight = weighing.get(there, 1)
            total = (cost + far * weight, slants + slanting)
            if weight and total[0] <= allowance and total < best.get(there, (allowance + 1, 0)):
                best[there] = total
                paths[there] = (*paths[here], format_cell(there))
                heappush(queue, (*total, there))
