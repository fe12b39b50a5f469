"""The sides in turn: beginning, surprise, order and rounds (WYR-001 to WYR-007)."""

from collections.abc import Iterable
from typing import Any, Literal, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import end_condition, set_condition, set_mark, set_pool
from affray.engine.core.effects import Roll, Rule
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import has_enemies
from affray.engine.kit.turn_order import (
    has_had_turn,
    is_acting_apart,
    list_called_up,
    list_slots_to_come,
    list_without_turn,
    remove_called_up,
)
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.marks import FIGHT, LATE, REVIVED, SURPRISE
from affray.engine.rulesets.wyrd.sheet import is_active, list_able, list_active_by_side, list_pc_sides
from affray.engine.rulesets.wyrd.tables import omens
from affray.events import Clause, Dice, Id, Judged, MemberDone, OrderSet, RoundBegan, Slot, TurnBegan

from .turn import end_if_over


@declared_as("begin", "begin the fight", "cause", own_trigger="begin", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; only the game master declares it.

    Attributes:
        pcs_surprised: Whether the player characters are surprised, so that their foes go first. By default
            the d6 decides if it is rolled; otherwise they are not.
        cause: ``narrative``, or ``encounter_roll`` for a bad roll: the d6, unless ``pcs_surprised`` gives its result.
    """

    pcs_surprised: bool | None = None
    cause: Literal["", "narrative", "encounter_roll"] = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side (WYR-T35)."""
        if actor != "gm":
            raise Refused("not_your_turn", "WYR-T35", "the game master begins the fight", source=actor)
        if not has_enemies(table, table.derive(list_able)):
            message = "a fight needs two hostile sides with somebody active each"
            raise Refused("need_two_sides", "WYR-T35", message, "sides")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note the surprise, or that it is to be rolled."""
        rolled = self.cause == "encounter_roll" or (not self.cause and table.config.surprise_roll == "roll")
        if self.pcs_surprised is None and rolled:
            yield set_mark(FIGHT, SURPRISE.key, "roll", "WYR-004")
        elif self.pcs_surprised:
            rule = "WYR-004" if self.cause == "encounter_roll" else "WYR-003"
            yield set_mark(FIGHT, SURPRISE.key, self.cause or "narrative", rule)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List a plain beginning, surprised player characters, and the encounter roll."""
        match field:
            case "cause":
                return ("", "encounter_roll")
            case "pcs_surprised" if not so_far.cause:
                return (None, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


OUTCOMES = {"party": "the party is surprised", "encounter": "the party surprises them"}


def decide_surprise(table: Table) -> Rule[str]:
    """Decide which sides go first: player characters, unless surprised (WYR-003).

    No initiative is rolled.
    """
    noted = SURPRISE.of(table, FIGHT)
    surprised = "party" if noted else ""
    rule = "WYR-004" if noted in ("roll", "encounter_roll") else "WYR-003"
    yield RoundBegan(round=1, rules=("WYR-001",))
    if noted:
        yield SURPRISE.clear_on(FIGHT)
    if noted == "roll":
        surprised = yield from _roll_omen()
    if surprised == "party":
        yield SURPRISE.set_on(FIGHT, surprised, rule)
    for who, one in tuple(table.draft.combatants.items()):
        if surprised and is_active(table, who) and (one.side in table.derive(list_pc_sides)) == (surprised == "party"):
            yield set_condition(table, who, "surprised", 1, rule)
    if (yield from end_if_over(table)):
        return "over"
    late = surprised == "party"
    yield OrderSet(slots=order_sides(table, late), rules=("WYR-001", rule if late else "WYR-002"))
    return "npcs_first" if late else "pcs_first"


def _roll_omen() -> Rule[str]:
    """Roll the d6 of the encounter; return the surprised party, or nothing (WYR-004, WYR-T31)."""
    dice, rules = (Dice(count=1, sides=6, kind="omen"),), ("WYR-004", "WYR-T31")
    roll = yield Roll(dice=dice, purpose="surprise", by="gm", reading="highest", rules=rules)
    omen = omens().get(roll.total)
    outcome = OUTCOMES[omen.surprised] if omen else "nobody is surprised"
    yield Judged(roll=roll.roll, outcome=outcome, rules=rules)
    return omen.surprised if omen else ""


def order_sides(table: Table, npcs_first: bool) -> tuple[Slot, ...]:
    """Return the sides in turn: player characters first, or foes first (WYR-002).

    Otherwise they go in the order in which a known combatant first joined them.
    """
    people = table.draft.combatants
    members: dict[str, list[Id]] = {people[who].side: [] for who in table.list_known(people)}
    for one in people.values():
        members.setdefault(one.side, []).append(one.id)
    ours = table.derive(list_pc_sides)
    in_turn = sorted(members, key=lambda side: (side in ours) is npcs_first)
    return tuple(Slot(id=side, members=tuple(members[side])) for side in in_turn)


def next_slot(table: Table) -> Rule[str]:
    """Begin the turn of the next side, with a move and an action each (WYR-005, WYR-T61).

    Combatants that the game master gave the next turn go first.
    """
    for who in list_called_up(table):
        if is_active(table, who):
            side = table[who].side
            members, spent = table.derive(list_active_by_side)[side], has_had_turn(table, side)
            apart = not spent and is_acting_apart(table, who, members)
            yield from _begin_turns(table, who if apart else side, (who,) if spent or apart else members, "WYR-T61")
            yield from remove_called_up(table, who, "WYR-T61")
            return "comes_up"
    for slot in list_slots_to_come(table):
        members = list_without_turn(table, slot.id, table.derive(list_active_by_side).get(slot.id, ()))
        if members:
            yield from _begin_turns(table, slot.id, members, "WYR-002")
            return "comes_up"
    return "over" if (yield from end_if_over(table)) else "all_had_one"


def _begin_turns(table: Table, slot: Id, members: tuple[Id, ...], rule: Clause) -> Rule[None]:
    """Give members of a side a turn, with a move and an action each."""
    yield TurnBegan(slot=slot, members=members, rules=(rule, "WYR-005"))
    for who in members:
        yield from REVIVED.end_on(table, who)
        for pool, clause in (("moves", "WYR-006"), ("actions", "WYR-007")):
            if table.pool(who, pool) != 1:
                yield set_pool(table, who, pool, 1, clause)


def give_turn(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Give a combatant of the active side a turn (WYR-T58)."""
    draft = table.draft
    yield from REVIVED.end_on(table, who, *rules)
    yield TurnBegan(slot=draft.up, members=(*draft.acting, who), adds=True, rules=rules)


def reorder(table: Table) -> Rule[None]:
    """Update the members of each side's turn; a new side acts last in this round."""
    draft = table.draft
    for who in draft.acting:
        if draft.up not in (table[who].side, who):
            yield MemberDone(who=who, rules=("WYR-002",))
    present = {slot.id: slot for slot in order_sides(table, npcs_first=False)}
    known = [slot.id for slot in draft.slots if slot.id in present]
    slots = tuple([present[side] for side in dict.fromkeys((*known, *present))])
    if draft.slots and [(one.id, one.members) for one in slots] != [(one.id, one.members) for one in draft.slots]:
        yield OrderSet(slots=slots, rules=("WYR-002",))
        ours = table.derive(list_pc_sides)
        for slot in slots[len(known) :]:
            seen = any(table.is_known(who) for who in slot.members)
            if seen and slot.id in ours and not ours.issuperset(known):
                yield LATE.set_on(slot.id, True, "WYR-T55")


def end_round(table: Table) -> Rule[str]:
    """Open the next round; surprise ends, and player characters go first again (WYR-T39).

    An order that the game master ruled without any surprise stays as it is.
    """
    ours = table.derive(list_pc_sides)
    late = SURPRISE.is_on(table, FIGHT)
    if late:
        yield SURPRISE.clear_on(FIGHT)
    for who in tuple(table.draft.combatants):
        yield from end_condition(table, who, "surprised", "WYR-002")
    yield RoundBegan(round=table.draft.round + 1, rules=("WYR-002",))
    if late and table.config.surprise_order == "first_round":
        slots = table.draft.slots
        usual = tuple(sorted(slots, key=lambda slot: slot.id not in ours))
        if usual != slots:
            yield OrderSet(slots=usual, rules=("WYR-002", "WYR-T39"))
    yield from _bring_forward(table)
    return "next_round"


def _bring_forward(table: Table) -> Rule[None]:
    """Let late sides of player characters act with the other ones (WYR-T55)."""
    late = [slot for slot in table.draft.slots if LATE.is_on(table, slot.id)]
    if not late:
        return
    for slot in late:
        yield LATE.clear_on(slot.id)
    ours = table.derive(list_pc_sides)
    rest = [slot for slot in table.draft.slots if slot not in late]
    at = max((nth for nth, slot in enumerate(rest, 1) if slot.id in ours), default=0)
    slots = (*rest[:at], *late, *rest[at:])
    if slots != table.draft.slots:
        yield OrderSet(slots=slots, rules=("WYR-002", "WYR-T55"))
