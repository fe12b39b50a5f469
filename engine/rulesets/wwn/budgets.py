"""What a round brings anew, and what was denied (WWN-054, WWN-069, WWN-G01)."""

from __future__ import annotations

from affray.engine.facts import condition_set, pool_moved, pool_set
from affray.engine.rule import Rule
from affray.engine.table import Table
from affray.events import Id

from .sheet import active

NEXT = "next"
"""The source of a denial that takes effect next round."""


def refreshed(table: Table, who: Id, *, mount: bool = False) -> Rule[None]:
    """Give somebody Main and Move again, and a shield its protection, as far as nothing is denied (WWN-G01)."""
    if _is_fresh(table, who) or not active(table, who):
        return
    rules = ("WWN-G01", "WWN-054") if mount else ("WWN-G01",)
    for pool in ("main", "move"):
        if table[who].conditions and (yield from _denied(table, who, pool)):
            if table.pool(who, pool):
                yield pool_set(table, who, pool, 0, "WWN-069")
        elif table.pool(who, pool) != 1:
            yield pool_set(table, who, pool, 1, *rules)
    for pool in ("shock_ignored", "feet"):
        if table.pool(who, pool):
            yield pool_set(table, who, pool, 0, *rules)


def _is_fresh(table: Table, who: Id) -> bool:
    """Tell whether somebody has everything a round brings, and no condition could deny it."""
    one = table[who]
    has = one.pools.get
    return not (one.conditions or has("shock_ignored") or has("feet")) and has("main") == has("move") == 1


def _denied(table: Table, who: Id, pool: str) -> Rule[bool]:
    """End a denial of the last round, let one for this round take effect, and tell whether there is one (WWN-069)."""
    condition = f"denied_{pool}"
    if not table[who].has(condition):
        return False
    if "" in table[who].conditions[condition]:
        yield condition_set(table, who, condition, 0, "WWN-069")
    waiting = table[who].conditions.get(condition, {}).get(NEXT, 0)
    if not waiting:
        return False
    yield condition_set(table, who, condition, waiting - 1, "WWN-069", source=NEXT)
    yield condition_set(table, who, condition, 1, "WWN-069")
    return True


def denied(table: Table, who: Id, pool: str, *rules: str) -> Rule[None]:
    """Take somebody's next Main or Move Action: this round's if it is unspent, otherwise next round's (WWN-069)."""
    condition = f"denied_{pool}"
    if table.pool(who, pool):
        yield pool_moved(table, who, pool, -1, *rules)
        yield condition_set(table, who, condition, 1, *rules)
    else:
        waiting = table[who].conditions.get(condition, {}).get(NEXT, 0)
        yield condition_set(table, who, condition, waiting + 1, *rules, source=NEXT)
