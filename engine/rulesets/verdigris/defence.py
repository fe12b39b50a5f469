"""Dodge and Withstand: what the one who is attacked rolls (VER-026 to 030, VER-050, 051, VER-068, VER-S16 to S27)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from affray.engine.core.changes import marked
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import granted
from affray.events import Clause, Id, Modifier

from .gear import armor_of, arms_and_armor, broken, burden_of, group_of, is_melee, shield_of
from .melees import melee_of
from .pools import Share, burdens
from .push import Thrown, thrown
from .riding import mount_under, rider_of, trained
from .saves import NEEDS, save, spent, worn
from .sheet import HELPLESS, is_mount, stat, takes_part
from .wanted import Pool

ALARMED = "mount alarmed"
"""Key of the mark that says that an untrained mount or its rider was attacked since the rider's last turn."""


def alarmed(table: Table, struck: Id) -> Rule[None]:
    """Note that an untrained mount or its rider is attacked (VER-061)."""
    rider = rider_of(table, struck) if is_mount(table, struck) else struck
    mount = mount_under(table, rider) if rider else ""
    if mount and not trained(table, mount) and table.mark(rider, ALARMED) is None:
        yield marked(rider, ALARMED, True, "VER-061", until="the end of the rider's turn")


def dodged(
    table: Table, struck: Id, attacker: Id, weapon: Item, ground: Callable[[], None] | None, *rules: Clause
) -> Rule[Thrown]:
    """Roll the Dodge save against an attack; the rider's defends its mount as well (VER-026, VER-068)."""
    dodger = struck
    if is_mount(table, struck):
        rules = (*rules, "VER-068")
        if table.config.mount_defence == "quality":
            return (yield from thrown(table, partial(_by_quality, table, struck, rules), ground))
        dodger = rider_of(table, struck)
    if not dodger or not HELPLESS.isdisjoint(table[dodger].conditions):
        roll = yield Roll(dice=(), purpose="dodge", by=dodger or struck, reading="sixes", rules=rules)
        return Thrown(roll.roll, 0)
    if group_of(weapon) == "blackpowder" and shield_of(table, dodger) is not None:
        rules = (*rules, "VER-051")
    if attacker in table.draft.combatants and "large" in table[attacker].traits:
        rules = (*rules, "VER-T65")
    changes = partial(footwork, table, dodger, attacker, weapon)
    return (yield from save(table, dodger, "dodge", *rules, changes=changes, ground=ground))


def dodged_in_vain(table: Table, struck: Id, dodge: Thrown) -> Rule[None]:
    """Exhaust whoever pushed a Dodge save that did not avert the blow: a struck mount's rider (VER-068, VER-S13)."""
    yield from spent(table, rider_of(table, struck) if is_mount(table, struck) else struck, dodge)


def _by_quality(table: Table, mount: Id, rules: tuple[Clause, ...]) -> Pool:
    return _of_a_mount(table, mount, "dodge", (), (*rules, "VER-T57"))


def _of_a_mount(table: Table, mount: Id, kind: str, gear: Sequence[Share], rules: tuple[Clause, ...]) -> Pool:
    """Return a mount's pool for a save, which nobody can push: Quality, and barding on Withstand (VER-064, VER-068)."""
    return Pool(
        who=mount,
        purpose=kind,
        shares=(Share("quality", stat(table, mount, "quality"), "quality", f"{mount}.quality", "VER-T26"), *gear),
        changes=(*burdens(table, mount, NEEDS[kind]), *granted(table, mount, "VER-S05")),
        needs=NEEDS[kind],
        is_test=False,
        may_push=False,
        rules=rules,
    )


def footwork(table: Table, who: Id, attacker: Id, weapon: Item) -> list[Modifier]:
    """List what gear and training give and take on Dodge (VER-S16, S17, S19, S24, VER-050, VER-051)."""
    found: list[Modifier] = []
    weapons, armor, shield = arms_and_armor(table, who)
    burden = burden_of(table, who, armor)
    if burden:
        found.append(Modifier(value=-burden, label="impeding", source=f"{who}.armor", rule="VER-S16"))
    melee = is_melee(weapon)
    for item in weapons:
        if len(item.traits) > 1:
            found += _held_item(table, item, attacker, melee=melee)
    stats = table[who].stats
    if shield is not None:
        if not melee and group_of(weapon) != "blackpowder":
            found.append(Modifier(value=1, label=shield.name, source=shield.id, rule="VER-050"))
        master = stats.get("shieldmaster", 0)
        if master:
            found.append(Modifier(value=master, label="shieldmaster", source=f"{who}.shieldmaster", rule="VER-T29"))
    if not melee and burden <= 1 and stats.get("light-on-your-feet"):
        source = f"{who}.light-on-your-feet"
        found.append(Modifier(value=1, label="light on your feet", source=source, rule="VER-T29"))
    return found


