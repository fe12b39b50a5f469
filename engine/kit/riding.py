"""Rider and mount, who go together by every ruling that moves one of them."""

from collections.abc import Iterator
from typing import NamedTuple

from affray.engine.core.marks import Mark
from affray.engine.core.table import Table
from affray.events import Clause, Id, MarkSet

from .relations import bond


class Saddle(NamedTuple):
    """The relation of rider and mount in a system.

    Attributes:
        kind: The kind of the relation; the rider is its first member, the mount its second.
        roles: What its two members are called.
        rule: The clause by which they go together.
    """

    kind: str
    roles: tuple[str, str]
    rule: Clause


LEFT_WITH = Mark("left_with", "", until="it comes back")
"""Of a rider who left the fight: the mount that left with it."""


def list_pair(table: Table, saddle: Saddle | None, who: Id) -> tuple[Id, ...]:
    """Return rider and mount, if a combatant is one of them; otherwise that combatant alone.

    Of a pair of which one is concealed each is alone, as no viewer knows of the bond.
    """
    relation = bond(table, saddle.kind, who) if saddle is not None else None
    pair = tuple(one.who for one in relation.members) if relation is not None else ()
    return pair if len(pair) == 2 and len(table.list_known(pair)) != 1 else (who,)


def part_absent(table: Table, saddle: Saddle | None, mount: Id) -> Iterator[MarkSet]:
    """Strike that a rider left with a mount, as the mount or another of its name comes into the fight without it."""
    for rider in tuple(table.draft.departed):
        if saddle is not None and LEFT_WITH.of(table, rider) == mount:
            yield LEFT_WITH.struck(rider, saddle.rule)
