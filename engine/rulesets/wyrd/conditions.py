"""Conditions that end, whatever they come from."""

from __future__ import annotations

from affray.engine.facts import condition_set
from affray.engine.rule import Rule
from affray.engine.table import Table
from affray.events import Clause, Id


def cleared(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Take a condition away for good, from every source it has."""
    for source in tuple(table[who].conditions.get(condition, ())):
        yield condition_set(table, who, condition, 0, *rules, source=source)
