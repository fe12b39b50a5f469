"""Groups: who is identical, and rolls and acts together (VES-005 to VES-007)."""

from __future__ import annotations

from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant, Relation
from affray.engine.kit.relations import parted

from .config import Table


def groups(table: Table) -> list[Relation]:
    """Return the groups."""
    return [one for one in table.draft.relations.values() if one.kind == "group"]


def alike(table: Table, one: Combatant) -> tuple[object, ...]:
    """Return what must be equal for combatants to be identical: side, numbers, weapons and skills (VES-005)."""
    gear = tuple(
        (item.id.removeprefix(f"{one.id}."), item.kind, tuple(item.stats.items()), item.traits)
        for item in table.items_of(one.id)
    )
    return (one.side, tuple(one.stats.items()), one.traits, gear)


def regrouped(table: Table) -> Rule[None]:
    """Let who is no longer identical to the first of a group leave it, before it rolls (VES-005)."""
    for group in groups(table):
        first = alike(table, table[group.members[0].who])
        others = tuple(one.who for one in group.members if alike(table, table[one.who]) != first)
        if others:
            yield parted(group, *others, rules=("VES-005",))
