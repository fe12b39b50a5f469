"""Rulings on the roster: joining, grouping, splitting off (VES-005, VES-006, VES-G04)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.references import must_name_a_group
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.relations import find_relation, leave_relation
from affray.engine.kit.rulings import combatants, items, turns
from affray.engine.kit.rulings.joining import Joining, Newcomers, list_by_id
from affray.engine.kit.rulings.values import BRIEF, Change
from affray.engine.kit.sheets import stat
from affray.engine.kit.turn_groups import regroup
from affray.engine.kit.turn_order import (
    LEFT_AT,
    find_departed_initiative,
    find_first_known,
    find_last_score,
    find_place_in_order,
    is_ordered,
)
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.encounter.file import Pair, Spec, View
from affray.engine.rulesets.vestige.encounter.setup import build_weapon, enter, state_distances_and_views
from affray.engine.rulesets.vestige.encounter.stock import collect_tables, note_definitions
from affray.engine.rulesets.vestige.marks import ACTED, DONE, FIGHT, SETTLED, SPLIT_OFF, WAITS
from affray.engine.rulesets.vestige.sheet import is_active
from affray.engine.rulesets.vestige.tables import Skill, Tables, Weapon
from affray.engine.rulesets.vestige.turns.order import find_slot_with, form_group, is_due, likeness, list_units
from affray.events import Clause, CombatantId, Event, Id, ItemAdded, NewCombatantId, OrderSet, RelationId, Slot


@ruled_as("join", "bring a new combatant into the fight, or one back, written as in an encounter file", "combatant")
class Join(Joining, frozen=True, kw_only=True):
    """Bring combatants into the fight, as in an encounter file, or one that left.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file, several of them, or the id of a combatant that left.
        initiative: The place in the turn order, if there is an order. By default a returning combatant
            has the place that it had, and others have the last one.
        distance, view, weapon, skill: The same as in an encounter file.
    """

    approaches: ClassVar[tuple[int, Clause]] = (1, "VES-T19")

    combatant: Spec | tuple[Spec, ...] | NewCombatantId
    initiative: Change | None = None
    distance: tuple[Pair, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}
    skill: dict[str, Skill] = {}

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not contain, and a place in an order that is yet to be rolled."""
        if self.initiative is not None and not is_ordered(table):
            raise Unusable("they roll initiative with all others; leave it out", "initiative")
        super().check(table)

    def open(self, table: Table, newcomers: Sequence[Newcomers]) -> Iterator[Event]:
        """Yield the events that an encounter with these entries would begin with."""
        on_board, known = any(one.place for one in table.draft.combatants.values()), collect_tables(table)
        tables = Tables({**known.weapons, **self.weapon}, {**known.skills, **self.skill})
        taken = self.list_taken_ids(table)
        taken |= set(table.draft.relations)
        entries = [(one.entry, one.field) for one in newcomers]
        events = list(enter(entries, table.config, tables, on_board, taken))
        yield from events
        people = {*table.draft.combatants, *list_by_id(newcomers)}
        yield from state_distances_and_views(self.distance, self.view, on_board, people)
        if not self.is_concealed:
            yield from note_definitions(self.weapon, self.skill, events)

    def take_turns(self, table: Table, newcomers: Newcomers) -> Rule[None]:
        """Place newcomers in the turn order; those of a group together.

        After the end, note that it brought them no morale.
        """
        if table.draft.ended:
            for who in newcomers.who:
                if not SETTLED.is_on(table, who):
                    yield SETTLED.set_on(who, 0, "VES-T53")
        if is_ordered(table):
            group = find_relation(table, "group", newcomers.who[0])
            alone: dict[Id, tuple[Id, ...]] = {who: (who,) for who in newcomers.who}
            units = {group.id: newcomers.who} if group else alone
            as_before = find_departed_initiative(table, newcomers.who[0])
            yield self._find_place(table, units, as_before if self.initiative is None else self.initiative)
        yield from _restore_order(table, newcomers.who[0])

    def _find_place(self, table: Table, units: dict[Id, tuple[Id, ...]], initiative: int | None) -> OrderSet:
        """Place newcomers behind all who rolled higher, and behind ties that are as agile."""
        slots = table.draft.slots
        score = find_last_score(table) if initiative is None else initiative
        new = tuple(Slot(id=unit, members=members, score=score) for unit, members in units.items())
        mine = _rank(table, new[0])
        at = find_place_in_order(table, slots, new[0], lambda slot: _rank(table, slot) >= mine)
        if initiative is None:
            at = len(slots)
        return OrderSet(slots=(*slots[:at], *new, *slots[at:]), rules=("VES-004", "VES-T04"))


def _restore_order(table: Table, who: Id) -> Rule[None]:
    """Strike a returning combatant's initiative.

    If it has acted in this round, it waits for the next one.
    """
    if LEFT_AT.is_on(table, who):
        yield LEFT_AT.clear_on(who, "VES-T04")
        if table.draft.round in (ACTED.of(table, who), DONE.of(table, who)):
            yield WAITS.set_on(who, table.draft.round, "VES-T04")


