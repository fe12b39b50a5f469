"""What is stated of two combatants: how far apart they are without a map, and how one sees the other."""

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
