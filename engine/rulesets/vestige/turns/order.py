"""The turn order: groups, initiative, the next turn, starts and ends of turns and rounds."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import end_condition, set_pool
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Combatant
from affray.engine.kit.relations import leave_relation, list_relations, set_relation
from affray.engine.kit.sheets import stat
from affray.engine.kit.turn_groups import settle_groups
from affray.engine.kit.turn_order import (
    find_called_up_slot,
    find_first_known,
    find_first_rolled,
    find_next_to_roll,
    is_only_known,
    list_called_up,
    list_known_first,
    list_slots_to_come,
    list_without_turn,
    remove_called_up,
)
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.harm import end_if_over
from affray.engine.rulesets.vestige.marks import ACTED, CUT_SHORT, DONE, FIGHT, LATE, SPLIT_OFF, WAITS
from affray.engine.rulesets.vestige.sheet import is_active, must_be_active
from affray.events import (
    Dice,
    Id,
    Member,
    MemberDone,
    Modifier,
    OrderSet,
    RelationSet,
    Rolled,
    RoundBegan,
    Slot,
    TurnBegan,
)


def likeness(table: Table, one: Combatant) -> tuple[object, ...]:
    """Return what identical combatants share: side, numbers, weapons and skills (VES-005)."""
    gear = tuple(
        (item.id.removeprefix(f"{one.id}."), item.kind, tuple(item.stats.items()), item.traits, item.features)
        for item in table.items_of(one.id)
    )
    return (one.side, tuple(one.stats.items()), one.traits, gear)


def form_group(name: Id, *members: Id) -> RelationSet:
    """Let combatants share an initiative die and act together (VES-006)."""
    return set_relation(name, "group", *(Member(who=who) for who in members), rules=("VES-005", "VES-006"))


def regroup(table: Table) -> Rule[None]:
    """Remove members that differ from the first of their group, before it rolls.

    By VES-005.
    """
    for group in [one for one in table.draft.relations.values() if one.kind == "group"]:
        members = [one.who for one in group.members]
        first = likeness(table, table[find_first_known(table, members)])
        others = tuple(who for who in members if likeness(table, table[who]) != first)
        if others:
            yield leave_relation(table, group, *others, rules=("VES-005",))


def list_units(table: Table) -> dict[Id, tuple[Id, ...]]:
    """Return the units that act together: groups and single combatants, in roster order.

    A combatant grouped only with concealed ones counts as single, and so do they. Thus no concealed
    member makes its group roll earlier.
    """
    groups = list_relations(table, "group")
    found: dict[Id, tuple[Id, ...]] = {}
    for who in list_known_first(table, table.draft.combatants):
        group = groups.get(who)
        members = tuple([one.who for one in group.members]) if group else ()
        if group is None or is_only_known(table, members):
            found[who] = (who,)
        else:
            found[group.id] = members
    return found


def roll_initiative(table: Table) -> Rule[str]:
    """Roll initiative for all, and order the slots, the highest first (VES-004, VES-T04)."""
    if table.draft.round == 0:
        yield RoundBegan(round=1, rules=("VES-T03",))
    rolls = yield from _throw_all(table)
    slots = [
        Slot(id=unit, members=members, score=rolls[find_first_rolled(table, members, rolls)].total)
        for unit, members in list_units(table).items()
    ]
    if table.config.initiative_tie == "agility":
        slots.sort(key=lambda slot: stat(table, find_first_known(table, slot.members), "agility"), reverse=True)
    slots.sort(key=lambda slot: slot.score, reverse=True)
    _put_behind_groups(slots, SPLIT_OFF.of(table, FIGHT), rolls)
    yield from SPLIT_OFF.end_on(table, FIGHT, "VES-G04")
    yield OrderSet(slots=tuple(slots), rules=("VES-004", "VES-T04"))
    return "over" if (yield from end_if_over(table)) else "ordered"


def _put_behind_groups(slots: list[Slot], split_off: Sequence[Id], rolls: Mapping[Id, Rolled]) -> None:
    """Move each combatant that was split off after its group's roll directly behind the group."""
    for who in split_off:
        own = next((slot for slot in slots if slot.members == (who,)), None)
        shared = [slot for slot in slots if slot.id not in split_off and rolls[slot.members[0]] is rolls.get(who)]
        if own and shared:
            slots.remove(own)
            slots.insert(slots.index(shared[0]) + 1, own)