def _held_item(table: Table, item: Item, attacker: Id, *, melee: bool) -> list[Modifier]:
    """List what a weapon in hand gives and takes; a broken one gives nothing, but weighs as much (VER-S09)."""
    found = []
    if "cumbersome" in item.traits:
        found.append(Modifier(value=-1, label="cumbersome", source=item.id, rule="VER-S19"))
    if broken(item):
        return found
    if melee and "balanced" in item.traits:
        found.append(Modifier(value=1, label="balanced", source=item.id, rule="VER-S17"))
    if "long" in item.traits and attacker in table.draft.combatants:
        big = "large" in table[attacker].traits
        if big or mount_under(table, attacker) or is_mount(table, attacker):
            found.append(Modifier(value=1, label="long", source=item.id, rule="VER-S24"))
    return found


def withstood(table: Table, struck: Id, attacker: Id, weapon: Item) -> Rule[Thrown]:
    """Roll the Withstand save against a blow: each SL takes one off the damage (VER-028, VER-029, VER-030)."""
    passed = _passed_over(table, struck, weapon)
    if is_mount(table, struck):
        return (yield from thrown(table, lambda: _hide(table, struck, attacker, weapon, passed)))
    gear = partial(armor_against, table, struck, attacker, weapon)
    rules = ("VER-028", "VER-029", *passed)
    return (yield from save(table, struck, "withstand", *rules, gear=gear, changes=partial(_toughness, table, struck)))


def _toughness(table: Table, who: Id) -> list[Modifier]:
    """List what somebody unarmoured is hardened by (table 5.7)."""
    bare = stat(table, who, "flesh-and-bone")
    if not bare or armor_of(table, who) is not None:
        return []
    return [Modifier(value=bare, label="flesh and bone", source=f"{who}.flesh-and-bone", rule="VER-T29")]


def _hide(table: Table, mount: Id, attacker: Id, weapon: Item, passed: tuple[Clause, ...]) -> Pool:
    gear = armor_against(table, mount, attacker, weapon)
    return _of_a_mount(table, mount, "withstand", gear, ("VER-028", "VER-068", *passed))


def armor_against(table: Table, who: Id, attacker: Id, weapon: Item) -> Sequence[Share]:
    """List the gear dice against a blow: armour, shield, drilled friends (VER-029, VER-S23, VER-S27)."""
    found: list[Share] = []
    if group_of(weapon) != "blackpowder":
        _, armor, shield = arms_and_armor(table, who)
        if armor is not None:
            rule = "VER-068" if is_mount(table, who) else "VER-029"
            found.append(worn(table, armor.id, rule, _pierced(table, attacker, weapon)))
        if shield is not None and "jointed" not in weapon.traits:
            found.append(worn(table, shield.id, "VER-029"))
    drilled = _drilled(table, who)
    if drilled:
        found.append(Share("gear", drilled, "drilled", f"{who}.drilled", "VER-T29"))
    return found


def _passed_over(table: Table, who: Id, weapon: Item) -> tuple[Clause, ...]:
    """Return the clauses by which a weapon passes over armour or shield (VER-S23, VER-S27)."""
    if group_of(weapon) == "blackpowder":
        return ("VER-S27",)
    return ("VER-S23",) if "jointed" in weapon.traits and shield_of(table, who) is not None else ()


def _pierced(table: Table, attacker: Id, weapon: Item) -> int:
    """Return how many armour dice the attacker's training ignores."""
    return stat(table, attacker, "strike-to-injure" if is_melee(weapon) else "sure-shot")


def _drilled(table: Table, who: Id) -> int:
    """Count the other drilled friends who take part in the melee of somebody drilled (VER-094, table 5.7)."""
    melee = melee_of(table, who) if stat(table, who, "drilled") else None
    if melee is None:
        return 0
    side = table[who].side
    return sum(
        one.who != who
        and table[one.who].side == side
        and stat(table, one.who, "drilled") > 0
        and takes_part(table, one.who)
        for one in melee.members
    )
