"""The order of turns, as far as several rule systems share it."""

from collections.abc import Iterator, Sequence

from affray.engine.core.table import Memory, Table
from affray.events import Id, Slot

_PASSED = Memory[str, tuple[Sequence[object], int, int]]()
"""Per order its members, the round for which this holds, and how many at its head have had their turn."""


def has_had_turn(table: Table, one: Slot | Id) -> bool:
    """Tell whether a slot, or a combatant of a side that acts in any order, has had its turn in this round."""
    return f"{one if isinstance(one, str) else one.id}/turn" in table.draft.counts


def has_had_its_turn(table: Table, who: Id) -> bool:
    """Tell whether the slot in which somebody acts has had its turn in this round."""
    return any(has_had_turn(table, slot) for slot in table.draft.slots if who in slot.members)


def first_known(table: Table, members: Sequence[Id]) -> Id:
    """Return who stands for those who share a slot: the first whom every viewer may know of, if there is one."""
    return (*table.list_known(members), *members)[0]


def is_alone(table: Table, members: Sequence[Id]) -> bool:
    """Tell whether one alone of a group is known: that member and the concealed ones roll and act each alone."""
    return len(table.list_known(members)) == 1 < len(members)


def last_score(table: Table) -> int:
    """Return the score of the last slot in the order that every viewer may know of; 0 if there is none."""
    return next((slot.score for slot in reversed(table.draft.slots) if table.list_known(slot.members)), 0)


def slots_to_come(table: Table) -> Iterator[Slot]:
    """Yield the slots that have not had their turn in this round, in order."""
    slots = table.draft.slots
    for at in range(first_to_come(table, slots), len(slots)):
        if not has_had_turn(table, slots[at]):
            yield slots[at]


def first_to_come(table: Table, order: Sequence[Slot | Id], name: str = "") -> int:
    """Return the place in an order before which all have had a turn in this round.

    Args:
        order: The turn order, or the members of a side.
        name: Which order it is, where there are several.

    Turns are only ever used up, so the place is remembered and only moves on.
    """
    memory, round_ = _PASSED.of(table), table.draft.round
    known, then, at = memory.get(name, (order, round_, 0))
    if known is not order or then != round_:
        at = 0
    while at < len(order) and has_had_turn(table, order[at]):
        at += 1
    memory[name] = (order, round_, at)
    return at