def _throw_all(table: Table) -> Rule[dict[Id, Rolled]]:
    """Roll a die for each unit in roster order; return each combatant's roll (VES-003).

    While one is awaited, a ruling may put another unit first, and newcomers roll with the others.
    """
    rolls: dict[Id, Rolled] = {}
    while unit := find_next_to_roll(table, list_units(table), rolls):
        roll = yield from throw(partial(_build_initiative_roll, table, rolls, unit))
        if roll is not None:
            rolls |= dict.fromkeys(list_units(table)[unit], roll)
    return rolls


def _build_initiative_roll(table: Table, rolls: Mapping[Id, Rolled], unit: Id) -> Roll | None:
    """Return the initiative roll of a unit, or nothing if another unit comes first by now."""
    units, bonus = list_units(table), table.config.initiative_modifier
    if find_next_to_roll(table, units, rolls) != unit:
        return None
    members = units[unit]
    return Roll(
        dice=(Dice(count=1, sides=20, kind="initiative"),),
        purpose=f"initiative:{unit}",
        by=find_first_known(table, members),
        modifiers=(Modifier(value=bonus, label="initiative", rule="VES-T04"),) if bonus else (),
        rules=("VES-003", "VES-005", "VES-006", "VES-007") if members != (unit,) else ("VES-003",),
    )


def next_slot(table: Table) -> Rule[str]:
    """Begin the turn of the next slot with an active member, all members at once (VES-007, VES-008).

    Combatants that the game master gave the next turn go first (VES-T50).
    """
    for who in list_called_up(table):
        if is_active(table, who):
            yield from _begin_called_turn(table, who)
            return "comes_up"
    for slot in list_slots_due(table):
        members = tuple(who for who in list_without_turn(table, slot.id, slot.members) if is_active(table, who))
        if members and WAITS.of(table, slot.id) != table.draft.round:
            rules = ("VES-008", "VES-007") if len(table.list_known(slot.members)) > 1 else ("VES-008",)
            yield TurnBegan(slot=slot.id, members=members, rules=rules)
            for who in members:
                yield from start_turn(table, who)
            return "comes_up"
    return "over" if (yield from end_if_over(table)) else "all_had_one"


def _begin_called_turn(table: Table, called: Id) -> Rule[None]:
    """Begin the turn that the game master gave a combatant, with its slot if due (VES-T50)."""
    slot = find_called_up_slot(table, called)
    members = tuple(who for who in slot.members if is_active(table, who))
    yield TurnBegan(slot=slot.id, members=members, rules=("VES-T50",))
    yield from remove_called_up(table, called, "VES-T50")
    for who in members:
        yield from start_turn(table, who)


def is_due(table: Table, slot: Slot) -> bool:
    """Return whether a slot's own turn of this round is still to come.

    A late turn of an earlier round does not count. By VES-054.
    """
    return table.draft.counts.get(f"{slot.id}/turn", 0) <= LATE.of(table, slot.id)


def begin_late_turn(table: Table, slot: Slot) -> Rule[None]:
    """Note that a slot begins a turn of an earlier round, before its own of this one (VES-T48)."""
    yield LATE.set_on(slot.id, LATE.of(table, slot.id) + 1, "VES-T48")


def list_slots_due(table: Table) -> Iterator[Slot]:
    """Yield the slots that have not had their turn of this round, in order."""
    if list_late(table):
        return (slot for slot in table.draft.slots if is_due(table, slot))
    return list_slots_to_come(table)


