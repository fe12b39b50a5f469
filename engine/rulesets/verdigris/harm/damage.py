"""Dodge and Withstand, damage, and combatants who go down."""

from collections.abc import Callable, Sequence
from functools import partial

from affray.engine.core.changes import change_pool, set_condition, set_item_counter, set_pool
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.state import Item
from affray.engine.kit.modifiers import list_granted
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.chapters.pools import Pool, Share, list_burdens, quality
from affray.engine.rulesets.verdigris.chapters.pushing import Thrown, exhaust
from affray.engine.rulesets.verdigris.chapters.rolls import SAVE_NEEDS, save, throw_pool
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear import things
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.engine.rulesets.verdigris.tables import conditions
from affray.events import Clause, Damaged, Id, Modifier

from .conditions import die, hold_on, reach_deaths_door
from .injuries import injure


def alarm(table: Table, struck: Id) -> Rule[None]:
    """Note an attack on an untrained mount or its rider."""
    rider = rider_of(table, struck) if is_mount(table, struck) else struck
    mount = mount_of(table, rider) if rider else ""
    if mount and not sheet.is_trained(table, mount) and not marks.MOUNT_ALARMED.is_on(table, rider):
        yield marks.MOUNT_ALARMED.set_on(rider, True, "VER-061")


def roll_dodge(
    table: Table, struck: Id, attacker: Id, weapon: Item, ground: Callable[[], None] | None, *rules: Clause
) -> Rule[Thrown]:
    """Roll the Dodge save; the rider rolls it for its mount (VER-051, VER-068, VER-T57, VER-T65)."""
    dodger = struck
    if is_mount(table, struck):
        rules = (*rules, "VER-068")
        if table.config.mount_defence == "quality":
            present = partial(_build_mount_save, table, struck, "dodge", tuple, (*rules, "VER-T57"))
            return (yield from throw_pool(table, present, ground))
        dodger = rider_of(table, struck)
    if not dodger or not sheet.HELPLESS.isdisjoint(table[dodger].conditions):
        roll = yield Roll(dice=(), purpose="dodge", by=dodger or struck, reading="sixes", rules=rules)
        return Thrown(roll.roll, 0)
    if things.group_of(weapon) == "blackpowder" and things.find_shield(table, dodger) is not None:
        rules = (*rules, "VER-051")
    if attacker in table.draft.combatants and "large" in table[attacker].traits:
        rules = (*rules, "VER-T65")
    changes = partial(list_dodge_changes, table, dodger, attacker, weapon)
    return (yield from save(table, dodger, "dodge", *rules, changes=changes, ground=ground))


def exhaust_dodger(table: Table, struck: Id, dodge: Thrown) -> Rule[None]:
    """Exhaust a dodger who pushed in vain.

    For a struck mount the rider dodges.
    """
    yield from exhaust(table, rider_of(table, struck) if is_mount(table, struck) else struck, dodge)


def _build_mount_save(
    table: Table, mount: Id, kind: str, gear: Callable[[], Sequence[Share]], rules: tuple[Clause, ...]
) -> Pool:
    """Return a mount's pool for a save: Quality, and barding on Withstand.

    It cannot be pushed.
    """
    return Pool(
        who=mount,
        purpose=kind,
        shares=(quality(table, mount), *gear()),
        changes=(*list_burdens(table, mount, SAVE_NEEDS[kind]), *list_granted(table, mount, "VER-S05")),
        needs=SAVE_NEEDS[kind],
        is_test=False,
        may_push=False,
        rules=rules,
    )


def list_dodge_changes(table: Table, who: Id, attacker: Id, weapon: Item) -> list[Modifier]:
    """List the modifiers of gear and training on Dodge (VER-050)."""
    found: list[Modifier] = []
    weapons, armor, shield = things.arms_and_armor(table, who)
    burden = things.burden_of(table, who, armor)
    if burden:
        found.append(Modifier(value=-burden, label="impeding", source=f"{who}.armor", rule="VER-S16"))
    melee = things.is_melee(weapon)
    for item in weapons:
        if len(item.traits) > 1:
            found += _list_item_changes(table, item, attacker, melee=melee)
    stats = table[who].stats
    if shield is not None:
        if not melee and things.group_of(weapon) != "blackpowder":
            found.append(Modifier(value=1, label=shield.name, source=shield.id, rule="VER-050"))
        master = stats.get("shieldmaster", 0)
        if master:
            found.append(sheet.make_talent_modifier(who, "shieldmaster", master))
    if not melee and burden <= 1 and stats.get("light-on-your-feet"):
        found.append(sheet.make_talent_modifier(who, "light-on-your-feet", 1))
    return found


def _list_item_changes(table: Table, item: Item, attacker: Id, *, melee: bool) -> list[Modifier]:
    """List the Dodge modifiers of a weapon in hand (VER-S17, VER-S19).

    A broken one gives nothing, but is as cumbersome as before.
    """
    found = []
    if "cumbersome" in item.traits:
        found.append(Modifier(value=-1, label="cumbersome", source=item.id, rule="VER-S19"))
    if things.is_broken(item):
        return found
    if melee and "balanced" in item.traits:
        found.append(Modifier(value=1, label="balanced", source=item.id, rule="VER-S17"))
    if "long" in item.traits and attacker in table.draft.combatants:
        big = "large" in table[attacker].traits
        if big or mount_of(table, attacker) or is_mount(table, attacker):
            found.append(Modifier(value=1, label="long", source=item.id, rule="VER-S24"))
    return found


