"""Recovery between fights: flight and surrender end with their fight (WWN-G02)."""

from collections.abc import Iterator

from affray.engine.core.changes import end_condition
from affray.engine.core.recovery import RecoveryRules
from affray.engine.core.table import Table
from affray.events import Event, Id


def end_flight(table: Table, who: Id) -> Iterator[Event]:
    """End flight and surrender; wounds stay, mortal ones too."""
    for condition in ("fled", "surrendered"):
        yield from end_condition(table, who, condition, "WWN-G02")


RECOVERY = RecoveryRules(
    happens=end_flight,
    stowed="stowed",
    inborn=frozenset({"focus", "spell", "unarmed", "natural"}),
    marks=frozenset({"at_zero"}),
)
