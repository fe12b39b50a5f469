"""Surprise, and the order of turns (WWN-001 to WWN-007)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from affray.engine.core.changes import marked, pool_set
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.core.table import Table
from affray.engine.kit.relations import bond
from affray.events import Clause, Dice, Id, Modifier, Option, OrderSet, Rolled, RoundBegan, Slot

from .arms import gift, has_gift
from .budgets import refreshed
from .checks import opposed
from .harm import end, is_over, winners
from .sheet import active, attribute, is_mount, is_pc, rider_of


class Unit(NamedTuple):
    """Who shares a roll and a slot, in roster order."""

    id: Id
    members: tuple[Id, ...]


def units(table: Table) -> tuple[Unit, ...]:
    """Return every PC, then every group of foes, in roster order; no mount rolls (WWN-001, WWN-003, WWN-053)."""
    people = table.draft.combatants
    found = {who: Unit(who, (who,)) for who in people if is_pc(table, who)}
    for who in people:
        if is_pc(table, who) or is_mount(table, who):
            continue
        group = bond(table, "group", who)
        if group is None:
            found[who] = Unit(who, (who,))
        elif group.id not in found:
            found[group.id] = Unit(group.id, tuple(one.who for one in group.members if not is_pc(table, one.who)))
    return tuple(found.values())


def initiative(table: Table) -> Rule[str]:
    """Roll for every PC and every group of foes, sort, and open the round (WWN-001 to WWN-007)."""
    rolls = yield from _rolls(table)
    slots = [Slot(id=unit.id, members=unit.members, score=rolls[unit.id].total) for unit in table.derived(units)]
    slots += [slot for slot in table.draft.slots if _own_slot(table, slot) and slot.id not in rolls]
    slots.sort(key=partial(_count, table, rolls), reverse=True)
    yield OrderSet(slots=tuple(slots), rules=("WWN-006", "WWN-007"))
    if is_over(table):
        yield from end(table, winners(table), "at most one side can still fight")
        return "over"
    yield from next_round(table)
    return "ordered"


def _own_slot(table: Table, slot: Slot) -> bool:
    """Tell whether a slot is one that the game master gave to a riderless mount (WWN-053)."""
    return len(slot.members) == 1 and slot.id in table.draft.combatants and is_mount(table, slot.id)


def _count(table: Table, rolls: Mapping[Id, Rolled], slot: Slot) -> tuple[int, ...]:
    """Return what puts a slot before another: its total, then that it is a PC's, then its modifier (WWN-007)."""
    hero = slot.id in rolls and is_pc(table, slot.members[0])
    return (slot.score, sum(term.value for term in rolls[slot.id].modifiers)) if hero else (slot.score,)


def _rolls(table: Table) -> Rule[dict[Id, Rolled]]:
    """Roll the d8 of every unit there is by then; while one is awaited, a ruling may make another one come first.

    Who becomes a PC while its die is awaited chooses first, as any PC does (WWN-002).
    """
    rolls: dict[Id, Rolled] = {}
    while unit := _next(table, rolls):
        answer = yield from choice(partial(_which, table, rolls, unit.id))
        roll = yield from throw(partial(_roll, table, rolls, unit.id, answer.choice if answer else ""))
        if roll is not None:
            rolls[unit.id] = roll
    return rolls


def _next(table: Table, rolls: Mapping[Id, Rolled]) -> Unit | None:
    """Return the first unit that has not rolled (WWN-001, WWN-003)."""
    return next((unit for unit in table.derived(units) if unit.id not in rolls), None)


def _which(table: Table, rolls: Mapping[Id, Rolled], name: Id) -> Ask | None:
    """Return the question which modifier a PC adds, Dex or Int, never both; who is out is not asked (WWN-002)."""
    unit = _next(table, rolls)
    if table.config.initiative_attribute != "choose" or unit is None or unit.id != name:
        return None
    who = unit.members[0]
    if not is_pc(table, who) or not active(table, who):
        return None
    options = tuple(Option(choice=way, says=f"adds {way}") for way in ("dex", "int"))
    return Ask(of=(who,), about=f"initiative:{who}", options=options, rules=("WWN-002",))


def _roll(table: Table, rolls: Mapping[Id, Rolled], name: Id, way: str) -> Roll | None:
    """Return the roll of a unit whose turn to roll it is: a PC adds a modifier, a group only what makes it quick.

    Nothing if another one comes first by now, or is to choose before it rolls (WWN-001 to WWN-005).
    """
    unit = _next(table, rolls)
    if unit is None or unit.id != name or (not way and _which(table, rolls, name)):
        return None
    who = unit.members[0]
    dice = Dice(count=1, sides=8, kind="initiative")
    terms, rules = quick(table, unit.id), ("WWN-003", "WWN-004")
    if is_pc(table, who):
        terms, rules = _own_modifier(table, who, way), ("WWN-001", "WWN-002")
        twice = gift(table, who, "initiative_dice")
        if twice:
            dice = Dice(count=twice.stats["initiative_dice"], sides=8, kind="initiative", keep="highest")
    return Roll(dice=(dice,), purpose=f"initiative:{unit.id}", by=who, modifiers=terms, rules=rules)


