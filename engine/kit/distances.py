"""What is stated of two combatants: how far apart they are without a map, and how one sees the other."""

from collections.abc import Collection, Iterable, Iterator

from affray.engine.core.table import Table
from affray.events import Clause, DistanceSet, Id, ViewSet


def pair(one: Id, other: Id) -> tuple[Id, Id]:
    """Return two ids in the order in which distances name them."""
    return (one, other) if one < other else (other, one)


def stated_distance(table: Table, one: Id, other: Id) -> int | None:
    """Return how far apart two were stated to be; nothing where nobody did."""
    return table.draft.distances.get(f"{one}|{other}" if one < other else f"{other}|{one}")


def distance_set(table: Table, one: Id, other: Id, after: int, *rules: Clause) -> DistanceSet:
    """State how far apart two are."""
    return DistanceSet(pair=pair(one, other), before=stated_distance(table, one, other), after=after, rules=rules)


def stated_view(table: Table, viewer: Id, target: Id) -> str:
    """Return how one was stated to see another, which goes before any map; nothing where nobody did."""
    views = table.draft.views
    return views.get(f"{viewer}>{target}", "") if views else ""


def view_set(table: Table, viewer: Id, target: Id, after: str, *rules: Clause) -> ViewSet:
    """State how one sees another, which is clearly unless something else was stated."""
    before = stated_view(table, viewer, target) or "clear"
    return ViewSet(viewer=viewer, target=target, before=before, after=after, rules=rules)


def approach(table: Table, who: Id, new: Collection[Id], near: int) -> Iterator[tuple[Id, int]]:
    """Yield how far a newcomer is from everybody of whom nothing is stated yet: it comes from where its side is.

    So it is as far as the farthest of its side, or, as the first of its side, as far as the farthest enemies are.

    Args:
        new: Everybody who comes in with it.
        near: How far apart those of one side are.
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
        far = _farthest(table, comrades, [other]) if comrades else None
        apart = _farthest(table, people, people) if far is None else far
        if apart is not None:
            yield other, apart


def _farthest(table: Table, ones: Iterable[Id], others: Iterable[Id]) -> int | None:
    """Return how far apart the farthest enemies of these were stated to be; nothing if none were."""
    pairs = ((one, other) for one in ones for other in others if table[one].side != table[other].side)
    stated = (stated_distance(table, *both) for both in pairs)
    return max((apart for apart in stated if apart is not None), default=None)
