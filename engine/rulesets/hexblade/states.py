"""States and where they come from: each source ends by itself, and none ends another's (HEX-002, HEX-G01, HEX-G04)."""

from __future__ import annotations

from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id

SECONDS = "seconds"
"""The clock that counts the fight's seconds (HEX-002)."""

ROUND = 6
"""How many seconds a round lasts (HEX-002)."""

TIMER = "timer "
"""Begins the source of a state that ends by the clock; the second at which it does follows."""


def lasting(table: Table, who: Id, condition: str) -> tuple[Id, ...]:
    """Return the sources of a state that no clock ends."""
    return tuple(source for source in table[who].conditions.get(condition, ()) if not source.startswith(TIMER))


def borne(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Let somebody bear a state until something ends it, also if they bear it for a time already."""
    if not lasting(table, who, condition):
        yield condition_set(table, who, condition, 1, *rules)


def timed(table: Table, who: Id, condition: str, seconds: int, *rules: Clause) -> Rule[None]:
    """Let somebody bear a state for so many seconds, whatever else makes them bear it (HEX-002)."""
    source = f"{TIMER}{table.draft.clocks.get(SECONDS, 0) + seconds}"
    if source not in table[who].conditions.get(condition, ()):
        yield condition_set(table, who, condition, 1, *rules, "HEX-002", source=source)


def lifted(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """End a state, whatever it comes from."""
    for source in tuple(table[who].conditions.get(condition, ())):
        yield condition_set(table, who, condition, 0, *rules, source=source)


def due(table: Table) -> tuple[tuple[Id, str, Id], ...]:
    """Return every state whose time has come, by its bearer and its source (HEX-002)."""
    now = table.draft.clocks[SECONDS]
    return tuple(
        (who, condition, source)
        for who, one in table.draft.combatants.items()
        for condition, sources in one.conditions.items()
        for source in sources
        if source.startswith(TIMER) and int(source.removeprefix(TIMER)) <= now
    )
