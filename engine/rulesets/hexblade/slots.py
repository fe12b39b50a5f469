"""The order of the round: who rolls, who has acted, who is next (HEX-001 to HEX-008)."""

from __future__ import annotations

from affray.engine.core.table import Table
from affray.engine.kit.turn_order import first_to_come, has_had_turn
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


def acted(table: Table, who: Id) -> bool:
    """Tell whether somebody has had a turn in this round."""
    return any(has_had_turn(table, slot) for slot in table.draft.slots if who in slot.members)


def next_slot(table: Table) -> Slot | None:
    """Return the next slot whose member is able and has not acted; the others are passed over (HEX-001)."""
    draft = table.draft
    for at in range(first_to_come(table, draft.slots), len(draft.slots)):
        slot = draft.slots[at]
        if not has_had_turn(table, slot) and any(able(table, who) and not sits_out(table, who) for who in slot.members):
            return slot
    return None
