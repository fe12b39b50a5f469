"""What a round brings anew, and what was denied (WWN-054, WWN-069, WWN-G01)."""

from __future__ import annotations

from affray.engine.core.changes import condition_set, marked, pool_moved, pool_set
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Id

from .sheet import is_mount

NEXT = "next"
"""The source of a denial that takes effect with the next pair of actions."""

TURN = "turn"
"""Where it is noted of a mount in which round it last had a turn, and in whose."""


def refreshed(table: Table, who: Id, *, mount: bool = False) -> Rule[None]:
    """Give somebody Main and Move again, and a shield its protection, as far as nothing is denied (WWN-G01).

    Also to whoever is out of the fight, and might come back before the round is over.
    """
    if _is_fresh(table, who):
        return
    rules = ("WWN-G01", "WWN-054", "WWN-T49") if mount else ("WWN-G01", "WWN-T49")
    for pool in ("main", "move"):
        if f"denied_{pool}" in table[who].conditions and (yield from _denied(table, who, pool)):
            if table.pool(who, pool):
                yield pool_set(table, who, pool, 0, "WWN-069")
        elif table.pool(who, pool) != 1:
            yield pool_set(table, who, pool, 1, *rules)
    for pool in ("shock_ignored", "feet"):
        if table.pool(who, pool):
            yield pool_set(table, who, pool, 0, *rules)


def led(table: Table, mount: Id, by: Id) -> Rule[None]:
    """Give a mount its own pair of actions, once a round: in its rider's turn, or in its own (WWN-054)."""
    if not _had_turn(table, mount):
        yield marked(mount, TURN, f"{table.draft.round}/{by}", "WWN-054", until="the next round")
        yield from refreshed(table, mount, mount=True)


def _had_turn(table: Table, mount: Id) -> bool:
    """Tell whether a mount's turn of this round has begun."""
    return str(table.mark(mount, TURN)).partition("/")[0] == str(table.draft.round)


def turn_over(table: Table, who: Id) -> Rule[None]:
    """End somebody's turn for the beasts it led: they forget who attacked them before (WWN-059)."""
    here = f"{table.draft.round}/{who}"
    beasts = [owner for owner, marks in table.draft.marks.items() if marks.get(TURN) == here]
    for beast in beasts:
        for key in [one for one in table.draft.marks[beast] if one.startswith("attacked/")]:
            yield marked(beast, key, None, "WWN-059")


def _is_fresh(table: Table, who: Id) -> bool:
    """Tell whether somebody has everything a round brings, and no condition could deny it."""
    one = table[who]
    has = one.pools.get
    return not (one.conditions or has("shock_ignored") or has("feet")) and has("main") == has("move") == 1


def _denied(table: Table, who: Id, pool: str) -> Rule[bool]:
    """End a denial of the last round, let one for this round take effect, and tell whether there is one (WWN-069)."""
    condition = f"denied_{pool}"
    if "" in table[who].conditions[condition]:
        yield condition_set(table, who, condition, 0, "WWN-069")
    waiting = table[who].conditions.get(condition, {}).get(NEXT, 0)
    if not waiting:
        return False
    yield condition_set(table, who, condition, waiting - 1, "WWN-069", source=NEXT)
    yield condition_set(table, who, condition, 1, "WWN-069")
    return True


def denied(table: Table, who: Id, pool: str, *rules: str) -> Rule[None]:
    """Take somebody's next Main or Move Action: this round's if it is unspent, otherwise next round's (WWN-069).

    A mount has this round's only from its rider's turn on (WWN-054).
    """
    condition = f"denied_{pool}"
    if table.pool(who, pool) and not (is_mount(table, who) and not _had_turn(table, who)):
        yield pool_moved(table, who, pool, -1, *rules)
        yield condition_set(table, who, condition, 1, *rules)
    else:
        waiting = table[who].conditions.get(condition, {}).get(NEXT, 0)
        yield condition_set(table, who, condition, waiting + 1, *rules, source=NEXT)
