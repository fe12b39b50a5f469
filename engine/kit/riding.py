"""Riders and mounts, which move and leave together by ruling."""

from collections.abc import Iterator

from affray.engine.core.groups.board import Saddle
from affray.engine.core.loading import load
from affray.engine.core.marks import Mark
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, DistanceSet, Id, MarkSet

from .distances import order_pair, set_distance, stated_distance
from .relations import list_relations

LEFT_WITH = Mark("left_with", "", until="it comes back", names="combatant")
"""On a rider who left the fight: the mount that left with it."""


def find_saddle(table: Table) -> Saddle | None:
    """Return the relation of rider and mount in the fight's system, if it has mounts."""
    return load(table.draft.system).board.moves_with


def pair_saddles(table: Table) -> tuple[dict[Id, Id], dict[Id, Id]]:
    """Return the mounts by their riders, and the riders by their mounts. Ask it through ``table.derive``."""
    saddle = find_saddle(table)
    relations = list_relations(table, saddle.kind).values() if saddle is not None else ()
    pairs = [(one.members[0].who, one.members[1].who) for one in relations if len(one.members) == 2]
    return dict(pairs), {mount: rider for rider, mount in pairs}


def mount_of(table: Table, rider: Id) -> Id:
    """Return a rider's mount; empty for a combatant on foot, or a mount."""
    return table.derive(pair_saddles)[0].get(rider, "") if table.draft.relations else ""


def rider_of(table: Table, mount: Id) -> Id:
    """Return a mount's rider; empty if it has none."""
    return table.derive(pair_saddles)[1].get(mount, "") if table.draft.relations else ""


def list_unit(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the combatants who move together: rider, then mount, or one alone."""
    if not table.draft.relations:
        return (who,)
    return tuple([one for one in (rider_of(table, who), who, mount_of(table, who)) if one])


def list_known_unit(table: Table, who: Id) -> tuple[Id, ...]:
    """Return rider and mount, or a combatant alone.

    If only one of the two is concealed, each counts as alone, because viewers do not know of the relation.
    """
    unit = list_unit(table, who)
    return (who,) if len(table.list_known(unit)) == 1 else unit


def cite_saddle(table: Table) -> tuple[Clause, ...]:
    """Return the clause by which rider and mount go together."""
    saddle = find_saddle(table)
    return (saddle.rule,) if saddle is not None else ()


def refuse_parting(table: Table, reason: str, source: Id, *, example: str = "") -> Refused:
    """Return the refusal of a ruling that would part rider and mount."""
    return Refused("is_ridden", next(iter(cite_saddle(table)), ""), reason, source, example=example)


def must_not_be_together(table: Table, one: Id, other: Id) -> None:
    """Refuse a ruling between rider and mount, which share a place."""
    if other in list_unit(table, one):
        raise refuse_parting(table, f"{table.name_of(one)} and {table.name_of(other)} are together", other)


def state_distance(table: Table, one: Id, other: Id, far: int, *rules: Clause) -> Iterator[DistanceSet]:
    """State the distance of two combatants, with their riders and mounts."""
    for both in list_pairs(table, one, other):
        if stated_distance(table, *both) != far:
            yield set_distance(
                table, *both, far, *(rules if both == order_pair(one, other) else rules or cite_saddle(table))
            )


def list_pairs(table: Table, one: Id, other: Id) -> tuple[tuple[Id, Id], ...]:
    """Return all pairs that share the distance of two combatants, by their saddles."""
    ones, others = list_unit(table, one), list_unit(table, other)
    return () if other in ones else tuple(dict.fromkeys(order_pair(a, b) for a in ones for b in others))


def forget_departed_mount(table: Table, mount: Id) -> Iterator[MarkSet]:
    """Forget that a rider left with a mount, as the mount returns without the rider.

    The same holds if another combatant joins under the mount's name.
    """
    saddle = find_saddle(table)
    for rider in tuple(table.draft.departed):
        if saddle is not None and LEFT_WITH.of(table, rider) == mount:
            yield LEFT_WITH.clear_on(rider, saddle.rule)