def roll_withstand(table: Table, struck: Id, attacker: Id, weapon: Item, ground: Callable[[], None]) -> Rule[Thrown]:
    """Roll the Withstand save; each SL takes one off the damage (VER-028)."""
    passed = things.list_ignoring_clauses(table, struck, weapon)
    gear = partial(things.list_armor_against, table, struck, attacker, weapon)
    if is_mount(table, struck):
        rules = ("VER-028", "VER-068", *passed)
        return (
            yield from throw_pool(table, partial(_build_mount_save, table, struck, "withstand", gear, rules), ground)
        )
    rules = ("VER-028", "VER-029", *passed)
    changes = partial(list_withstand_changes, table, struck)
    return (yield from save(table, struck, "withstand", *rules, gear=gear, changes=changes, ground=ground))


def list_withstand_changes(table: Table, who: Id) -> list[Modifier]:
    """List the Withstand dice of an unarmoured combatant's training (table 5.7)."""
    bare = stat(table, who, "flesh-and-bone")
    return (
        [sheet.make_talent_modifier(who, "flesh-and-bone", bare)]
        if bare and things.find_armor(table, who) is None
        else []
    )


def list_target_dice(table: Table, struck: Id, *, melee: bool) -> list[Modifier]:
    """List the attackers' dice for each condition of a target, at any count."""
    found = []
    for name in table[struck].conditions:
        row = conditions().get(name)
        dice = 0 if row is None else row.against.get("all", 0) + (row.against.get("melee", 0) if melee else 0)
        if dice:
            found.append(Modifier(value=dice, label=f"{name} target", source=f"{struck}.{name}", rule="VER-S30"))
    return found


def deal(table: Table, who: Id, terms: Sequence[Modifier], guard: Thrown | None, *rules: Clause) -> Rule[int]:
    """Sum up damage and what the Withstand save takes off (VER-030).

    A pushed save without effect may exhaust.
    """
    if guard is not None and guard.sl:
        terms = (*terms, Modifier(value=-guard.sl, label="withstand", source=f"{who}.withstand", rule="VER-030"))
    elif guard is not None and guard.pushed:
        yield from exhaust(table, who, guard)
    amount = max(0, sum([term.value for term in terms]))
    yield Damaged(who=who, terms=tuple(terms), amount=amount, rules=rules)
    return amount


def wound(table: Table, who: Id, amount: int, *rules: Clause, critical: bool = False) -> Rule[None]:
    """Take final damage from hit points, and apply what follows (VER-089, VER-T41).

    Args:
        amount: The damage after Withstand; it may be 0.
        critical: Whether an enemy's critical hit also injures (VER-080).
    """
    if table[who].has("deaths_door"):
        if amount:
            yield from hold_on(table, who, "VER-T41")
        return
    if amount:
        yield change_pool(table, who, "hp", -amount, *rules, "VER-089")
    if not amount or table.pool(who, "hp"):
        if critical:
            yield from injure(table, who, "VER-080")
    elif is_pc(table, who):
        yield from fall(table, who, critical)
    else:
        yield from die(table, who, "slain", "VER-090")


def fall(table: Table, who: Id, critical: bool) -> Rule[None]:
    """Lose a wound and be injured, or come to Death's Door (VER-091, VER-092, VER-T17, VER-T43, VER-T45, VER-T71).

    The wound is spent and the hit points are restored before any injury is rolled. The critical hit's injury comes
    first.
    """
    if not table.pool(who, "wounds"):
        yield from reach_deaths_door(table, who, *(("VER-T43",) if critical else ()))
        return
    yield change_pool(table, who, "wounds", -1, "VER-091", "VER-T17", *(("VER-T71",) if critical else ()))
    no_cure = ("VER-T45",) if table[who].has("poisoned") else ()
    yield set_pool(table, who, "hp", stat(table, who, "hp"), "VER-092", *no_cure)
    if critical:
        yield from injure(table, who, "VER-080")
    if sheet.is_in_play(table, who) and not table[who].has("deaths_door"):
        yield from injure(table, who, "VER-093")


def apply_qualities(table: Table, attacker: Id, struck: Id, weapon: Item, net: int) -> Rule[None]:
    """Apply a hit's weapon qualities: crush armour, or ensnare."""
    thrown = weapon.traits[0] == "thrown" and attacker in table.draft.combatants
    if "crushing" in weapon.traits or (thrown and stat(table, attacker, "heavy-hand")):
        yield from crush(table, struck)
    if "ensnaring" in weapon.traits and sheet.is_in_play(table, struck):
        yield from ensnare(table, attacker, struck, weapon, net)


def crush(table: Table, struck: Id) -> Rule[None]:
    """Lower the rating of worn armour by 1, even if the hit did no damage (VER-S18)."""
    armor = things.find_armor(table, struck) if struck in table.draft.combatants else None
    if armor is not None and armor.counters["rating"]:
        yield set_item_counter(table, armor.id, "rating", armor.counters["rating"] - 1, "VER-S18")


def ensnare(table: Table, attacker: Id, struck: Id, weapon: Item, net: int) -> Rule[None]:
    """Ensnare the target; a melee weapon with 2 net SL also trips it (VER-S20)."""
    if attacker not in table[struck].conditions.get("ensnared", {}):
        yield set_condition(table, struck, "ensnared", 1, "VER-S20", source=attacker)
    if things.is_melee(weapon) and net >= 2 and not table[struck].has("prone"):
        yield set_condition(table, struck, "prone", 1, "VER-S20")
