"""The turn order, as far as several rule systems share it."""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence

from affray.engine.core.marks import ListMark, Mark
from affray.engine.core.table import Memory, Table
from affray.engine.errors import Refused
from affray.events import Clause, Event, Id, MarkSet, Rolled, Slot, topic_of

FIGHT = "fight"
"""The owner of marks about the fight itself."""

NEXT_TURN = ListMark("next_turn", until="those turns")
"""On the fight: the combatants to whom the game master gave the next turns, in order."""

LEFT_AT = Mark("left_at", 0, until="it comes back")
"""On a combatant that left the fight: its initiative."""

_PASSED = Memory[str, tuple[Sequence[object], int, int]]()
"""The members of an order, the round, and the number of leading members that have had their turn."""


def find_departed_initiative(table: Table, who: Id) -> int | None:
    """Return a combatant's initiative at the time it left the fight, or ``None``."""
    return LEFT_AT.of(table, who) if LEFT_AT.is_on(table, who) else None


def has_had_turn(table: Table, one: Slot | Id) -> bool:
    """Tell whether a slot or a combatant has had its turn in this round.

    Combatants count where a side acts in any order.
    """
    return f"{one if isinstance(one, str) else one.id}/turn" in table.draft.counts


def has_slot_had_turn(table: Table, who: Id) -> bool:
    """Tell whether a combatant's slot has had its turn in this round."""
    return any(has_had_turn(table, slot) for slot in table.draft.slots if who in slot.members)


def list_known_first(table: Table, people: Collection[Id]) -> Collection[Id]:
    """Return combatants so that each known one precedes every concealed one.

    Known ones may be repeated at the end.
    """
    return (*table.list_known(people), *people) if table.draft.concealed else people


def find_first_known(table: Table, members: Sequence[Id]) -> Id:
    """Return the member that represents a slot: the first known one, else the first."""
    return next(iter(list_known_first(table, members)))


def find_first_rolled(table: Table, members: Sequence[Id], rolled: Container[Id]) -> Id:
    """Return the first member that has rolled, alone or with a group; empty if none has.

    Concealed members count only where no member is known.
    """
    return next((who for who in table.list_known(members) or members if who in rolled), "")


def find_next_to_roll(table: Table, units: Mapping[Id, Sequence[Id]], rolled: Container[Id]) -> Id:
    """Return the first unit of which no member has rolled initiative; empty if all have."""
    return next((unit for unit, members in units.items() if not find_first_rolled(table, members, rolled)), "")


def is_ordered(table: Table) -> bool:
    """Tell whether a turn order is in force, outside the initiative phase."""
    return bool(table.draft.slots) and table.draft.phases[""] != "initiative"


def is_only_known(table: Table, members: Sequence[Id]) -> bool:
    """Tell whether exactly one member of a group is known.

    Then that member and the concealed ones each roll and act alone.
    """
    return len(table.list_known(members)) == 1 < len(members)


def find_last_score(table: Table) -> int:
    """Return the score of the last slot that every viewer may know of, or 0."""
    return next((slot.score for slot in reversed(table.draft.slots) if table.list_known(slot.members)), 0)


def find_place_in_order(table: Table, slots: Sequence[Slot], new: Slot, is_ahead: Callable[[Slot], bool]) -> int:
    """Return the index of a new slot: before the first known slot that is not ahead.

    Concealed combatants do not influence where a known one stands among known ones.

    Args:
        is_ahead: Tells whether a slot comes before the new one.
    """
    everything = not table.list_known(new.members)
    counted = {nth for nth, slot in enumerate(slots) if everything or table.list_known(slot.members)}
    at = next((nth for nth in sorted(counted) if not is_ahead(slots[nth])), len(slots))
    while at and at - 1 not in counted and not is_ahead(slots[at - 1]):
        at -= 1
    return at


