"""Surprise, initiative and the order of turns.

The procedures here bring up slots, rounds and beasts.
"""

from collections.abc import Mapping
from functools import partial

from affray.engine.core.changes import set_pool
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.kit.relations import find_relation
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.sheets import is_pc
from affray.engine.kit.turn_groups import settle_groups
from affray.engine.kit.turn_order import (
    find_called_up_slot,
    find_first_known,
    find_first_rolled,
    find_next_to_roll,
    find_place_in_order,
    has_had_turn,
    is_only_known,
    list_called_up,
    list_known_first,
    list_slots_to_come,
    list_without_turn,
    remove_called_up,
)
from affray.engine.rulesets.wwn.chapters.beasts import master_beasts
from affray.engine.rulesets.wwn.chapters.checks import oppose
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.harm import count_bleeding
from affray.engine.rulesets.wwn.marks import FIGHT, QUICK, SNEAK, SURPRISED, WAITS, WATCHER
from affray.engine.rulesets.wwn.sheet import dex_or_int, find_gift, has_gift, is_active, is_mount, own_attribute
from affray.events import Dice, Id, Modifier, Option, OrderSet, Rolled, Slot, Source, TurnBegan

from .acting import end_denials, end_if_over, end_turn, find_due_beast, has_active_actor
from .rounds import begin_round, give_mount_actions


def group_units(table: Table) -> dict[Id, tuple[Id, ...]]:
    """Return the units that share a roll and a slot: each PC, then each group of foes (WWN-003).

    They are in roster order. Mounts do not roll. A foe whose group otherwise holds only concealed combatants rolls
    alone, and so do they. A concealed combatant does not move its group forward.
    """
    people = table.draft.combatants
    found: dict[Id, tuple[Id, ...]] = {who: (who,) for who in people if is_pc(table, who)}
    for who in list_known_first(table, people):
        if is_pc(table, who) or is_mount(table, who):
            continue
        group = find_relation(table, "group", who)
        foes = tuple([one.who for one in group.members if not is_pc(table, one.who)]) if group else ()
        if group is None or is_only_known(table, foes):
            found[who] = (who,)
        else:
            found[group.id] = foes
    return found


def roll_initiative(table: Table) -> Rule[str]:
    """Roll for every PC and every group of foes, sort, and begin the round (WWN-T40)."""
    rolls = yield from _roll_all(table)
    slots = [
        Slot(id=unit, members=members, score=_read_score(table, unit, rolls[find_first_rolled(table, members, rolls)]))
        for unit, members in table.derive(group_units).items()
    ]
    slots += [slot for slot in table.draft.slots if _is_own_slot(table, slot) and slot.id not in rolls]
    slots.sort(key=partial(_sort_key, table, rolls), reverse=True)
    yield OrderSet(slots=tuple(slots), rules=("WWN-006", "WWN-007"))
    if (yield from end_if_over(table)):
        return "over"
    yield from begin_round(table)
    yield from settle_groups(table, group_units, "WWN-003", "WWN-T28")
    return "ordered"


def _read_score(table: Table, unit: Id, roll: Rolled) -> int:
    """Return the total of a unit's roll, with the present bonus of a quick group."""
    if is_pc(table, table.derive(group_units)[unit][0]):
        return roll.total
    since = sum(term.value for term in list_quick_bonus(table, unit))
    return roll.total + since - sum(term.value for term in roll.modifiers if term.rule == "WWN-005")


def _is_own_slot(table: Table, slot: Slot) -> bool:
    """Tell whether the game master gave this slot to a riderless mount."""
    return len(slot.members) == 1 and slot.id in table.draft.combatants and is_mount(table, slot.id)


def _sort_key(table: Table, rolls: Mapping[Id, Rolled], slot: Slot) -> tuple[int, ...]:
    """Return the sort key of a slot: its total, then PC, then modifier (WWN-006, WWN-007)."""
    hero = slot.id in rolls and is_pc(table, slot.members[0])
    return (slot.score, sum(term.value for term in rolls[slot.id].modifiers)) if hero else (slot.score,)


