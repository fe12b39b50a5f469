"""Paths towards a target on a map: straight ahead, or round obstacles."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from affray.events import Id


class Walk(NamedTuple):
    """The movement options of one combatant on a map.

    Attributes:
        allowance: The most that the steps of one move may cost together.
        cost: Returns the cost of a step from one cell to a neighbour. 0 means that the step is impossible, or dearer
            than any one move.
        is_free: Tells whether the combatant may stop in a cell.
        around: Lists the neighbours of a cell.
        far: Returns the distance between two cells.
        ways: Yields every reachable cell with the path to it, the cheapest first, over any number of moves. No path
            enters one of the cells that are passed in.
    """

    allowance: int
    cost: Callable[[Id, Id], int]
    is_free: Callable[[Id], bool]
    around: Callable[[Id], Iterable[Id]]
    far: Callable[[Id, Id], int]
    ways: Callable[[Collection[Id]], Iterator[tuple[Id, tuple[Id, ...]]]]


def list_moves_towards(
    walk: Walk, start: Id, goals: Sequence[tuple[Id, int]], taken: Collection[Id]
) -> Iterator[tuple[Id, ...]]:
    """Yield moves towards the goals, the best first.

    The first is the straight path to the nearest goal. The second leads round obstacles to any of the goals.
    A combatant who always went straight ahead would walk back into a dead end again and again.

    Args:
        goals: The cell of each goal with the distance to stop at, the nearest goal first.
        taken: Cells where other combatants stand. One move may not be able to pass them.
    """
    goal, near = goals[0]
    path = find_straight_path(walk, start, goal, near)
    if path and walk.far(path[-1], goal) <= near and (now := _first_move(walk, start, path)):
        yield now
    if not any(_has_room(walk, goal, near) for goal, near in goals):
        return
    for barred in ((), taken):
        now = _first_move(walk, start, find_path_round(walk, goals, barred))
        if now:
            yield now
            return


def find_straight_path(walk: Walk, start: Id, goal: Id, near: int) -> tuple[Id, ...]:
    """Return the straight path towards a goal, until it is blocked.

    Each step goes to the neighbour that is nearest to the goal and can be entered.
    """
    cost, far = walk.cost, walk.far
    path: list[Id] = []
    here, apart = start, far(start, goal)
    while apart > near:
        steps = [(far(there, goal), cost(here, there), there) for there in walk.around(here)]
        apart, price, here = min(
            (one for one in steps if one[1] and one[0] < apart), default=(apart, 0, here), key=lambda one: one[:2]
        )
        if not price:
            break
        path.append(here)
    return tuple(path)


def find_path_round(walk: Walk, goals: Sequence[tuple[Id, int]], barred: Collection[Id]) -> tuple[Id, ...]:
    """Return the cheapest path to a free cell near enough to any goal; empty if none."""
    far, is_free = walk.far, walk.is_free
    for there, way in walk.ways(barred):
        if any(far(there, goal) <= near for goal, near in goals) and is_free(there):
            return way
    return ()


def _has_room(walk: Walk, goal: Id, near: int) -> bool:
    """Tell whether any cell near enough to a goal is free.

    In a crowd this is cheaper to find out than a path.
    """
    seen, queue = {goal}, deque([goal])
    while queue:
        here = queue.popleft()
        for there in walk.around(here):
            if there not in seen and walk.far(there, goal) <= near:
                if walk.is_free(there) and any(walk.cost(beside, there) for beside in walk.around(there)):
                    return True
                seen.add(there)
                queue.append(there)
    return False


def _first_move(walk: Walk, start: Id, path: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return the part of a path that one move covers, up to a cell to stop in."""
    here, left, most = start, walk.allowance, 0
    for nth, there in enumerate(path, 1):
        price = walk.cost(here, there)
        if not price or price > left:
            break
        left -= price
        if walk.is_free(there):
            most = nth
        here = there
    return path[:most]