def has_passed(table: Table, slots: Sequence[Slot], at: int) -> bool:
    """Tell whether the turn order has already passed the index of a new slot.

    The turn under way is at the index or behind it. If that is the turn of concealed combatants, a known slot behind
    the
    index must have had its turn.
    """
    up, behind = table.draft.up, slots[at:]
    if any(slot.id == up and not table.list_known(slot.members) for slot in slots):
        return any(has_had_turn(table, slot) for slot in behind if table.list_known(slot.members))
    return any(slot.id == up for slot in behind)


def list_called_up(table: Table) -> tuple[Id, ...]:
    """Return the combatants that have a turn given by the game master, in order."""
    if not NEXT_TURN.is_on(table, FIGHT):
        return ()
    return tuple([who for who in NEXT_TURN.of(table, FIGHT) if who in table.draft.combatants])


def remove_called_up(table: Table, who: Id, *rules: Clause) -> Iterator[MarkSet]:
    """Yield the mark without a combatant's first given turn and those skipped for it.

    If known combatants are skipped for a concealed one, they keep their turns, because no viewer knows that it has one.
    """
    called = list_called_up(table)
    if who in called:
        at = called.index(who)
        kept = () if table.is_known(who) else table.list_known(called[:at])
        yield NEXT_TURN.note_rest(FIGHT, (*kept, *called[at + 1 :]), *rules)


def find_called_up_slot(table: Table, who: Id) -> Slot:
    """Return the slot for a combatant's given turn: its own, or one for it alone.

    A slot that has had its turn in this round comes up for that combatant alone. A concealed combatant also acts
    without
    the known ones of its slot. They keep their turn, in their place.
    """
    own = next((slot for slot in table.draft.slots if who in slot.members), None)
    if own is None or is_acting_apart(table, who, own.members):
        return Slot(id=who, members=(who,))
    return own if not has_had_turn(table, own) else Slot(id=own.id, members=(who,), score=own.score)


def is_acting_apart(table: Table, who: Id, members: Sequence[Id]) -> bool:
    """Tell whether a combatant takes its given turn apart from its slot or side."""
    return not table.is_known(who) and bool(table.list_known(members))


def list_without_turn(table: Table, slot: Id, members: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return the members of a slot that did not have this round's turn apart from it."""
    if not table.draft.concealed:
        return members
    return tuple([who for who in members if who == slot or not has_had_turn(table, who)])


def list_slots_to_come(table: Table) -> Iterator[Slot]:
    """Yield the slots that have not had their turn in this round, in order."""
    slots = table.draft.slots
    for at in range(find_first_to_come(table, slots), len(slots)):
        if not has_had_turn(table, slots[at]):
            yield slots[at]


def find_first_to_come(table: Table, order: Sequence[Slot | Id], name: str = "") -> int:
    """Return the index in an order before which all have had their turn this round.

    Turns are only ever used up, so the index is cached and only increases.

    Args:
        order: The turn order, or the members of a side.
        name: A key for the cache, where there are several orders.
    """
    memory, round_ = _PASSED.of(table), table.draft.round
    known, then, at = memory.get(name, (order, round_, 0))
    if known is not order or then != round_:
        at = 0
    while at < len(order) and has_had_turn(table, order[at]):
        at += 1
    memory[name] = (order, round_, at)
    return at


def must_be_acting(table: Table, who: Id, rule: Clause, code: str = "not_your_turn", source: Id = "") -> None:
    """Refuse a combatant that does not have the turn.

    Args:
        rule: The clause that refuses.
        code: The code of the refusal.
        source: The source of the refusal; the combatant by default.
    """
    if who not in table.draft.acting:
        table[who]
        raise Refused(code, rule, f"it is not the turn of {table.name_of(who)}", source=source or who)


def is_turn_bookkeeping(event: Event, notes: Container[str]) -> bool:
    """Tell whether an event is an initiative roll, or sets a mark about turns.

    Args:
        notes: The keys of those marks.
    """
    if isinstance(event, Rolled):
        return topic_of(event.purpose) == "initiative"
    return isinstance(event, MarkSet) and event.key in notes
