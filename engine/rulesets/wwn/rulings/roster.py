"""Rulings on groups, quick foes, and riderless mounts in the turn order."""

from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.references import must_name_a_group
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.relations import find_relation, remove_members, set_relation
from affray.engine.kit.riding import rider_of
from affray.engine.kit.rulings import turns
from affray.engine.kit.rulings.values import BRIEF, Count
from affray.engine.kit.sheets import is_pc
from affray.engine.kit.turn_groups import regroup
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import QUICK, WAITS
from affray.engine.rulesets.wwn.sheet import is_active, is_mount
from affray.engine.rulesets.wwn.turns.order import group_units, is_carried, list_quick_bonus
from affray.events import Clause, CombatantId, Member, OrderSet, RelationId, Slot, SlotId


@ruled_as("group", "let foes share one roll for initiative", "group", "members")
class Group(Ruling, frozen=True, kw_only=True):
    """Let foes share one initiative roll and act together (WWN-T28).

    They leave their other groups. In the middle of a fight they act where the first of them acted: at once if none of
    them has had a turn in this round, otherwise from the next round on.

    Attributes:
        group: The name of the group.
        members: Its members; a single one rolls alone.
        quick: Its bonus on the roll (WWN-005).
    """

    group: Annotated[RelationId, BRIEF]
    members: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]
    quick: Count = 0

    def check(self, table: Table) -> None:
        """Refuse PCs, mounts, and combatants of two sides."""
        must_name_a_group(table, self.group, "group")
        if len({*self.members}) != len(self.members):
            raise Unusable("name each member once", "members")
        for who in self.members:
            if is_pc(table, who) or is_mount(table, who):
                raise table.refuse(who, "is in no group of foes", "WWN-T28", "rolls_alone")
        if len({table[who].side for who in self.members}) > 1:
            raise Refused("two_sides", "WWN-T28", "a group is of one side", source=self.group)

    def decide(self, table: Table) -> Rule[None]:
        """Take them out of their groups, and make this one."""
        for who in self.members:
            old = find_relation(table, "group", who)
            if old is not None:
                left = remove_members(old, who, rules=("WWN-003",))
                yield left if len(left.members) > 1 else remove_members(old, rules=("WWN-003",))
        unit = self.group if len(self.members) > 1 else self.members[0]
        if len(self.members) > 1:
            yield set_relation(unit, "group", *(Member(who=who) for who in self.members), rules=("WWN-003", "WWN-T28"))
        mixed = len(self.members) > 1 and any(QUICK.of(table, who) for who in self.members)
        if self.quick or mixed:
            yield QUICK.set_on(unit, self.quick, "WWN-005")
        elif QUICK.is_on(table, unit):
            yield QUICK.clear_on(unit, "WWN-005")
        yield from regroup(table, group_units(table), self.members, partial(_is_to_come, table), "WWN-003", "WWN-T28")


def _is_to_come(table: Table, slot: Slot) -> bool:
    """Tell whether a slot without a turn this round does not wait for the next."""
    return WAITS.of(table, slot.id) != table.draft.round


class Turn(turns.TurnRuling, frozen=True, kw_only=True):
    """Give a combatant the next turn: its turn of this round, out of order, or one more (WWN-T74)."""

    rule: ClassVar[Clause] = "WWN-T74"

    def can_act(self, table: Table) -> bool:
        """Tell whether the combatant is in the fight; a ridden mount acts in its rider's turn."""
        return is_active(table, self.who) and not is_carried(table, self.who)


@ruled_as("quick", "say that a group of foes is quick, and by how much", "group", "bonus")
class Quick(Ruling, frozen=True, kw_only=True):
    """Set the bonus of a quick group of foes; 0 ends it.

    Attributes:
        group: The group's name, or that of a foe who rolls alone.
        bonus: The bonus; by default the usual one.
    """

    group: Annotated[RelationId, BRIEF]
    bonus: Count | None = None

    def check(self, table: Table) -> None:
        """Refuse an unknown group, a PC, and a bonus that would change nothing."""
        known = [one.id for one in table.draft.relations.values() if one.kind == "group"]
        alone = [who for who in table.draft.combatants if find_relation(table, "group", who) is None]
        known += [who for who in alone if not is_pc(table, who) and not is_mount(table, who)]
        if self.group not in known:
            raise Unusable(f"there are the groups {', '.join(known) or 'none'}", "group", known=known)
        if table.draft.round and not table.config.reroll_initiative:
            message = "initiative has been rolled; rule reorder changes the order"
            raise Refused("already_begun", "WWN-005", message, source=self.group)
        rolls = QUICK.is_on(table, self.group) or self.group in table.derive(group_units)
        if rolls and sum(term.value for term in list_quick_bonus(table, self.group)) == self._bonus(table):
            raise Refused("no_change", "WWN-005", f"{self.group} adds that already", source=self.group)

    def _bonus(self, table: Table) -> int:
        return table.config.quick_bonus if self.bonus is None else self.bonus

    def decide(self, table: Table) -> Rule[None]:
        """Note the bonus."""
        bonus = self._bonus(table)
        rules = ("WWN-005", "WWN-T27")
        yield QUICK.set_on(self.group, bonus, *rules)


@ruled_as("loose", "give a riderless mount a place in the order, or drop it (slot=false)", "mount", "after")
class Loose(Ruling, frozen=True, kw_only=True):
    """Give a riderless mount a place in the order, or remove it from the order.

    Attributes:
        slot: Whether it has a place in the order.
        after: The slot before it; by default the last one.
    """

    mount: CombatantId
    slot: bool = True
    after: SlotId = ""

    def check(self, table: Table) -> None:
        """Refuse a ridden mount, no change, and a fight without an order."""
        if not is_mount(table, self.mount):
            raise Unusable(f"{table.name_of(self.mount)} is no mount", "mount")
        slots = table.draft.slots
        if rider_of(table, self.mount):
            raise table.refuse(self.mount, "acts with its rider", "WWN-053", "is_ridden")
        here = any(slot.id == self.mount for slot in slots)
        if not slots or here == self.slot or self.mount in table.draft.acting:
            called = table.name_of(self.mount)
            reason, example = f"{called} has {'a' if here else 'no'} place of its own in the order already", ""
            if self.mount in table.draft.acting:
                reason, example = f"it is the turn of {called}", "end_turn"
            elif not slots:
                reason, example = "there is no turn order yet", "begin"
            raise Refused("no_change", "WWN-053", reason, self.mount, example=example)
        if self.after and all(slot.id != self.after for slot in slots):
            there = [slot.id for slot in slots]
            raise Unusable(f"there are the slots {', '.join(there)}", "after", known=there)

    def decide(self, table: Table) -> Rule[None]:
        """Change the order."""
        slots = [slot for slot in table.draft.slots if slot.id != self.mount]
        if self.slot:
            at = next((nth for nth, slot in enumerate(slots) if slot.id == self.after), len(slots) - 1)
            known = [slot for slot in (*reversed(slots[: at + 1]), *slots) if table.list_known(slot.members)]
            score = known[0].score if known and table.is_known(self.mount) else slots[at].score
            slots.insert(at + 1, Slot(id=self.mount, members=(self.mount,), score=score))
        yield OrderSet(slots=tuple(slots), rules=("WWN-053",))
