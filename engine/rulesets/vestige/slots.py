"""Slots of the turn order: whose turn it is, what a turn begins with, setting one aside and putting it back."""

from __future__ import annotations

from affray.engine.core.changes import condition_ended, condition_set, marked, pool_set
from affray.engine.core.effects import Rule
from affray.engine.kit.turn_order import has_had_turn
from affray.events import Id, MemberDone, OrderSet, Slot, TurnBegan

from .config import Table
from .sheet import active, stat


def slot_of(table: Table, id: Id) -> Slot:
    """Return a slot of the turn order by its id."""
    return next(slot for slot in table.draft.slots if slot.id == id)


def slot_with(table: Table, who: Id) -> Slot:
    """Return the slot of the turn order in which somebody acts."""
    return next(slot for slot in table.draft.slots if who in slot.members)


def first_to_act(table: Table) -> Id:
    """Return somebody of the slot that is up who has acted or ended the turn; nothing while nobody has.

    To a viewer from whom that slot is hidden nobody has.
    """
    round_ = table.draft.round
    members = (who for slot in table.draft.slots if slot.id == table.draft.up for who in slot.members)
    return next((who for who in members if round_ in (table.mark(who, "acted"), table.mark(who, "done"))), "")


def start_of_turn(table: Table, who: Id) -> Rule[None]:
    """Regain ep, lose an unplayed token, and have two standard actions again (VES-015, VES-041, VES-009)."""
    config = table.config
    regain = table[who].stats.get("ep_regain", config.ep_regain)
    most = stat(table, who, "ep")
    ep = table.pool(who, "ep")
    if regain and ep < most:
        yield pool_set(table, who, "ep", min(most, ep + regain), "VES-015", "VES-T13")
    if config.readied_lapse == "next_turn_start" and table[who].has("readied"):
        yield from condition_ended(table, who, "readied", "VES-041", "VES-T26")
    if table[who].has("delayed"):
        yield from condition_ended(table, who, "delayed", "VES-054")
    if table.pool(who, "actions") != 2:
        yield pool_set(table, who, "actions", 2, "VES-009")


def set_aside(table: Table, slot: Id) -> Rule[None]:
    """Delay a slot: its members have no turn until it is re-inserted, and the fallen none then (VES-052, VES-053)."""
    for who in table.draft.acting:
        if active(table, who):
            yield condition_set(table, who, "delayed", 1, "VES-052")
        else:
            yield marked(who, "done", table.draft.round, "VES-054", until="the next round")
        yield MemberDone(who=who, rules=("VES-052",))


def reinserted(table: Table, slot: Slot, behind: Id) -> Rule[None]:
    """Put a delayed slot behind another one and let it take its turn, with no second start of it (VES-054).

    If the other one has left the fight meanwhile, it goes before the first slot that is still to come.
    """
    order = [one for one in table.draft.slots if one.id != slot.id]
    to_come = (index for index, one in enumerate(order) if not has_had_turn(table, one))
    at = next((index + 1 for index, one in enumerate(order) if one.id == behind), next(to_come, len(order)))
    yield OrderSet(slots=(*order[:at], slot, *order[at:]), rules=("VES-054",))
    members = tuple(who for who in slot.members if table[who].has("delayed"))
    for who in members:
        yield from condition_ended(table, who, "delayed", "VES-054")
    yield TurnBegan(slot=slot.id, members=members, rules=("VES-054",))
    yield from belated(table)


def belated(table: Table) -> Rule[None]:
    """Let those of the slot that is up who could not fight when it came up have the turn with their mates (VES-007)."""
    draft = table.draft
    late = tuple(
        who
        for slot in draft.slots
        if slot.id == draft.up
        for who in slot.members
        if who not in draft.acting and _comes_late(table, who)
    )
    if late:
        yield TurnBegan(slot=draft.up, members=(*draft.acting, *late), rules=("VES-007",))
        for who in late:
            yield from start_of_turn(table, who)


def _comes_late(table: Table, who: Id) -> bool:
    """Tell whether somebody can still have the turn of its slot: active, not done, and not delaying it."""
    return active(table, who) and table.mark(who, "done") != table.draft.round and not table[who].has("delayed")


def put_off(table: Table) -> Rule[None]:
    """Take the turn from those of whom a ruling says that they delay it (VES-052, VES-053)."""
    for who in table.draft.acting:
        if table[who].has("delayed"):
            yield MemberDone(who=who, rules=("VES-052",))
