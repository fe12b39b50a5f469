"""Riding and groups agree with what rulings make of rider, mount and foe (WWN-001, WWN-003, WWN-053, WWN-064)."""

from __future__ import annotations

from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.relations import parted

from .harm import FATES, thrown, unseated
from .sheet import active, is_mount, is_pc


def tidied(table: Table) -> Rule[None]:
    """Let riding and groups agree with who is what by now."""
    yield from _ridden(table)
    yield from _grouped(table)


def _grouped(table: Table) -> Rule[None]:
    """Let a PC roll alone (WWN-001, WWN-003)."""
    for one in [one for one in table.draft.relations.values() if one.kind == "group"]:
        heroes = tuple(member.who for member in one.members if is_pc(table, member.who))
        if heroes:
            yield parted(one, *heroes, rules=("WWN-001", "WWN-003"))


def _ridden(table: Table) -> Rule[None]:
    """End every riding that has lost its rider or its mount: a mount that is down throws its rider."""
    for one in [one for one in table.draft.relations.values() if one.kind == "riding"]:
        if len(one.members) < 2:
            yield parted(one, rules=("WWN-053",))
            continue
        rider, mount = one.members[0].who, one.members[1].who
        if active(table, mount) and is_mount(table, mount) and not is_mount(table, rider):
            continue
        if table[mount].conditions.keys().isdisjoint(FATES):
            yield from unseated(table, rider, "WWN-053")
        else:
            yield from thrown(table, mount)
