"""New groups in the middle of a fight: when the slots of their members become one."""

from collections.abc import Callable, Iterable, Mapping

from affray.engine.core.effects import Rule
from affray.engine.core.marks import Mark
from affray.engine.core.table import Table
from affray.events import Clause, Id, OrderSet, Slot

from .turn_order import has_had_turn

REGROUPS = Mark("regroups", False, until="the next round")
"""Of each combatant whose slot follows its group from the next round on."""

Units = Mapping[Id, tuple[Id, ...]]
"""Who acts together, by the id of a group or of a combatant who acts alone."""


def regroup(
    table: Table, units: Units, who: Iterable[Id], is_to_come: Callable[[Slot], bool], *rules: Clause
) -> Rule[None]:
    """Let the order follow new groups: at once if no slot concerned has had its turn, otherwise from the next round on.

    Args:
        who: Whose groups are new.
        is_to_come: Tells whether a slot without a turn in this round has one to come.
    """
    slots, named = table.draft.slots, tuple(dict.fromkeys((*_list_noted(table), *who)))
    if not slots or not table.draft.round:
        return
    new = _follow(table, units, named)
    concerned = [slot for slot in slots if slot not in new]
    if any(slot.id == table.draft.up or has_had_turn(table, slot) or not is_to_come(slot) for slot in concerned):
        for one in named:
            if not REGROUPS.is_on(table, one):
                yield REGROUPS.noted(one, True, *rules)
        return
    yield from _strike_notes(table, *rules)
    if new != slots:
        yield OrderSet(slots=new, rules=rules)


def settle_groups(table: Table, units: Callable[[Table], Units], *rules: Clause) -> Rule[None]:
    """Let the order of a new round follow the groups that were made in the last one."""
    named = _list_noted(table)
    if named:
        yield from _strike_notes(table, *rules)
        new = _follow(table, units(table), named)
        if new != table.draft.slots:
            yield OrderSet(slots=new, rules=rules)


def _list_noted(table: Table) -> tuple[Id, ...]:
    return tuple([who for who in table.draft.combatants if REGROUPS.is_on(table, who)])


def _strike_notes(table: Table, *rules: Clause) -> Rule[None]:
    for who in _list_noted(table):
        yield REGROUPS.struck(who, *rules)


def _follow(table: Table, units: Units, who: Iterable[Id]) -> tuple[Slot, ...]:
    """Return the order with the new groups, each in the place of its first member."""
    unit_of = {one: unit for unit, members in units.items() for one in members}
    concerned = _list_concerned(table, units, unit_of, who)
    found: dict[Id, Slot] = {}
    for slot in table.draft.slots:
        if not concerned.intersection(slot.members):
            found[slot.id] = slot
            continue
        for one in slot.members:
            unit = unit_of.get(one, one)
            if unit not in found:
                found[unit] = Slot(id=unit, members=units.get(unit, (one,)), score=slot.score)
    return tuple(found.values())


def _list_concerned(table: Table, units: Units, unit_of: Mapping[Id, Id], who: Iterable[Id]) -> set[Id]:
    """Return those named, who shares a slot with them and who is in their groups, and so on."""
    concerned: set[Id] = set()
    more = set(who)
    while more - concerned:
        concerned |= more
        together = [slot.members for slot in table.draft.slots]
        together += [units[unit] for unit in {unit_of[one] for one in concerned if one in unit_of}]
        more = {one for members in together if concerned.intersection(members) for one in members}
    return concerned
