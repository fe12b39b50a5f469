"""Who takes part, in which group and slot: joining, groups, quick foes, riderless mounts."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.references import must_name_a_group
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.relations import bond, bonded, parted
from affray.engine.kit.rulings.combatants import with_ids_of_fight
from affray.engine.kit.rulings.words import BRIEF, Change, Count
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.encounter.file import Spec
from affray.engine.rulesets.wwn.encounter.setup import There, joined
from affray.engine.rulesets.wwn.marks import QUICK, WAITS
from affray.engine.rulesets.wwn.sheet import is_mount, is_pc, rider_of
from affray.engine.rulesets.wwn.tables import Tables, armor, foci, weapons
from affray.engine.rulesets.wwn.turns.order import place_for
from affray.events import CombatantId, Event, Id, Joined, Member, OrderSet, RelationId, Slot, SlotId


@ruled_as("join", "bring somebody new into the fight, written as in an encounter file", "combatant")
class Join(Ruling, frozen=True, kw_only=True):
    """Bring somebody new into the fight, written as in an encounter file.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file; newcomers of one entry share a slot, PCs and mounts apart.
        initiative: Their place in the turn order, once there is one; the last place if not given. If that count has
            passed, they act from the next round on.
    """

    combatant: Spec
    initiative: Change | None = None

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not say either, and anybody while initiative is being rolled."""
        if table.draft.phase in ("initiative", "surprise"):
            message = "first all dice for initiative must have fallen"
            raise Refused("initiative_pending", "WWN-001", message, table.draft.phase)
        if self.combatant.group or self.combatant.quick:
            raise Unusable("rule a group or a quick one once they are there", "combatant")
        here = {*table.draft.owned_items, *table.draft.marks}
        for event in self._events(table):
            if isinstance(event, Joined) and event.who in here:
                raise Unusable(f"{event.who} has left the fight and things in it; take another name", "combatant")

    @with_ids_of_fight
    def _events(self, table: Table) -> Iterator[Event]:
        people = table.draft.combatants.values()
        there = {one.id: There(one.side, is_mount(table, one.id), rider_of(table, one.id), one.place) for one in people}
        on_board = any(one.place for one in people)
        yield from joined((self.combatant,), table.config, Tables(weapons(), armor(), foci()), on_board, there)

    def decide(self, table: Table) -> Rule[None]:
        """Let them join, and give them their place in the order."""
        newcomers = []
        for event in self._events(table):
            yield event
            if isinstance(event, Joined) and "mount" not in event.traits:
                newcomers.append(event.who)
        if not newcomers:
            return
        units: dict[Id, tuple[Id, ...]] = {who: (who,) for who in newcomers}
        if not (self.combatant.pc or len(newcomers) == 1 or table.config.foe_groups == "single"):
            group = f"{newcomers[0]}-group"
            units = {group: tuple(newcomers)}
            yield bonded(group, "group", *(Member(who=who) for who in newcomers), rules=("WWN-003",))
        slots = table.draft.slots
        if slots:
            score = slots[-1].score if self.initiative is None else self.initiative
            new = tuple(Slot(id=unit, members=members, score=score) for unit, members in units.items())
            at = len(slots) if self.initiative is None else place_for(table, new[0])
            if any(slot.id == table.draft.up for slot in slots[at:]):
                for slot in new:
                    yield WAITS.noted(slot.id, table.draft.round, "WWN-006")
            yield OrderSet(slots=(*slots[:at], *new, *slots[at:]), rules=("WWN-006", "WWN-007"))


