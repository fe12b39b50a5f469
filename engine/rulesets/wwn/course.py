"""What runs by itself: slots, rounds, windows, bleeding (WWN-003, WWN-021, WWN-053, WWN-060, WWN-G01, WWN-G02)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from affray.engine.core.changes import condition_set, marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.turn_order import first_to_come, has_had_turn
from affray.events import Clause, Id, TurnBegan, TurnEnded

from .beasts import mount_check as beasts
from .beasts import unchecked
from .budgets import led, turn_over
from .flow import OPEN
from .harm import end, is_over, winners
from .initiative import next_round
from .sheet import active, is_mount, mount_of, rider_of


def upcoming(table: Table) -> Rule[str]:
    """Let the next slot of the round come up that has somebody active (WWN-003, WWN-006, WWN-053)."""
    draft = table.draft
    for slot in islice(draft.slots, first_to_come(table, draft.slots), None):
        if has_had_turn(table, slot):
            continue
        members = tuple(who for who in slot.members if active(table, who) and not carried(table, who))
        if members:
            rules = ("WWN-006", "WWN-003") if len(slot.members) > 1 else ("WWN-006",)
            yield TurnBegan(slot=slot.id, members=members, rules=rules)
            for who in members:
                yield from start_of_turn(table, who)
            return "rides_up" if unchecked(table) else "comes_up"
    return "all_had_one"


def carried(table: Table, who: Id) -> bool:
    """Tell whether somebody is a mount that acts with its rider (WWN-053)."""
    return is_mount(table, who) and bool(rider_of(table, who))


def start_of_turn(table: Table, who: Id) -> Rule[None]:
    """Let a shield guard its bearer again, and give a mount its own actions (WWN-047, WWN-048, WWN-054)."""
    if table[who].has("shield_committed"):
        yield condition_set(table, who, "shield_committed", 0, "WWN-047", "WWN-048")
    mount = who if is_mount(table, who) else mount_of(table, who)
    if mount:
        yield from led(table, mount, who)


def mount_check(table: Table) -> Rule[str]:
    """Check the beasts of those who are up; if nobody of them is left, their turn is over (WWN-060)."""
    yield from beasts(table)
    if _somebody_acts(table):
        return "checked"
    yield from turn_ended(table)
    return "spent"


def turn_ended(table: Table) -> Rule[None]:
    """End the turn under way, also of whoever fell in it (WWN-003)."""
    for who in table.draft.acting:
        yield from turn_over(table, who)
    yield TurnEnded(slot=table.draft.up, rules=("WWN-003",))


def _somebody_acts(table: Table) -> bool:
    """Tell whether anybody whose turn it is is still in the fight."""
    return any(active(table, who) for who in table.draft.acting)


def round_end(table: Table) -> Rule[str]:
    """Let the wounded bleed, then open the next round in the same order (WWN-G01)."""
    for who in tuple(table.draft.combatants):
        if table[who].has("mortally_wounded") and table.mark(who, "fell") != table.draft.round:
            yield pool_moved(table, who, "bleed", 1, "WWN-T51")
            if table.pool(who, "bleed") >= table.config.bleed_rounds:
                yield condition_set(table, who, "mortally_wounded", 0, "WWN-T33")
                yield condition_set(table, who, "dead", 1, "WWN-T33", "WWN-T51")
    if table.draft.round == 0 or table.config.reroll_initiative:
        return "reroll"
    yield from next_round(table)
    return "next_round"


def precedence(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put everything on top: a snap attack resolves before what it interrupts, the last one first (WWN-021)."""
    return len(table.draft.stack), ("WWN-T56",) if manner == "snap" else ()


def aftermath(table: Table) -> Rule[str]:
    """See whether the fight is over, or the slot's turn; otherwise go on (WWN-003, WWN-G02)."""
    draft = table.draft
    if table.config.snap_timing == "simultaneous":
        yield from _forgotten(table)
    if draft.phases[""] in OPEN and is_over(table) and not _both_happen(table):
        yield from end(table, winners(table), "at most one side can still fight")
        return "over"
    if not draft.stack and draft.phases[""] == "turn" and not _somebody_acts(table):
        yield from turn_ended(table)
        return "spent"
    return "resume"


def _both_happen(table: Table) -> bool:
    """Tell whether something is pending that a snap attack met at the same moment, and that still takes place."""
    return any(table.mark(pending.id, "met") is not None for pending in table.draft.stack)


def _forgotten(table: Table) -> Rule[None]:
    """Strike out what was noted of actions that are no longer pending."""
    pending = {one.id for one in table.draft.stack}
    for owner, marks in tuple(table.draft.marks.items()):
        if "met" in marks and owner not in pending:
            yield marked(owner, "met", None, "WWN-T57")


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield who might declare something now, and in which manner."""
    draft = table.draft
    if draft.phase == "setup":
        yield "gm", "standard"
    if draft.phase not in ("turn", "window"):
        return
    if not draft.stack:
        for who in draft.acting:
            yield who, "standard"
            if mount_of(table, who):
                yield mount_of(table, who), "standard"
    asked = draft.window.to if draft.window is not None else ()
    for who in asked:
        yield who, "snap"
    for who in draft.combatants:
        if draft.stack and who not in asked:
            yield who, "snap"
        elif not draft.stack and who not in draft.acting and rider_of(table, who) not in draft.acting:
            yield who, "standard"
