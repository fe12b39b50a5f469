"""What follows from a ruling on somebody."""

from __future__ import annotations

from affray.engine.core.changes import item_moved, marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Id

from . import course, melee, morale
from .gear import HANDS, held
from .sheet import active
from .stunt import knocked_away
from .wounds import dropped_out


def tidied(table: Table) -> Rule[None]:
    """Make what follows from who is there, and where, agree with a ruling: melees, whose turn it is, morale."""
    yield from melee.tidied(table)
    yield from course.reordered(table)
    if table.draft.round and not table.draft.ended:
        for side in dict.fromkeys(one.side for one in table.draft.combatants.values()):
            yield from morale.shaken(table, side)


def recover(table: Table, who: Id) -> Rule[None]:
    """Put in order what a ruling changed: who is down has no turn and no melee; a weapon knocked away comes back.

    It comes into the hand, unless another one has been taken up meanwhile.
    """
    if not active(table, who):
        yield from dropped_out(table, who)
    if table[who].has("disarmed"):
        if not table.mark(who, "disarmed"):
            yield from knocked_away(table, who)
        return
    if table.mark(who, "disarmed"):
        yield marked(who, "disarmed", None)
    dropped = [item for item in table.items_of(who) if item.where == "dropped"]
    pair = all(item.stats.get("hands") == 1 for item in dropped)
    room = () if held(table, who) else HANDS if pair else HANDS[:1]
    for nth, item in enumerate(dropped):
        yield item_moved(table, item.id, room[nth] if nth < len(room) else "", "WYR-046")
