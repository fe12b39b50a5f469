"""How somebody walks up to somebody else: straight, or round what is in the way."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from affray.events import Id


class Walk(NamedTuple):
    """How somebody walks on a map.

    Attributes:
        allowance: What the steps of one move may cost together.
        cost: What a step from a cell to another costs; 0 where none is possible, or dear beyond any one move.
        is_free: Whether one may stop in a cell.
        around: What lies around a cell.
        far: How far apart two cells are.
        ways: Every cell that can be reached, in however many moves, the cheapest first, with the way there; none of
            the ways leads over the cells that are given.
    """

    allowance: int
    cost: Callable[[Id, Id], int]
    is_free: Callable[[Id], bool]
    around: Callable[[Id], Iterable[Id]]
    far: Callable[[Id, Id], int]
    ways: Callable[[Collection[Id]], Iterator[tuple[Id, tuple[Id, ...]]]]


def towards(walk: Walk, start: Id, goals: Sequence[tuple[Id, int]], taken: Collection[Id]) -> Iterator[tuple[Id, ...]]:
    """Yield moves up to somebody, the best first: straight to the nearest, or round what is in the way, to anybody.

    Whoever is always taken straight ahead as far as it goes would turn back into a blind alley again and again.

    Args:
        goals: Where each of them is, the nearest first, and how near to it one wants to come.
        taken: Where others stand, past whom there may be no way in one move.
    """
    goal, near = goals[0]
    path = straight(walk, start, goal, near)
    if path and walk.far(path[-1], goal) <= near and (now := _first_move(walk, start, path)):
        yield now
    if not any(_has_room(walk, goal, near) for goal, near in goals):
        return
    for barred in ((), taken):
        now = _first_move(walk, start, way_round(walk, goals, barred))
        if now:
            yield now
            return


def straight(walk: Walk, start: Id, goal: Id, near: int) -> tuple[Id, ...]:
    """Return the steps straight towards a goal: each to the neighbour that lies nearest to it and can be entered."""
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


def way_round(walk: Walk, goals: Sequence[tuple[Id, int]], barred: Collection[Id]) -> tuple[Id, ...]:
    """Return the cheapest way to where one may stop near enough to one of several goals; nothing if there is none."""
    far, is_free = walk.far, walk.is_free
    for there, way in walk.ways(barred):
        if any(far(there, goal) <= near for goal, near in goals) and is_free(there):
            return way
    return ()


def _has_room(walk: Walk, goal: Id, near: int) -> bool:
    """Tell whether one may stop anywhere near enough to a goal; in a crowd, that is known sooner than a way."""
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
    """Return as much of a way as one move allows, up to where one may stop."""
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
