"""Recovery between two fights. The rules say only that a combatant who forfeits lives (VES-056)."""

from collections.abc import Iterator

from affray.engine.core.changes import end_condition
from affray.engine.core.recovery import RecoveryRules
from affray.engine.core.table import Table
from affray.events import Event, Id


def happens(table: Table, who: Id) -> Iterator[Event]:
    """End the condition ``forfeited``, so that the combatant can join the next fight."""
    yield from end_condition(table, who, "forfeited", "VES-056")


RECOVERY = RecoveryRules(happens=happens, inborn=frozenset({"skill", "unarmed"}))
