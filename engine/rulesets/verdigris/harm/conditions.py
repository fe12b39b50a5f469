"""Conditions gained and lost, Death's Door, and the slain."""

from __future__ import annotations

from functools import partial

from affray.engine.core.changes import end_condition, move_item, set_condition, set_pool
from affray.engine.core.effects import Rule
from affray.engine.kit.relations import find_relation, remove_members
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.chapters.pushing import exhaust
from affray.engine.rulesets.verdigris.chapters.rolls import save, try_save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import count_free_hands, count_hands, count_hands_for, list_held
from affray.engine.rulesets.verdigris.movement.melees import dissolve, end_grapples_of, leave_melee
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.engine.rulesets.verdigris.tables import conditions
from affray.events import Clause, Id, Judged

LASTING = frozenset(
    {"crawling", "hand_out", "arm_out", "leg_out", "weakened", "shaken", "disheartened", "scattered", "exhausted"}
)
"""Conditions that last until their injury heals."""


def afflict(table: Table, who: Id, condition: str, more: int, *rules: Clause, source: Id = "") -> Rule[None]:
    """Give a combatant a condition, with the consequences of gaining it (VER-T30).

    Stunned calls for a Withstand save with as many SL as its count; on a failure the combatant falls prone. An
    unconscious combatant drops what it holds.
    """
    row = conditions().get(condition)
    before = table[who].conditions.get(condition, {}).get(source, 0)
    if row is not None and not row.stacks and before:
        return
    first = not table[who].has(condition)
    after = before + more if row is None or row.stacks else 1
    yield set_condition(table, who, condition, after, *rules, "VER-S30", "VER-T30", source=source)
    if condition in marks.SINCE and first:
        yield marks.SINCE[condition].set_on(who, 0, "VER-S30")
    elif condition == "stunned":
        yield from _reel(table, who)
    elif condition == "unconscious":
        yield from drop_all(table, who, "VER-S30")
        yield from end_grapples_of(table, who, "VER-S30")
        yield from lose_readied(table, who)
    elif condition == "paralysed":
        yield from lose_readied(table, who)
    elif condition in ("hand_out", "arm_out"):
        yield from drop_excess(table, who)


def _reel(table: Table, who: Id) -> Rule[None]:
    """Save to stay on one's feet, or fall prone (table 5.4)."""
    needs, still = sheet.count_condition(table, who, "stunned"), partial(must_still_suffer, table, who, "stunned")
    rules = ("VER-S30", "VER-T47")
    save = try_save(table, who, "withstand", needs, *rules, purpose=f"stunned:{who}", ground=still)
    if (yield from sheet.try_rule(save)) is False and not table[who].has("prone"):
        yield set_condition(table, who, "prone", 1, "VER-S30")


def lessen(table: Table, who: Id, condition: str, by: int, *rules: Clause) -> Rule[None]:
    """Reduce a condition, and apply what its end leaves (table 5.4).

    A condition that does not stack goes wholly.
    """
    row = conditions().get(condition)
    if row is not None and not row.stacks:
        by = sheet.count_condition(table, who, condition)
    for source, held_now in list(table[who].conditions.get(condition, {}).items()):
        gone = min(held_now, by)
        if gone <= 0:
            break
        yield set_condition(table, who, condition, held_now - gone, *rules, "VER-S30", source=source)
        by -= gone
    if not table[who].has(condition):
        yield from end_last(table, who, condition)


def end_last(table: Table, who: Id, condition: str) -> Rule[None]:
    """Apply what follows the end of a condition: most leave exhaustion (table 5.4)."""
    if condition in marks.SINCE and marks.SINCE[condition].is_on(table, who):
        yield marks.SINCE[condition].clear_on(who, "VER-S30")
    row = conditions().get(condition)
    if row is None or not row.leaves:
        return
    if condition == "bleeding":
        save = try_save(table, who, "withstand", 1, "VER-S30", purpose=f"blood lost:{who}")
        if (yield from save):
            return
    if condition == "stunned" and table[who].has(row.leaves):
        return
    left = table[who].conditions.get(row.leaves, {}).get("", 0)
    yield set_condition(table, who, row.leaves, left + 1, "VER-S30")


def must_still_suffer(table: Table, who: Id, condition: str) -> None:
    """Refuse a save against a condition that has ended (table 5.4)."""
    if not table[who].has(condition):
        raise table.refuse(who, f"is {condition} no more", "VER-T30")


