"""Gaining and losing conditions (table 5.4, VER-S30)."""

from __future__ import annotations

from affray.engine.core.changes import condition_set, item_moved, marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id

from .fall import lets_go, no_longer_ready
from .gear import free_hands, hands_for, held
from .refusing import if_there
from .saves import ailing, passes
from .sheet import count
from .tables import conditions as condition_table

CLOCKED = frozenset({"blinded", "deafened"})
"""Conditions of which one goes at every second turn or round, counted from the gain."""

LASTING = frozenset(
    {"crawling", "hand_out", "arm_out", "leg_out", "weakened", "shaken", "disheartened", "scattered", "exhausted"}
)
"""Conditions that an injury holds until it heals."""


def afflict(table: Table, who: Id, condition: str, more: int, *rules: Clause, source: Id = "") -> Rule[None]:
    """Give somebody a condition, and let happen what gaining it brings (VER-S30).

    Stunned calls for a Withstand save with as many SL as the count, or one falls; an unconscious hand holds nothing.
    """
    row = condition_table().get(condition)
    before = table[who].conditions.get(condition, {}).get(source, 0)
    if row is not None and not row.stacks and before:
        return
    first = not table[who].has(condition)
    after = before + more if row is None or row.stacks else 1
    yield condition_set(table, who, condition, after, *rules, "VER-S30", "VER-T30", source=source)
    if condition in CLOCKED and first:
        yield marked(who, f"{condition}/since", 0, "VER-S30", until="it is gone")
    elif condition == "stunned":
        yield from _reel(table, who)
    elif condition == "unconscious":
        yield from drop_all(table, who, "VER-S30")
        yield from lets_go(table, who, "VER-S30")
        yield from no_longer_ready(table, who)
    elif condition == "paralysed":
        yield from no_longer_ready(table, who)
    elif condition in ("hand_out", "arm_out"):
        yield from drop_what_is_too_much(table, who)


def _reel(table: Table, who: Id) -> Rule[None]:
    """Stay on one's feet, or fall prone (table 5.4)."""
    needs = count(table, who, "stunned")
    save = passes(
        table,
        who,
        "withstand",
        needs,
        "VER-S30",
        "VER-T47",
        purpose=f"stunned:{who}",
        ground=ailing(table, who, "stunned"),
    )
    if (yield from if_there(save)) is False and not table[who].has("prone"):
        yield condition_set(table, who, "prone", 1, "VER-S30")


def lessen(table: Table, who: Id, condition: str, by: int, *rules: Clause) -> Rule[None]:
    """Take away so many of a condition, all of one that does not stack, and leave what its end leaves (table 5.4)."""
    row = condition_table().get(condition)
    if row is not None and not row.stacks:
        by = count(table, who, condition)
    for source, held_now in list(table[who].conditions.get(condition, {}).items()):
        gone = min(held_now, by)
        if gone <= 0:
            break
        yield condition_set(table, who, condition, held_now - gone, *rules, "VER-S30", source=source)
        by -= gone
    if not table[who].has(condition):
        yield from ended(table, who, condition)


def ended(table: Table, who: Id, condition: str) -> Rule[None]:
    """Let happen what follows on the last of a condition: most leave their bearer exhausted (table 5.4)."""
    if condition in CLOCKED and table.mark(who, f"{condition}/since") is not None:
        yield marked(who, f"{condition}/since", None, "VER-S30")
    row = condition_table().get(condition)
    if row is None or not row.leaves:
        return
    if condition == "bleeding" and (
        yield from passes(table, who, "withstand", 1, "VER-S30", purpose=f"blood lost:{who}")
    ):
        return
    if condition == "stunned" and table[who].has(row.leaves):
        return
    left = table[who].conditions.get(row.leaves, {}).get("", 0)
    yield condition_set(table, who, row.leaves, left + 1, "VER-S30")


def drop(table: Table, item: Id, *rules: Clause) -> Rule[None]:
    """Let a thing fall to the ground where its owner stands."""
    owner = table.item(item).owner
    yield item_moved(table, item, table[owner].place or "ground", *rules, owner="")


def drop_all(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Let fall whatever is held in hand; what is strapped on stays."""
    for item in held(table, who):
        if hands_for(item):
            yield from drop(table, item.id, *rules)


def drop_what_is_too_much(table: Table, who: Id) -> Rule[None]:
    """Let fall what the hands that are left cannot hold, shields first (table 5.4)."""
    while free_hands(table, who) < 0:
        in_the_way = [one for one in held(table, who) if hands_for(one)]
        last = max(in_the_way, key=lambda one: (one.kind == "shield", hands_for(one), one.id))
        yield from drop(table, last.id, "VER-T34", "VER-S30")
