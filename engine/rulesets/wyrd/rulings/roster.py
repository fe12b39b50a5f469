"""Rulings on the roster: joining, leaving, changing sides, and the order of sides."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from affray.engine.core.actions import ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant
from affray.engine.errors import Refused
from affray.engine.kit.encounters import MeleeEntry
from affray.engine.kit.rulings import combatants, flow
from affray.engine.kit.rulings.joining import Joining, Newcomers
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.wyrd.chapters.morale import count_as_lost, count_newcomer
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.encounter.file import Distance, Spec, View
from affray.engine.rulesets.wyrd.encounter.setup import bond_melees, enter, state_distances_and_views
from affray.engine.rulesets.wyrd.encounter.stock import collect_tables, note_gear
from affray.engine.rulesets.wyrd.marks import HOME, LATE
from affray.engine.rulesets.wyrd.sheet import GUEST, list_pc_sides
from affray.engine.rulesets.wyrd.tables import Piece, Tables
from affray.engine.texts import name_said
from affray.events import Clause, Event, Id, Joined, NewCombatantId, TraitChanged


@ruled_as("join", "bring a new combatant into the fight, or one back, written as in an encounter file", "combatant")
class Join(Joining, frozen=True, kw_only=True):
    """Bring combatants into the fight, or bring back one who left.

    They act from their side's next turn on.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file, several of them, or the id of a combatant that left.
        distance, melee, view, gear: The same as in an encounter file.
    """

    approaches: ClassVar[tuple[int, Clause]] = (0, "WYR-T23")

    combatant: Spec | tuple[Spec, ...] | NewCombatantId
    distance: tuple[Distance, ...] = ()
    melee: tuple[MeleeEntry, ...] = ()
    view: tuple[View, ...] = ()
    gear: dict[str, Piece] = {}

    def open(self, table: Table, newcomers: Sequence[Newcomers]) -> Iterator[Event]:
        """Yield the events that an encounter with these entries would begin with.

        The gear of a concealed combatant is not noted.
        """
        mapped = any(one.place for one in table.draft.combatants.values())
        tables = Tables({**collect_tables(table).gear, **self.gear})
        entries = [(one.entry, one.field) for one in newcomers]
        places = set(table.draft.places)
        events = list(enter(entries, table.config, tables, places, self.list_taken_ids(table), mapped=mapped))
        yield from events
        people: dict[Id, Combatant | Joined] = dict(table.draft.combatants)
        people |= {one.who: one for one in events if isinstance(one, Joined)}
        yield from bond_melees(self.melee, self.distance, people)
        yield from state_distances_and_views(self.distance, self.view, people, mapped=mapped)
        if not self.is_concealed:
            yield from note_gear(self.gear, events)

    def prepare(self, table: Table) -> tuple[list[Event], list[Newcomers]]:
        """Make a new player character that joins foes a guest there."""
        events, newcomers = super().prepare(table)
        if not isinstance(self.combatant, str):
            events = [_make_guest(table, one) for one in events]
        return events, newcomers

    def take_turns(self, table: Table, newcomers: Newcomers) -> Rule[None]:
        """Count the newcomers on their side."""
        for who in newcomers.who:
            yield from count_newcomer(table, who)


def _make_guest(table: Table, event: Event) -> Event:
    """Return the event; a player character that joins foes gets the trait of a guest."""
    if isinstance(event, Joined) and "pc" in event.traits and _is_side_of_foes(table, event.side):
        return replace(event, traits=(*event.traits, GUEST))
    return event


def _is_side_of_foes(table: Table, side: str) -> bool:
    """Return whether a side has known combatants and is no player character's home."""
    there = any(table[one].side == side for one in table.list_known(table.draft.combatants))
    return there and side not in table.derive(list_pc_sides)


class Leave(combatants.LeaveRuling, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all; its side counts it as lost."""

    def depart(self, table: Table, who: Id) -> Rule[None]:
        """Count it as lost, and take it out."""
        yield from count_as_lost(table, who)
        yield from super().depart(table, who)


class Side(combatants.Side, frozen=True, kw_only=True):
    """Let a combatant fight for another side; a player character is a guest among foes (WYR-T54)."""

    def check(self, table: Table) -> None:
        """Refuse the side that the combatant is on."""
        if table[self.who].side == self.side:
            message = f"{table.name_of(self.who)} is on the side {name_said(self.side)} already; name another"
            raise Refused("no_change", "WYR-T54", message, source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Count the combatant as lost for its old side, and move it to the new one."""
        yield from count_as_lost(table, self.who)
        if is_pc(table, self.who):
            yield from self._change_guest_trait(table)
        yield from super().decide(table)
        yield from count_newcomer(table, self.who)

    def _change_guest_trait(self, table: Table) -> Rule[None]:
        """Make a player character a guest on a side of foes, and on no other."""
        who, side = self.who, self.side
        is_guest = GUEST in table[who].traits
        guest = side != HOME.of(table, who) and _is_side_of_foes(table, side)
        if guest and not is_guest:
            yield HOME.set_on(who, table[who].side, "WYR-T54")
        elif is_guest and not guest and HOME.is_on(table, who):
            yield HOME.clear_on(who, "WYR-T54")
        if guest is not is_guest:
            yield TraitChanged(who=who, trait=GUEST, present=guest)


class Reorder(flow.Reorder, frozen=True, kw_only=True):
    """Set the order of the sides for good, also for a side that came late."""

    def decide(self, table: Table) -> Rule[None]:
        """Set the order."""
        for side in self.order:
            yield from LATE.end_on(table, side, "WYR-T55")
        yield from super().decide(table)