def lose_readied(table: Table, who: Id) -> Rule[None]:
    """Lose a readied attack, and all notes on it (VER-075)."""
    if table[who].has("readied"):
        yield from end_condition(table, who, "readied", "VER-075")
    if who in table.draft.marks:
        for mark in marks.READIED:
            yield from mark.end_on(table, who, "VER-075")


def die(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Take a combatant out of play: slain, or dead at Death's Door or of an injury (VER-090, VER-T32)."""
    if not sheet.is_in_play(table, who):
        return
    yield set_condition(table, who, condition, 1, *rules, "VER-T32")
    yield from end_grapples_of(table, who, *rules)
    yield from lose_readied(table, who)
    yield from leave_melee(table, who, *rules, "VER-031")
    yield from unhorse(table, who)


def unhorse(table: Table, fallen: Id) -> Rule[None]:
    """Part rider and mount; the rider of a slain mount falls prone."""
    ridden = find_relation(table, "mount", fallen)
    if ridden is None:
        return
    yield remove_members(ridden, rules=("VER-068",))
    if is_mount(table, fallen):
        for member in ridden.members:
            if member.who != fallen and sheet.is_in_play(table, member.who) and not table[member.who].has("prone"):
                yield set_condition(table, member.who, "prone", 1, "VER-068")


def reach_deaths_door(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Come to Death's Door: out of grapples and melees (VER-094, VER-095, VER-T33)."""
    if table[who].has("deaths_door"):
        return
    yield set_condition(table, who, "deaths_door", 1, "VER-094", "VER-095", "VER-T33", *rules)
    yield from end_grapples_of(table, who, "VER-094")
    yield from lose_readied(table, who)
    melee = find_relation(table, "melee", who)
    if melee is not None:
        yield from dissolve(table, melee.id)


def hold_on(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Save at Death's Door, without armour or stress: hold on, or die (VER-096, VER-097)."""
    stable = table[who].has("stable")

    def still_there() -> None:
        if not table[who].has("deaths_door") or (table[who].has("stable") and not stable):
            raise table.refuse(who, "has no save to make any more", "VER-097")

    rules, purpose = ("VER-096", *rules), f"deaths_door:{who}"
    result = yield from save(table, who, "withstand", *rules, purpose=purpose, needs=1, ground=still_there)
    holds = result.sl >= 1
    outcome = "holds on" if holds else "dies"
    yield Judged(roll=result.roll, outcome=outcome, margin=result.sl - 1, rules=("VER-097",))
    if not holds:
        yield from exhaust(table, who, result)
        yield from die(table, who, "dead", "VER-097")


def leave_deaths_door(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Leave Death's Door after healing."""
    for condition in ("deaths_door", "stable"):
        yield from end_condition(table, who, condition, *rules)


def heal(table: Table, who: Id, hp: int, *rules: Clause) -> Rule[None]:
    """Heal hit points up to their maximum (table 5.4).

    A poisoned combatant at 0 hit points cannot be healed.
    """
    now, most = table.pool(who, "hp"), stat(table, who, "hp")
    after = min(most, now + hp)
    if not sheet.is_in_play(table, who) or after == now or (not now and table[who].has("poisoned")):
        return
    yield set_pool(table, who, "hp", after, *rules)
    yield from leave_deaths_door(table, who, "VER-097")


def drop(table: Table, item: Id, *rules: Clause) -> Rule[None]:
    """Drop an item to the ground where its owner stands."""
    owner = table.item(item).owner
    yield move_item(table, item, table[owner].place or "ground", *rules, owner="")


def drop_all(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Drop everything held in hand; what is strapped on stays."""
    for item in list_held(table, who):
        if count_hands_for(item):
            yield from drop(table, item.id, *rules)


def drop_excess(table: Table, who: Id) -> Rule[None]:
    """Drop what the remaining hands cannot hold, shields first (VER-T34, table 5.4)."""
    while count_free_hands(table, who) < 0:
        in_the_way = [one for one in list_held(table, who) if count_hands_for(one)]
        last = max(in_the_way, key=lambda one: (one.kind == "shield", count_hands_for(one), one.id))
        rules = ("VER-S26",) if count_hands(table, who) == 2 else ("VER-T34", "VER-S30")
        yield from drop(table, last.id, *rules)