def list_late(table: Table) -> list[Id]:
    """Return the slots that have begun a turn of an earlier round in this one."""
    return sorted([owner for owner, marks in table.draft.marks.items() if LATE.key in marks])


def end_round(table: Table) -> Rule[str]:
    """Open the next round; delayed turns outlive the round (VES-T03)."""
    for slot in list_late(table):
        yield LATE.clear_on(slot, "VES-T48")
    yield RoundBegan(round=table.draft.round + 1, rules=("VES-T03",))
    yield from settle_groups(table, list_units, "VES-006", "VES-G04", is_held=lambda who: table[who].has("delayed"))
    return "reroll" if table.config.reroll_initiative else "next_round"


def find_slot(table: Table, id: Id) -> Slot:
    """Return a slot of the turn order by its id."""
    return next(slot for slot in table.draft.slots if slot.id == id)


def find_slot_with(table: Table, who: Id) -> Slot:
    """Return the slot of the turn order that a combatant belongs to."""
    return next(slot for slot in table.draft.slots if who in slot.members)


def find_first_to_act(table: Table) -> Id:
    """Return a member of the active slot that has acted or ended its turn, or nothing.

    A viewer from whom the slot is hidden gets nothing.
    """
    round_ = table.draft.round
    members = (who for slot in table.draft.slots if slot.id == table.draft.up for who in slot.members)
    return next((who for who in members if round_ in (ACTED.of(table, who), DONE.of(table, who))), "")


def start_turn(table: Table, who: Id) -> Rule[None]:
    """Regain ep, drop an unplayed token, and reset to two actions (VES-015, VES-041, VES-T13)."""
    for noted in (ACTED, CUT_SHORT, DONE):
        if noted.of(table, who) == table.draft.round:  # in a late turn, shortly before
            yield noted.clear_on(who, "VES-T48")
    config = table.config
    regain = table[who].stats.get("ep_regain", config.ep_regain)
    most, ep = stat(table, who, "ep"), table.pool(who, "ep")
    if regain and ep < most:
        yield set_pool(table, who, "ep", min(most, ep + regain), "VES-015", "VES-T13")
    if config.readied_lapse == "next_turn_start":
        yield from end_condition(table, who, "readied", "VES-041", "VES-T26")
    yield from end_condition(table, who, "delayed", "VES-054")
    if table.pool(who, "actions") != 2:
        yield set_pool(table, who, "actions", 2, "VES-009")


def let_latecomers_act(table: Table) -> Rule[None]:
    """Give members of the active slot that recover the turn, or the rest of it.

    By VES-007.
    """
    up, acting = table.draft.up, table.draft.acting
    mates = [who for slot in table.draft.slots if slot.id == up for who in slot.members if who not in acting]
    late = tuple(who for who in mates if _is_late(table, who))
    if late:
        slot = find_slot(table, up)
        if is_due(table, slot):
            yield from begin_late_turn(table, slot)
        yield TurnBegan(slot=up, members=(*acting, *late), rules=("VES-007",))
        for who in late:
            if CUT_SHORT.of(table, who) != table.draft.round:
                yield from start_turn(table, who)


def _is_late(table: Table, who: Id) -> bool:
    """Return whether a combatant can join its slot's turn: active, not done or delaying."""
    return is_active(table, who) and DONE.of(table, who) != table.draft.round and not table[who].has("delayed")


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End the turn without readying."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a combatant that is out of the fight."""
        must_be_active(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """End the actor's turn; the slot's turn ends with its last member's."""
        yield from end_turn(table, actor, "VES-051")


def end_turn(table: Table, actor: Id, *rules: str) -> Rule[None]:
    """End one member's turn, and note its round (VES-051)."""
    yield DONE.set_on(actor, table.draft.round, *rules)
    yield MemberDone(who=actor, rules=rules)
