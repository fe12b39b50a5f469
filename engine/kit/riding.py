"""Riders and mounts, which move and leave together by ruling."""

from collections.abc import Iterator
from typing import NamedTuple

from affray.engine.core.marks import Mark
from affray.engine.core.table import Table
from affray.events import Clause, Id, MarkSet

from .relations import find_relation


class Saddle(NamedTuple):
    """The relation of rider and mount in a system.

    Attributes:
        kind: The kind of the relation. The rider is its first member, the mount its second.
        roles: The roles of its two members.
        rule: The clause by which they go together.
    """

    kind: str
    roles: tuple[str, str]
    rule: Clause


LEFT_WITH = Mark("left_with", "", until="it comes back")
"""On a rider who left the fight: the mount that left with it."""


def list_pair(table: Table, saddle: Saddle | None, who: Id) -> tuple[Id, ...]:
    """Return rider and mount if a combatant is one of them; else the combatant alone.

    If only one of the two is concealed, each counts as alone, because viewers do not know of the relation.
    """
    relation = find_relation(table, saddle.kind, who) if saddle is not None else None
    pair = tuple(one.who for one in relation.members) if relation is not None else ()
    return pair if len(pair) == 2 and len(table.list_known(pair)) != 1 else (who,)


def forget_departed_mount(table: Table, saddle: Saddle | None, mount: Id) -> Iterator[MarkSet]:
    """Forget that a rider left with a mount, as the mount returns without the rider.

    The same holds if another combatant joins under the mount's name.
    """
    for rider in tuple(table.draft.departed):
        if saddle is not None and LEFT_WITH.of(table, rider) == mount:
            yield LEFT_WITH.clear_on(rider, saddle.rule)
