"""What follows from a ruling on somebody."""

from __future__ import annotations

from affray.engine.facts import item_moved
from affray.engine.rule import Rule
from affray.engine.table import Table
from affray.events import Id

from .gear import HANDS, held
from .sheet import active
from .stunt import knocked_away
from .wounds import dropped_out


def recover(table: Table, who: Id) -> Rule[None]:
    """Put in order what a ruling changed: who is down has no turn and no melee; a weapon knocked away comes back.

    It comes into the hand, unless another one has been taken up meanwhile.
    """
    if not active(table, who):
        yield from dropped_out(table, who)
    if table[who].has("disarmed"):
        yield from knocked_away(table, who)
        return
    dropped = [item for item in table.items_of(who) if item.where == "dropped"]
    pair = all(item.stats.get("hands") == 1 for item in dropped)
    room = () if held(table, who) else HANDS if pair else HANDS[:1]
    for nth, item in enumerate(dropped):
        yield item_moved(table, item.id, room[nth] if nth < len(room) else "", "WYR-046")
