"""What becomes of somebody between two fights: what a night ends (VER-T30), and what a session brings (VER-T29)."""

from collections.abc import Iterator

from affray.engine.core.between import Between
from affray.engine.core.changes import condition_set, pool_set
from affray.engine.core.table import Table
from affray.engine.rulesets.verdigris.tables import talents
from affray.events import Event, Id

OVERNIGHT = ("scattered", "weakened", "shaken", "disheartened")
"""What a night's rest takes away, unless an injury holds it."""


def night(table: Table, who: Id) -> Iterator[Event]:
    """Let a night's rest end what it ends; what an injury holds takes as long as that."""
    for condition in OVERNIGHT:
        borne = table[who].conditions
        for source in tuple(borne.get(condition, ())):
            if source not in borne.get("injured", ()):
                yield condition_set(table, who, condition, 0, "VER-T30", source=source)


def session(table: Table, who: Id) -> Iterator[Event]:
    """Let talents be used again that may be used so often in a session."""
    for name, talent in talents().items():
        level = table[who].stats.get(name, 0)
        if talent.uses == "session" and level > table[who].pools.get(name, level):
            yield pool_set(table, who, name, level, "VER-T29")


BETWEEN = Between(
    rests={"night": night, "session": session},
    stowed="pack",
    inborn=frozenset({"unarmed"}),
    conditions=frozenset({"stable"}),
    clocks=True,
)
