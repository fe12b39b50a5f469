"""Recovery between two fights (WYR-068, WYR-G05), and in downtime (WYR-T19)."""

from collections.abc import Iterator

from affray.engine.core.changes import end_condition, set_pool
from affray.engine.core.recovery import RecoveryRules
from affray.engine.core.table import Table
from affray.events import Event, Id


def happens(table: Table, who: Id) -> Iterator[Event]:
    """Let fallen combatants come round, and those who left the fight return.

    Worn dice, severe wounds and fatigue stay: they take weeks, materials, or a night (WYR-044, WYR-070, WYR-T19).
    """
    if not table[who].has("dead"):
        yield from end_condition(table, who, "incapacitated", "WYR-068")
    for condition in ("fled", "yielded"):
        yield from end_condition(table, who, condition, "WYR-G05")


def downtime(table: Table, who: Id) -> Iterator[Event]:
    """Take all fatigue away."""
    if table.pool(who, "fatigue"):
        yield set_pool(table, who, "fatigue", 0, "WYR-T19")


RECOVERY = RecoveryRules(
    happens=happens, rests={"downtime": downtime}, inborn=frozenset({"ability", "spell", "unarmed"})
)
