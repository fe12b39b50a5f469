"""What becomes of somebody between two fights: the rules say nothing of it, but that who forfeits lives (VES-056)."""

from collections.abc import Iterator

from affray.engine.core.between import Between
from affray.engine.core.changes import condition_ended
from affray.engine.core.table import Table
from affray.events import Event, Id


def happens(table: Table, who: Id) -> Iterator[Event]:
    """Let whoever forfeited the fight be there for the next one."""
    yield from condition_ended(table, who, "forfeited", "VES-056")


BETWEEN = Between(happens=happens, inborn=frozenset({"skill", "unarmed"}))
