"""Recovery between fights: a night's rest (VER-T30), a new session (VER-T29)."""

from collections.abc import Iterator

from affray.engine.core.changes import set_condition, set_pool
from affray.engine.core.recovery import RecoveryRules
from affray.engine.core.table import Table
from affray.engine.rulesets.verdigris.tables import talents
from affray.events import Event, Id

OVERNIGHT = ("scattered", "weakened", "shaken", "disheartened")
"""Conditions that a night's rest ends, unless an injury holds them."""


def rest_overnight(table: Table, who: Id) -> Iterator[Event]:
    """End conditions by a night's rest, except those that an injury holds."""
    for condition in OVERNIGHT:
        borne = table[who].conditions
        for source in tuple(borne.get(condition, ())):
            if source not in borne.get("injured", ()):
                yield set_condition(table, who, condition, 0, "VER-T30", source=source)


def restore_session_uses(table: Table, who: Id) -> Iterator[Event]:
    """Restore the uses of talents that are counted per session."""
    for name, talent in talents().items():
        level = table[who].stats.get(name, 0)
        if talent.uses == "session" and level > table[who].pools.get(name, level):
            yield set_pool(table, who, name, level, "VER-T29")


RECOVERY = RecoveryRules(
    rests={"night": rest_overnight, "session": restore_session_uses},
    stowed="pack",
    inborn=frozenset({"unarmed"}),
    conditions=frozenset({"stable"}),
    clocks=True,
)
