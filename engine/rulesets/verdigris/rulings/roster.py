"""Who takes part, and who rolls for the party (VER-002, VER-011)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from affray.engine.core.actions import Ruling
from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import BRIEF, Leave, Side
from affray.engine.rulesets.verdigris.encounter import joined, seated
from affray.engine.rulesets.verdigris.encounter_file import Spec
from affray.engine.rulesets.verdigris.fall import leaves_melee, lets_go, unhorsed
from affray.engine.rulesets.verdigris.injuries import clock_set
from affray.engine.rulesets.verdigris.order import ROLLED, SEAT, WAITS, alive, seats
from affray.engine.rulesets.verdigris.refusing import no
from affray.engine.rulesets.verdigris.riding import mount_under, rider_of
from affray.engine.rulesets.verdigris.sheet import ENEMIES, PARTY
from affray.engine.rulesets.verdigris.tables import weapons
from affray.events import Event, ItemRemoved, Joined, RelationId, SideChanged


class Join(Ruling, frozen=True, kw_only=True):
    """Bring somebody new into the fight, written as in an encounter file (VER-002).

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file.
        acts: Whether it has a turn in this round.
    """

    kind: ClassVar[str] = "join"
    says: ClassVar[str] = "bring somebody new into the fight, written as in an encounter file"
    words: ClassVar[tuple[str, ...]] = ("combatant",)

    combatant: Spec
    acts: bool = True

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not say either."""
        self._events(table)

    def _events(self, table: Table) -> list[Event]:
        known = set(table.draft.combatants)
        relations = set(table.draft.relations)
        zones = tuple(table.draft.places)
        events = list(joined(self.combatant, "combatant", weapons(), zones, known, relations))
        return [*events, *seated([(self.combatant, events)], table.draft.relations)]

    def decide(self, table: Table) -> Rule[str]:
        """Let them join; they have a turn this round unless ruled otherwise."""
        for event in self._events(table):
            yield event
            if isinstance(event, Joined) and not self.acts and "mount" not in event.traits:
                yield marked(event.who, WAITS, table.draft.round, "VER-002", until="the next round")
        return ""


class Depart(Leave, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all, once nothing is awaited (VER-002)."""

    def check(self, table: Table) -> None:
        """Refuse it while an answer or a die is awaited: what is under way may still need everybody."""
        super().check(table)
        if table.draft.question is not None or table.draft.awaited is not None:
            raise no("VER-002", "first comes the answer that is awaited", table.draft.phase)

    def decide(self, table: Table) -> Rule[str]:
        """Part from everybody, let the seat before roll in place of one that empties, and go (VER-011)."""
        yield from lets_go(table, self.who, "VER-002")
        yield from leaves_melee(table, self.who, "VER-002")
        yield from unhorsed(table, self.who)
        there = table.derived(seats)
        for nth, seat in enumerate(there):
            empties = all(member.who == self.who for member in seat.members)
            if empties and seat.id == table.mark("fight", ROLLED):
                yield marked("fight", ROLLED, there[nth - 1].id, "VER-011")
        yield from self._leaves_nothing(table)
        return (yield from super().decide(table))

    def _leaves_nothing(self, table: Table) -> Rule[None]:
        """Take along all that is carried, and all that is noted: who comes again under this name begins afresh."""
        for item in table.items_of(self.who):
            yield ItemRemoved(item=item.id, rules=("VER-002",))
        for key in tuple(table.draft.marks.get(self.who, ())):
            yield marked(self.who, key, None)
        for clock in [clock for clock, left in table.draft.clocks.items() if left and clock.startswith(f"{self.who}/")]:
            yield clock_set(table, clock, 0, "VER-002")


class Switch(Side, frozen=True, kw_only=True):
    """Let a combatant fight for the other side, and its mount with it (VER-005, VER-060)."""

    def check(self, table: Table) -> None:
        """Refuse a third side: there are two."""
        if self.side not in (PARTY, ENEMIES):
            raise Unusable(f"there are the sides {PARTY} and {ENEMIES}", "side")
        rider = rider_of(table, self.who)
        if rider and table[rider].side != self.side:
            raise no("VER-060", f"{self.who} is on the side of its rider {rider}", rider)

    def decide(self, table: Table) -> Rule[str]:
        """Change it."""
        mount = mount_under(table, self.who)
        if mount:
            yield SideChanged(who=mount, before=table[mount].side, after=self.side, rules=("VER-060",))
        yield SideChanged(who=self.who, before=table[self.who].side, after=self.side, rules=("VER-005", "VER-T18"))
        return ""


class Seat(Ruling, frozen=True, kw_only=True):
    """Let another player make the next initiative roll (VER-011)."""

    kind: ClassVar[str] = "seat"
    says: ClassVar[str] = "let another player make the next initiative roll"
    words: ClassVar[tuple[str, ...]] = ("seat",)

    seat: Annotated[RelationId, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse a seat that is not there, or whose characters are all dead."""
        there = [one.id for one in table.derived(seats) if alive(table, one)]
        if self.seat not in there:
            raise Unusable(f"there are the seats {', '.join(there) or 'of nobody'}", "seat")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked("fight", SEAT, self.seat, "VER-011", until="that roll")
        return ""