@ruled_as("group", "let foes share one roll for initiative", "group", "members")
class Group(Ruling, frozen=True, kw_only=True):
    """Let foes share one roll for initiative, out of whatever groups they were in.

    Attributes:
        group: Its name.
        members: Who is in it; one alone rolls alone.
        quick: What it adds to its roll (WWN-005).
    """

    group: Annotated[RelationId, BRIEF]
    members: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]
    quick: Count = 0

    def check(self, table: Table) -> None:
        """Refuse it after the beginning, and for PCs, mounts or combatants of two sides."""
        if table.draft.phase != "setup":
            raise Refused("already_begun", "WWN-003", "groups are made before the fight begins", source="setup")
        must_name_a_group(table, self.group, "group")
        if len({*self.members}) != len(self.members):
            raise Unusable("name each member once", "members")
        for who in self.members:
            if is_pc(table, who) or is_mount(table, who):
                raise Refused("rolls_alone", "WWN-T28", f"{table.called(who)} is in no group of foes", source=who)
        if len({table[who].side for who in self.members}) > 1:
            raise Refused("two_sides", "WWN-T28", "a group is of one side", source=self.group)

    def decide(self, table: Table) -> Rule[None]:
        """Take them out of their groups and make this one."""
        for who in self.members:
            old = bond(table, "group", who)
            if old is not None:
                left = parted(old, who, rules=("WWN-003",))
                yield left if len(left.members) > 1 else parted(old, rules=("WWN-003",))
        unit = self.group if len(self.members) > 1 else self.members[0]
        if len(self.members) > 1:
            yield bonded(unit, "group", *(Member(who=who) for who in self.members), rules=("WWN-003", "WWN-T28"))
        if self.quick:
            yield QUICK.noted(unit, self.quick, "WWN-005")
        elif QUICK.is_on(table, unit):
            yield QUICK.struck(unit, "WWN-005")


@ruled_as("quick", "say that a group of foes is quick, and by how much", "group", "bonus")
class Quick(Ruling, frozen=True, kw_only=True):
    """Say that a group of foes is quick, and by how much; 0 for no more.

    Attributes:
        group: The group's name, or that of a foe who rolls alone.
        bonus: What it adds; the usual number if not given.
    """

    group: Annotated[RelationId, BRIEF]
    bonus: Count | None = None

    def check(self, table: Table) -> None:
        """Refuse a group there is none of, and PCs, who have a modifier of their own."""
        known = [one.id for one in table.draft.relations.values() if one.kind == "group"]
        alone = [who for who in table.draft.combatants if bond(table, "group", who) is None]
        known += [who for who in alone if not is_pc(table, who) and not is_mount(table, who)]
        if self.group not in known:
            raise Unusable(f"there are the groups {', '.join(known) or 'none'}", "group")

    def decide(self, table: Table) -> Rule[None]:
        """Note it."""
        bonus = table.config.quick_bonus if self.bonus is None else self.bonus
        rules = ("WWN-005", "WWN-T27")
        yield QUICK.noted(self.group, bonus, *rules)


@ruled_as("loose", "give a riderless mount a place in the order, or drop it (slot=false)", "mount", "after")
class Loose(Ruling, frozen=True, kw_only=True):
    """Give a riderless mount a place in the order, or take it out of the order again.

    Attributes:
        slot: Whether it has a place from now on.
        after: Behind whose slot; behind the last one if not given.
    """

    mount: CombatantId
    slot: bool = True
    after: SlotId = ""

    def check(self, table: Table) -> None:
        """Refuse it of a mount that is ridden or is there already, and before there is an order."""
        if not is_mount(table, self.mount):
            raise Unusable(f"{table.called(self.mount)} is no mount", "mount")
        slots = table.draft.slots
        if rider_of(table, self.mount):
            raise Refused("is_ridden", "WWN-053", f"{table.called(self.mount)} acts with its rider", source=self.mount)
        if not slots or any(slot.id == self.mount for slot in slots) == self.slot or self.mount in table.draft.acting:
            raise Refused(
                "no_change", "WWN-053", f"{table.called(self.mount)} is so already, or is up", source=self.mount
            )
        if self.after and all(slot.id != self.after for slot in slots):
            raise Unusable(f"there are the slots {', '.join(slot.id for slot in slots)}", "after")

    def decide(self, table: Table) -> Rule[None]:
        """Change the order."""
        slots = [slot for slot in table.draft.slots if slot.id != self.mount]
        if self.slot:
            at = next((nth for nth, slot in enumerate(slots) if slot.id == self.after), len(slots) - 1)
            slots.insert(at + 1, Slot(id=self.mount, members=(self.mount,), score=slots[at].score))
        yield OrderSet(slots=tuple(slots), rules=("WWN-053",))
