"""How somebody walks up to somebody else: straight, or round what is in the way."""

from collections.abc import Callable, Iterable, Iterator

from affray.events import Id

Neighbours = Callable[[Id], Iterable[Id]]
"""What lies around a cell."""

Far = Callable[[Id, Id], int]
"""How far apart two cells are."""

Ways = Callable[[int], Iterator[tuple[Id, tuple[Id, ...]]]]
"""Every cell that can be reached for so much, the cheapest first, with the way there."""


def approach(
    start: Id, goal: Id, near: int, allowance: int, cost: Callable[[Id, Id], int], around: Neighbours, far: Far
) -> tuple[Id, ...]:
    """Return the steps straight towards a goal: each to the neighbour that lies nearest to it and can be entered.

    Args:
        near: How far from the goal it ends.
        allowance: What the steps may cost together.
        cost: What a step costs; 0 where none is possible.
    """
    path: list[Id] = []
    here, left, apart = start, allowance, far(start, goal)
    while apart > near:
        steps = [(far(there, goal), cost(here, there), there) for there in around(here)]
        apart, price, here = min(
            (one for one in steps if one[1] and one[0] < apart), default=(apart, 0, here), key=lambda one: one[:2]
        )
        if not price or price > left:
            break
        left -= price
        path.append(here)
    return tuple(path)


def way_round(goal: Id, near: int, most: int, ways: Ways, far: Far) -> tuple[Id, ...]:
    """Return the cheapest way to where one is near a goal, however many turns it takes; nothing if there is none.

    Args:
        most: What the whole way may cost.
    """
    return next((way for there, way in ways(most) if far(there, goal) <= near), ())
