"""Groups changed during a fight: merging the turn slots of their members."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from msgspec.structs import replace

from affray.engine.core.effects import Rule
from affray.engine.core.marks import Mark
from affray.engine.core.table import Table
from affray.events import Clause, Id, OrderSet, Slot

from .turn_order import has_had_turn

REGROUPS = Mark("regroups", False, until="the next round")
"""Marks each combatant that moves to its group's slot in the next round."""

Units = Mapping[Id, tuple[Id, ...]]
"""The members that act together, by the id of their group. A combatant who acts alone is its own unit."""


def regroup(
    table: Table, units: Units, who: Iterable[Id], is_to_come: Callable[[Slot], bool], *rules: Clause
) -> Rule[None]:
    """Move combatants to the turn slots of their new groups, now or next round.

    They move at once if no slot concerned has had its turn. Known combatants move as if no combatant were concealed.
    Concealed ones follow their groups as far as they can.

    Args:
        who: The combatants in new groups.
        is_to_come: Tells whether a slot without a turn in this round still has one to come.
    """
    slots, named = table.draft.slots, tuple(dict.fromkeys((*_list_noted(table), *who)))
    if not slots or not table.draft.round:
        return

    def is_spent(slot: Slot) -> bool:
        return slot.id == table.draft.up or has_had_turn(table, slot) or not is_to_come(slot)

    def must_wait(moving: set[Id]) -> bool:
        new = _list_known_slots(table, _follow(table, units, moving))
        return any(is_spent(slot) for slot in _list_known_slots(table, slots) if slot not in new)

    spent = {one for slot in slots if is_spent(slot) for one in slot.members}
    moving = _list_moving(table, units, named, must_wait, spent.__contains__)
    for one in named:
        if one not in moving and not REGROUPS.is_on(table, one):
            yield REGROUPS.set_on(one, True, *rules)
    yield from _move(table, units, moving, *rules)


def settle_groups(
    table: Table, units: Callable[[Table], Units], *rules: Clause, is_held: Callable[[Id], bool] = lambda _: False
) -> Rule[None]:
    """Apply last round's group changes to the order of a new round.

    Args:
        is_held: Tells whether a combatant still has a turn of the last round to come. As long as one has, no known
            combatant moves.
    """
    named = _list_noted(table)
    if named:
        new, known = units(table), table.list_known(table.draft.combatants)
        moving = _list_moving(table, new, named, lambda _: any(map(is_held, known)), is_held)
        yield from _move(table, new, moving, *rules)


def _list_noted(table: Table) -> tuple[Id, ...]:
    return tuple([who for who in table.draft.combatants if REGROUPS.is_on(table, who)])


def _move(table: Table, units: Units, moving: set[Id], *rules: Clause) -> Rule[None]:
    """Remove the marks of moving combatants, and set the new order."""
    for who in _list_noted(table):
        if who in moving:
            yield REGROUPS.clear_on(who, *rules)
    new = _follow(table, units, moving)
    if new != table.draft.slots:
        yield OrderSet(slots=new, rules=rules)


def _list_moving(
    table: Table,
    units: Units,
    named: Sequence[Id],
    must_wait: Callable[[set[Id]], bool],
    is_held: Callable[[Id], bool],
) -> set[Id]:
    """Return the combatants that leave their slot for that of their group.

    The known combatants move together, or none of them does. A concealed one moves to a slot where its known group
    members
    are or move. If its group has no known member, it moves unless one of the group is held.
    """
    slots = table.draft.slots
    shown = {unit: left for unit, members in units.items() if (left := table.list_known(members))}
    moving = _list_concerned(_list_known_slots(table, slots), shown, table.list_known(named))
    if must_wait(moving):
        moving = set()
    held_in = {one: slot.id for slot in slots for one in slot.members}
    unit_of = {one: unit for unit, members in units.items() for one in members}
    known = {*moving}
    for one in _list_concerned(slots, units, named):
        unit = unit_of.get(one, one)
        mates, fellows = units.get(unit, (one,)), shown.get(unit, ())
        together = all(mate in known or held_in.get(mate) == unit for mate in fellows)
        if not table.is_known(one) and together and not any(map(is_held, (one,) if fellows else mates)):
            moving.add(one)
    return moving


def _follow(table: Table, units: Units, moving: Container[Id]) -> tuple[Slot, ...]:
    """Return the order after the move; a group takes its first known member's place."""
    unit_of = {one: unit for unit, members in units.items() for one in members if one in moving}
    home = {
        one: unit_of.get(one, one) if one in moving else slot.id for slot in table.draft.slots for one in slot.members
    }
    shown = {id for one, id in home.items() if table.is_known(one)}
    scores: dict[Id, int] = {}
    for slot in table.draft.slots:
        for one in slot.members:
            if home[one] not in shown or table.is_known(one):
                scores.setdefault(home[one], slot.score)
    members: dict[Id, list[Id]] = {id: [] for id in scores}
    for one in (*unit_of, *home):
        at = members.get(home.get(one, unit_of.get(one, one)), [])
        if one not in at:
            at.append(one)
    return tuple([Slot(id=id, members=tuple(members[id]), score=score) for id, score in scores.items()])


def _list_known_slots(table: Table, slots: Iterable[Slot]) -> list[Slot]:
    """Return the slots without concealed members, leaving out empty ones."""
    left = ((slot, table.list_known(slot.members)) for slot in slots)
    return [replace(slot, members=members) for slot, members in left if members]


def _list_concerned(slots: Iterable[Slot], units: Units, who: Iterable[Id]) -> set[Id]:
    """Return the combatants linked to the named ones by shared slots or groups."""
    unit_of = {one: unit for unit, members in units.items() for one in members}
    in_slots = [slot.members for slot in slots]
    concerned: set[Id] = set()
    more = set(who)
    while more - concerned:
        concerned |= more
        together = [*in_slots, *(units[unit] for unit in {unit_of[one] for one in concerned if one in unit_of})]
        more = {one for members in together if concerned.intersection(members) for one in members}
    return concerned
