"""Where everybody is: distances, reach, sight, paths. Cells are named ``x,y``; without a board distances are stated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

from affray.engine.errors import Refused
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.sheet import is_active
from affray.events import Clause, Id

Cell = tuple[int, int]


FAR = 99
"""The distance of a pair that nobody has stated."""


FARTHEST = 999
"""The greatest distance that can be stated."""


NEIGHBOURS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))


@lru_cache(maxsize=65536)
def cell(place: Id) -> Cell:
    """Return the coordinates of a cell.

    Raises:
        ValueError: the name is not of the form ``x,y``.
    """
    x, y = place.split(",")
    return int(x), int(y)


def cell_name(place: Cell) -> Id:
    """Return the name of a cell."""
    return f"{place[0]},{place[1]}"


def is_adjacent(one: Cell, other: Cell) -> bool:
    """Tell whether two cells touch, be it at a corner."""
    return (other[0] - one[0], other[1] - one[1]) in NEIGHBOURS


def between(one: Cell, other: Cell) -> Iterator[Cell]:
    """Yield the cells between two that the straight line joining their middles crosses; a corner is not crossed."""
    (x, y), (end_x, end_y) = one, other
    wide, high = abs(end_x - x), abs(end_y - y)
    right, down = (1 if end_x > x else -1), (1 if end_y > y else -1)
    across = along = 1
    while (x, y) != other:
        to_side, to_end = across * high, along * wide
        if to_side <= to_end:
            x, across = x + right, across + 2
        if to_end <= to_side:
            y, along = y + down, along + 2
        if (x, y) != other:
            yield x, y


def metres(table: Table, one: Cell, other: Cell) -> int:
    """Return the distance of two cells in whole metres, by the metric of the configuration."""
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    metric = table.config.metric
    if metric == "chebyshev":
        return max(dx, dy)
    return dx + dy if metric == "manhattan" else int((dx * dx + dy * dy) ** 0.5)


def pair(one: Id, other: Id) -> tuple[Id, Id]:
    """Return two ids in the order in which distances name them."""
    return (one, other) if one < other else (other, one)


def distance(table: Table, one: Id, other: Id) -> int:
    """Return how far apart two combatants are, in whole metres (VES-T19)."""
    here, there = table[one].place, table[other].place
    if here and there:
        return metres(table, cell(here), cell(there))
    return table.draft.distances.get("|".join(pair(one, other)), FAR)


def must_be_in_reach(table: Table, actor: Id, target: Id, reach: int, rule: Clause) -> None:
    """Refuse a target that is farther away than the weapon reaches (VES-021)."""
    apart = distance(table, actor, target)
    if apart > reach:
        raise Refused("out_of_range", rule, f"{target} is {apart} m away, beyond {reach} m", source=target)


def must_be_in_sight(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that the board or the game master hides (VES-022)."""
    if not can_see(table, actor, target):
        raise Refused("no_line_of_sight", rule, f"{actor} cannot see {target}", source=f"{actor}>{target}")


def view(table: Table, viewer: Id, target: Id) -> str:
    """Return what was ruled on how one sees another, ``clear`` or ``blocked``; nothing where nothing was."""
    views = table.draft.views
    return views.get(f"{viewer}>{target}", "") if views else ""


def can_see(table: Table, actor: Id, target: Id) -> bool:
    """Tell whether the line between two is clear; a ruling on the pair goes before the board (VES-T20)."""
    ruled = view(table, actor, target)
    if ruled:
        return ruled != "blocked"
    if not table.draft.places:
        return True
    here, there = table[actor].place, table[target].place
    return not (here and there) or not any(has_trait(table, one, "blocked") for one in between(cell(here), cell(there)))


def has_trait(table: Table, place: Cell, name: str) -> bool:
    """Tell whether a cell is ``difficult`` or ``blocked``."""
    found = table.draft.places.get(f"{place[0]},{place[1]}")
    return found is not None and name in found.traits


def step_cost(table: Table, here: Cell, there: Cell) -> int:
    """Return what entering a neighbouring cell costs: its distance, twice that if difficult (VES-032, VES-T24)."""
    return _cost(table, here, there, difficult=has_trait(table, there, "difficult"))


def _cost(table: Table, here: Cell, there: Cell, *, difficult: bool) -> int:
    return metres(table, here, there) * (2 if difficult else 1)


def path_cost(table: Table, actor: Id, path: tuple[Cell, ...]) -> int:
    """Return what a path costs in metres, each difficult one counting twice."""
    return sum(step_cost(table, here, there) for here, there in pairwise((cell(table[actor].place), *path)))


def plain_cost(table: Table, actor: Id, path: tuple[Cell, ...]) -> int:
    """Return what a path would cost if none of it were difficult."""
    return sum(metres(table, here, there) for here, there in pairwise((cell(table[actor].place), *path)))


def reachable(table: Table, who: Id, allowance: int) -> dict[Cell, tuple[Cell, ...]]:
    """Return every cell somebody could move to within an allowance, with the cheapest path to it."""
    return dict(paths_by_cost(table, who, allowance))


def paths_by_cost(table: Table, who: Id, allowance: int) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
    """Yield the same, the cheapest cells first.

    Among equally cheap paths it is the one with the fewest diagonal steps, as people would walk.
    """
    start = cell(table[who].place)
    blocked, difficult = (
        {cell(place) for place, found in table.draft.places.items() if trait in found.traits}
        for trait in ("blocked", "difficult")
    )
    best: dict[Cell, tuple[int, int]] = {start: (0, 0)}
    paths: dict[Cell, tuple[Cell, ...]] = {start: ()}
    queue: list[tuple[int, int, Cell]] = [(0, 0, start)]
    while queue:
        cost, slants, here = heappop(queue)
        if (cost, slants) > best[here]:
            continue
        if here != start:
            yield here, paths[here]
        for dx, dy in NEIGHBOURS:
            there = (here[0] + dx, here[1] + dy)
            if there in blocked:
                continue
            step = _cost(table, here, there, difficult=there in difficult)
            total = (cost + step, slants + bool(dx and dy))
            if total[0] <= allowance and total < best.get(there, (allowance + 1, 0)):
                best[there] = total
                paths[there] = (*paths[here], there)
                heappush(queue, (*total, there))


def occupant(table: Table, place: Id) -> Id:
    """Return an active combatant who stands in a cell, or nothing."""
    return next((who for who in table.at(place) if is_active(table, who)), "")
