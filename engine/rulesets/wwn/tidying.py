"""Riding and groups agree with what rulings make of those in them (WWN-003, WWN-053, WWN-064)."""

from __future__ import annotations

from affray.engine.relations import parted
from affray.engine.rule import Rule
from affray.engine.table import Table

from .harm import FATES, thrown, unseated
from .sheet import active, is_mount, is_pc


def tidied(table: Table) -> Rule[None]:
    """Look at all ridings and groups."""
    if table.draft.relations:
        yield from _in_the_saddle(table)
        yield from _grouped(table)


def _grouped(table: Table) -> Rule[None]:
    """Let whoever is no foe of the group's side leave it, before initiative is rolled again (WWN-001, WWN-003)."""
    for group in [one for one in table.draft.relations.values() if one.kind == "group"]:
        side = table[group.members[0].who].side
        astray = [
            one.who
            for one in group.members
            if table[one.who].side != side or is_pc(table, one.who) or is_mount(table, one.who)
        ]
        if astray:
            yield parted(group, *astray, rules=("WWN-003",))


def _in_the_saddle(table: Table) -> Rule[None]:
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
