"""The order of the round: who rolls, who has acted, who is next (HEX-001 to HEX-008)."""

from __future__ import annotations

from affray.engine.core.table import Table
from affray.events import Id, Slot

from .sheet import able, is_pc


def sits_out(table: Table, who: Id) -> bool:
    """Tell whether somebody fell in this round, and so acts again from the next initiative on only (HEX-G03)."""
    marks = table.draft.marks.get(who)
    return marks is not None and marks.get("fell") == table.draft.round


def to_roll(table: Table) -> tuple[Id, ...]:
    """Return the player characters who have not rolled initiative in this round, in seat order (HEX-004)."""
    return tuple(
        who
        for who in table.draft.combatants
        if is_pc(table, who) and able(table, who) and table.mark(who, "initiative") is None
    )


def had_turn(table: Table, slot: Slot) -> bool:
    """Tell whether a slot has had its turn in this round."""
    return f"{slot.id}/turn" in table.draft.counts


def acted(table: Table, who: Id) -> bool:
    """Tell whether somebody has had a turn in this round."""
    return any(had_turn(table, slot) for slot in table.draft.slots if who in slot.members)


def next_slot(table: Table) -> Slot | None:
    """Return the next slot whose member is able and has not acted; the others are passed over (HEX-001)."""
    draft = table.draft
    for at in range(_first_to_come(table), len(draft.slots)):
        slot = draft.slots[at]
        if not had_turn(table, slot) and any(able(table, who) and not sits_out(table, who) for who in slot.members):
            return slot
    return None


def _first_to_come(table: Table) -> int:
    """Return the place in the order before which everybody has had a turn; it only moves on, so it is remembered."""
    draft = table.draft
    slots, round_, at = table.memory.get("to_come", ((), 0, 0))
    at = int(at) if slots is draft.slots and round_ == draft.round else 0
    while at < len(draft.slots) and had_turn(table, draft.slots[at]):
        at += 1
    table.memory["to_come"] = (draft.slots, draft.round, at)
    return at
