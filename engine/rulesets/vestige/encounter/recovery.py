"""Recovery between two fights. The rules say only that a combatant who forfeits lives (VES-056)."""

from collections.abc import Iterator

from affray.engine.core.between import Between
from affray.engine.core.changes import condition_ended
from affray.engine.core.table import Table
from affray.events import Event, Id


def happens(table: Table, who: Id) -> Iterator[Event]:
    """End the condition ``forfeited``, so that the combatant can join the next fight."""
    yield from condition_ended(table, who, "forfeited", "VES-056")


RECOVERY = Between(happens=happens, inborn=frozenset({"skill", "unarmed"}))