def _roll_all(table: Table) -> Rule[dict[Id, Rolled]]:
    """Roll the d8 of every unit, and return the roll of each combatant (WWN-001).

    While one is awaited, a ruling may put another unit first, and newcomers roll with the others. A combatant who
    becomes a PC while its die is awaited chooses first, as any PC does (WWN-002).
    """
    rolls: dict[Id, Rolled] = {}
    while unit := _find_next(table, rolls):
        answer = yield from choice(partial(_build_attribute_question, table, rolls, unit))
        roll = yield from throw(partial(_build_roll, table, rolls, unit, answer.choice if answer else ""))
        if roll is not None:
            rolls |= dict.fromkeys(table.derive(group_units)[unit], roll)
    return rolls


def _find_next(table: Table, rolls: Mapping[Id, Rolled]) -> Id:
    return find_next_to_roll(table, table.derive(group_units), rolls)


def _build_attribute_question(table: Table, rolls: Mapping[Id, Rolled], unit: Id) -> Ask | None:
    """Return the question which modifier a PC adds: Dex or Int.

    A PC out of the fight is not asked.
    """
    if table.config.initiative_attribute != "choose" or _find_next(table, rolls) != unit:
        return None
    who = table.derive(group_units)[unit][0]
    if not is_pc(table, who) or not is_active(table, who):
        return None
    options = tuple(Option(choice=way, says=f"adds {way}") for way in ("dex", "int"))
    return Ask(of=(who,), about=f"initiative:{who}", options=options, rules=("WWN-002",))


def _build_roll(table: Table, rolls: Mapping[Id, Rolled], unit: Id, way: str) -> Roll | None:
    """Return the roll of a unit: a PC adds a modifier, a quick group its bonus.

    Return nothing if another unit comes first by now, or if the PC must choose before it rolls (WWN-001 to WWN-005).
    """
    if _find_next(table, rolls) != unit or (not way and _build_attribute_question(table, rolls, unit)):
        return None
    who = table.derive(group_units)[unit][0]
    dice = Dice(count=1, sides=8, kind="initiative")
    terms, rules = list_quick_bonus(table, unit), ("WWN-003", "WWN-004")
    if is_pc(table, who):
        terms, rules = _list_own_modifier(table, who, way), ("WWN-001", "WWN-002")
        twice = find_gift(table, who, "initiative_dice")
        if twice:
            dice = Dice(count=twice.stats["initiative_dice"], sides=8, kind="initiative", keep="highest")
    by = find_first_known(table, table.derive(group_units)[unit])
    return Roll(dice=(dice,), purpose=f"initiative:{unit}", by=by, modifiers=terms, rules=rules)


def _list_own_modifier(table: Table, who: Id, chosen: str) -> tuple[Modifier, ...]:
    """Return the modifier that a PC adds: chosen, configured, or the better (WWN-002)."""
    way = chosen or table.config.initiative_attribute
    return (own_attribute(table, who, way if way in ("dex", "int") else dex_or_int(table, who), "WWN-002"),)


def list_quick_bonus(table: Table, unit: Id) -> tuple[Modifier, ...]:
    """Return the bonus of a quick group; other foes have none (WWN-004, WWN-005).

    It is the ruled bonus, or else the least of its known members.
    """
    bonus = QUICK.of(table, unit)
    if not QUICK.is_on(table, unit):
        members = table.derive(group_units)[unit]
        bonus = min(QUICK.of(table, who) for who in table.list_known(members) or members)
    return (
        (Modifier(value=bonus, label="quick", source=Source(of=unit, name="quick"), rule="WWN-005"),) if bonus else ()
    )


def find_place(table: Table, new: Slot) -> int:
    """Return the index of a newcomer's slot in the order; a PC comes before tied foes."""
    hero, bonus = is_pc(table, new.members[0]), _find_tie_break(table, new)

    def is_ahead(slot: Slot) -> bool:
        return slot.score > new.score or (
            slot.score == new.score and not (hero and _find_tie_break(table, slot) < bonus)
        )

    return find_place_in_order(table, table.draft.slots, new, is_ahead)


def _find_tie_break(table: Table, slot: Slot) -> int:
    """Return the tie-break of a slot: a PC's own modifier; foes come after every PC."""
    who = find_first_known(table, slot.members)
    return sum(term.value for term in _list_own_modifier(table, who, "")) if is_pc(table, who) else -99