class Leave(combatants.LeaveRuling, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all; it may return to its place (VES-T04)."""

    returns: ClassVar[Clause] = "VES-T04"


def _rank(table: Table, slot: Slot) -> tuple[int, ...]:
    """Return the sort key of the order: initiative, then agility if it breaks ties."""
    if table.config.initiative_tie == "roster":
        return (slot.score,)
    return slot.score, stat(table, find_first_known(table, slot.members), "agility")


class Gear(items.Gear, frozen=True, kw_only=True):
    """Give a combatant a weapon of the rules or of the encounter, at hand (VES-T52)."""

    rule: ClassVar[Clause] = "VES-T52"

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the weapons that can be given."""
        return {key: line.name for key, line in collect_tables(table).weapons.items() if key != "unarmed"}

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the weapon, not in hand (VES-T52)."""
        return build_weapon(self.who, key, collect_tables(table).weapons[key], "", table.config)


class Turn(turns.TurnRuling, frozen=True, kw_only=True):
    """Give a combatant the next turn: its own out of order, or an extra one (VES-T50)."""

    rule: ClassVar[Clause] = "VES-T50"

    def can_act(self, table: Table) -> bool:
        """Return whether the combatant is in the fight."""
        return is_active(table, self.who)


@ruled_as("group", "let identical combatants share one initiative and act together", "group", "members")
class Group(Ruling, frozen=True, kw_only=True):
    """Let identical combatants of one side share initiative and act together (VES-005).

    They leave their old groups.
    In the middle of a fight they act where the first of them acted. They act at once if none of them has
    had a turn in this round, otherwise from the next round on.
    """

    group: Annotated[RelationId, BRIEF]
    members: Annotated[tuple[CombatantId, ...], Meta(min_length=2)]

    def check(self, table: Table) -> None:
        """Refuse combatants that are not identical, and one that has delayed."""
        must_name_a_group(table, self.group, "group")
        if len(set(self.members)) != len(self.members):
            raise Unusable("name each member once", "members")
        first = self.members[0]
        for who in self.members:
            if table[who].has("delayed"):
                raise table.refuse(who, "has delayed; rule place_slot lets it act first", "VES-054", "delayed")
            if likeness(table, table[who]) != likeness(table, table[first]):
                raise table.refuse(who, f"and {table.name_of(first)} are not identical", "VES-005", "not_identical")

    def decide(self, table: Table) -> Rule[None]:
        """Take the members out of their groups and form this one."""
        for who in self.members:
            old = find_relation(table, "group", who)
            if old is not None:
                yield leave_relation(table, old, who, rules=("VES-G04",))
        yield form_group(self.group, *self.members)
        yield from regroup(table, list_units(table), self.members, partial(_is_to_come, table), "VES-006", "VES-G04")


def _is_to_come(table: Table, slot: Slot) -> bool:
    """Return whether a slot without a turn this round neither waits nor has delayed."""
    waits = WAITS.of(table, slot.id) == table.draft.round
    return not waits and not any(table[who].has("delayed") for who in slot.members)


@ruled_as("split", "let a member of a group act alone, directly after the group", "who")
class Split(Ruling, frozen=True, kw_only=True):
    """Let a member of a group act alone, with the group's number, directly after it."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant without a group, and in a turn under way."""
        if len(self._list_mates(table)) < 2:
            raise table.refuse(self.who, "is in no group", "VES-G04", "not_grouped")
        if table.draft.stack or self.who in table.draft.acting:
            raise Refused(
                "action_pending", "VES-G04", f"split {table.name_of(self.who)} off between turns", source=self.who
            )

    def _list_mates(self, table: Table) -> tuple[Id, ...]:
        """Return the members of the combatant's slot, or before that of its group."""
        if is_ordered(table):
            return find_slot_with(table, self.who).members
        group = find_relation(table, "group", self.who)
        return tuple(one.who for one in group.members) if group else ()

    def decide(self, table: Table) -> Rule[None]:
        """Take the combatant out of the group; a turn that the group has had counts for it (VES-G04)."""
        group = find_relation(table, "group", self.who)
        if group is not None:
            yield leave_relation(table, group, self.who, rules=("VES-G04",))
        slots = table.draft.slots
        if is_ordered(table):
            slot = find_slot_with(table, self.who)
            rest = tuple(who for who in slot.members if who != self.who)
            split = (replace(slot, members=rest), Slot(id=self.who, members=(self.who,), score=slot.score))
            at = slots.index(slot)
            yield OrderSet(slots=(*slots[:at], *split, *slots[at + 1 :]), rules=("VES-G04",))
            if not is_due(table, slot):
                yield WAITS.set_on(self.who, table.draft.round, "VES-G04")
        elif table.draft.phases[""] == "initiative":
            before = (who for who in SPLIT_OFF.of(table, FIGHT) if who != self.who)
            yield SPLIT_OFF.note_list(FIGHT, (*before, self.who), "VES-G04")
