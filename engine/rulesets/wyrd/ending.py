"""When the fight is over, and for whom (WYR-G05)."""

from __future__ import annotations

from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.sides import ended

from .sheet import standing


def is_over(table: Table) -> bool:
    """Tell whether at most one side still has an active combatant (WYR-G05)."""
    return len(table.derived(standing)) < 2


def winners(table: Table) -> str:
    """Return the one side that still has an active combatant; nothing if there is none."""
    sides = table.derived(standing)
    return next(iter(sides)) if len(sides) == 1 else ""


def end(table: Table, victors: str, why: str) -> Rule[None]:
    """Drop what is pending and name the victors (WYR-G05)."""
    yield from ended(table, victors, why, "WYR-G05")