def settle_surprise(table: Table) -> Rule[str]:
    """Settle a side's surprise; the others then act once, in roster order (WWN-T35)."""
    side, watcher, sneak = (note.of(table, FIGHT) for note in (SURPRISED, WATCHER, SNEAK))
    caught = True
    if watcher and sneak:
        sees, hides = ("wis", "notice"), ("dex", "sneak")
        caught = not (yield from oppose(table, watcher, sees, sneak, hides, "WWN-T35", resisting=watcher))
    for note in (SURPRISED, WATCHER, SNEAK):
        yield from note.end_on(table, FIGHT, "WWN-T35")
    if caught:
        yield from _surprise_side(table, side)
    return "caught" if caught else "noticed"


def _surprise_side(table: Table, side: str) -> Rule[None]:
    """Take the actions of the surprised, and let all others act in roster order (WWN-T62)."""
    slots, rules = [], ("WWN-T35", "WWN-T62")
    for who in tuple(table.draft.combatants):
        if table[who].side == side and not has_gift(table, who, "unsurprised"):
            for pool in ("main", "move"):
                if table.pool(who, pool):
                    yield set_pool(table, who, pool, 0, *rules)
        elif is_active(table, who) and not is_mount(table, who) and not rider_of(table, who):
            slots.append(Slot(id=who, members=(who,)))
    yield OrderSet(slots=tuple(slots), rules=rules)


def next_slot(table: Table) -> Rule[str]:
    """Begin the turn of the next slot with active members (WWN-T41).

    Combatants to whom the game master gave the next turn come first (WWN-T74).
    """
    for who in list_called_up(table):
        if is_active(table, who) and not is_carried(table, who):
            yield from _begin_called_turn(table, who)
            return "rides_up" if find_due_beast(table) else "comes_up"
    for slot in list_slots_to_come(table):
        waiting = list_without_turn(table, slot.id, slot.members)
        members = tuple([who for who in waiting if is_active(table, who) and not is_carried(table, who)])
        if members and WAITS.of(table, slot.id) != table.draft.round:
            rules = ("WWN-006", "WWN-003") if len(table.list_known(slot.members)) > 1 else ("WWN-006",)
            yield TurnBegan(slot=slot.id, members=members, rules=rules)
            for who in members:
                yield from start_turn(table, who)
            return "rides_up" if find_due_beast(table) else "comes_up"
    over = yield from end_if_over(table)
    return "over" if over else "all_had_one"


def _begin_called_turn(table: Table, called: Id) -> Rule[None]:
    """Begin the turn that the game master gave a combatant (WWN-T74).

    Its slot comes along if it has not had its turn. For an extra turn it has a Main and a Move Action again.
    """
    slot = find_called_up_slot(table, called)
    again = slot.id not in [one.id for one in table.draft.slots] or has_had_turn(table, slot)
    members = tuple(who for who in slot.members if is_active(table, who) and not is_carried(table, who))
    yield TurnBegan(slot=slot.id, members=members, rules=("WWN-T74",))
    yield from remove_called_up(table, called, "WWN-T74")
    for who in members:
        for pool in ("main", "move") if again else ():
            if table.pool(who, pool) != 1:
                yield set_pool(table, who, pool, 1, "WWN-T74")
        yield from start_turn(table, who)


def is_carried(table: Table, who: Id) -> bool:
    """Tell whether a combatant is a mount that acts with its rider (WWN-053)."""
    return is_mount(table, who) and bool(rider_of(table, who))


def start_turn(table: Table, who: Id) -> Rule[None]:
    """Let a shield guard its bearer again, and give a mount its own actions."""
    if table[who].has("shield_committed"):
        yield from end_denials(table, who, "shield_committed", "WWN-047", "WWN-048")
    mount = who if is_mount(table, who) else mount_of(table, who)
    if mount:
        yield from give_mount_actions(table, mount, who)


def check_ridden_beasts(table: Table) -> Rule[str]:
    """Check the acting riders' beasts; end the turn if no acting combatant is left."""
    yield from master_beasts(table)
    if has_active_actor(table):
        return "checked"
    yield from end_turn(table)
    return "spent"


def end_round(table: Table) -> Rule[str]:
    """Let the wounded bleed, then begin the next round in the same order (WWN-T36, WWN-T47).

    New groups may change the order.
    """
    for who in tuple(table.draft.combatants):
        yield from count_bleeding(table, who)
    if table.draft.round == 0 or table.config.reroll_initiative:
        return "reroll"
    yield from begin_round(table)
    yield from settle_groups(table, group_units, "WWN-003", "WWN-T28")
    return "next_round"
