"""Fatigue: a slot filled for each, and damage for what finds no slot (Terms, Fatigue; WYR-033)."""

from __future__ import annotations

from affray.engine.core.changes import pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id

from .damage import Hit, dealt
from .sheet import free_slots


def tired(table: Table, who: Id, by: int, *rules: Clause) -> Rule[None]:
    """Add fatigue; what finds no free slot is damage that ignores armor (WYR-061).

    Somebody without slots has no bounds.
    """
    free = free_slots(table, who)
    fits = by if free is None else min(by, free)
    if fits:
        yield pool_moved(table, who, "fatigue", fits, *rules, "WYR-T19")
    if by > fits:
        hit = Hit(who=who, amount=by - fits, label="fatigue without a slot", source=f"{who}.slots", ignores_armor=True)
        yield from dealt(table, hit, "WYR-061", *rules, "WYR-T19")
