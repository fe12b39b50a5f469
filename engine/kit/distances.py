"""Distances and views stated between two combatants, without a map."""

from collections.abc import Collection, Iterable, Iterator

from affray.engine.core.table import Table
from affray.events import Clause, DistanceSet, Id, ViewSet


def order_pair(one: Id, other: Id) -> tuple[Id, Id]:
    """Return two ids in the order that distances use."""
    return (one, other) if one < other else (other, one)


def stated_distance(table: Table, one: Id, other: Id) -> int | None:
    """Return the stated distance between two combatants, or ``None``."""
    first, second = order_pair(one, other)
    return table.draft.distances.get(first, {}).get(second)


def set_distance(table: Table, one: Id, other: Id, after: int, *rules: Clause) -> DistanceSet:
    """Return the event that sets the distance between two combatants."""
    return DistanceSet(pair=order_pair(one, other), before=stated_distance(table, one, other), after=after, rules=rules)


def stated_view(table: Table, viewer: Id, target: Id) -> str:
    """Return how one combatant was stated to see another, or an empty text.

    A stated view takes precedence over the map.
    """
    views = table.draft.views
    return views.get(viewer, {}).get(target, "") if views else ""


def is_hidden_on_board(table: Table, viewer: Id, target: Id) -> bool:
    """Tell whether a ruling hides a combatant from another in every place on the board."""
    return stated_view(table, viewer, target) == "blocked" and bool(table[viewer].place and table[target].place)


def set_view(table: Table, viewer: Id, target: Id, after: str, *rules: Clause) -> ViewSet:
    """Return the event that sets how one combatant sees another.

    The view before is ``clear`` unless another one was stated.
    """
    before = stated_view(table, viewer, target) or "clear"
    return ViewSet(viewer=viewer, target=target, before=before, after=after, rules=rules)


def list_newcomer_distances(table: Table, who: Id, new: Collection[Id], near: int) -> Iterator[tuple[Id, int]]:
    """Yield a newcomer's distance to each combatant that has no stated distance yet.

    A newcomer comes from where its side is, so it is as far away as the farthest of its side.
    The first of a side is as far away as the farthest two enemies are from each other.

    Args:
        new: All combatants that join together with it.
        near: The distance between combatants of one side.
    """
    people = [one for one in table.list_known(table.draft.combatants) if one not in new]
    side = table[who].side
    comrades = [one for one in people if table[one].side == side]
    for other in tuple(table.draft.combatants):
        if other == who or stated_distance(table, who, other) is not None:
            continue
        if table[other].side == side:
            yield other, near
            continue
        far = _find_farthest(table, comrades, [other]) if comrades else None
        apart = _find_farthest(table, people, people) if far is None else far
        if apart is not None:
            yield other, apart


def _find_farthest(table: Table, ones: Iterable[Id], others: Iterable[Id]) -> int | None:
    """Return the greatest stated distance between enemies of two groups, or ``None``."""
    pairs = ((one, other) for one in ones for other in others if table[one].side != table[other].side)
    stated = (stated_distance(table, *both) for both in pairs)
    return max((apart for apart in stated if apart is not None), default=None)