def _own_modifier(table: Table, who: Id, chosen: str) -> tuple[Modifier, ...]:
    """Return the one modifier a PC adds: the better one, or as it is configured or was chosen (WWN-002)."""
    way = chosen or table.config.initiative_attribute
    if way not in ("dex", "int"):
        way = "int" if attribute(table, who, "int") > attribute(table, who, "dex") else "dex"
    return (Modifier(value=attribute(table, who, way), label=way, source=f"{who}.{way}", rule="WWN-002"),)


def quick(table: Table, unit: Id) -> tuple[Modifier, ...]:
    """Return what a quick group adds; other foes add nothing (WWN-004, WWN-005)."""
    bonus = table.mark(unit, "quick")
    if not isinstance(bonus, int) or not bonus:
        return ()
    return (Modifier(value=bonus, label="quick", source=f"{unit}/quick", rule="WWN-005"),)


def place_for(table: Table, new: Slot) -> int:
    """Return where a newcomer's slot goes in the order: a PC before foes who are level with it (WWN-006, WWN-007)."""
    hero, bonus = is_pc(table, new.members[0]), _bonus(table, new)
    for at, slot in enumerate(table.draft.slots):
        level_ = slot.score == new.score
        if slot.score < new.score or (level_ and hero and _bonus(table, slot) < bonus):
            return at
    return len(table.draft.slots)


def _bonus(table: Table, slot: Slot) -> int:
    """Return what decides between those who are level: a PC's own modifier; foes come after every PC (WWN-007)."""
    who = slot.members[0]
    return sum(term.value for term in _own_modifier(table, who, "")) if is_pc(table, who) else -99


def next_round(table: Table) -> Rule[None]:
    """Open the next round with fresh budgets; who has no place in the order gets the last one (WWN-G01)."""
    later = table.draft.round > 0 and not table.config.reroll_initiative
    yield RoundBegan(round=table.draft.round + 1, rules=("WWN-G01", "WWN-T36") if later else ("WWN-G01",))
    yield from _placed(table)
    for who, one in tuple(table.draft.combatants.items()):
        if "mount" not in one.traits:
            yield from refreshed(table, who)
        elif table.pool(who, "shock_ignored"):
            yield pool_set(table, who, "shock_ignored", 0, "WWN-G01")


def _placed(table: Table) -> Rule[None]:
    """Give a place in the order to whoever has none, such as a mount that a ruling made a fighter."""
    slots = table.draft.slots
    known = {who for slot in slots for who in slot.members}
    new = [who for who, one in table.draft.combatants.items() if who not in known and "mount" not in one.traits]
    if new:
        score = slots[-1].score if slots else 0
        more = tuple(Slot(id=who, members=(who,), score=score) for who in new)
        yield OrderSet(slots=(*slots, *more), rules=("WWN-006",))


def surprise(table: Table) -> Rule[str]:
    """Settle whether a side is surprised; the others then act once, in roster order (WWN-T35, WWN-T62)."""
    side = str(table.mark("fight", "surprised"))
    watcher, sneak = table.mark("fight", "watcher"), table.mark("fight", "sneak")
    caught = True
    if isinstance(watcher, str) and isinstance(sneak, str):
        pairs = ("wis", "notice"), ("dex", "sneak")
        caught = not (yield from opposed(table, watcher, pairs[0], sneak, pairs[1], "WWN-T35", resisting=watcher))
    for name in ("surprised", "watcher", "sneak"):
        if table.mark("fight", name) is not None:
            yield marked("fight", name, None, "WWN-T35")
    if not caught:
        return "noticed"
    yield from _caught(table, side, "WWN-T35", "WWN-T62")
    return "caught"


def _caught(table: Table, side: str, *rules: Clause) -> Rule[None]:
    """Take the actions of the surprised, and let all others act in roster order."""
    slots = []
    for who in tuple(table.draft.combatants):
        if table[who].side == side and not has_gift(table, who, "unsurprised"):
            for pool in ("main", "move"):
                if table.pool(who, pool):
                    yield pool_set(table, who, pool, 0, *rules)
        elif active(table, who) and not is_mount(table, who) and not rider_of(table, who):
            slots.append(Slot(id=who, members=(who,)))
    yield OrderSet(slots=tuple(slots), rules=rules)
