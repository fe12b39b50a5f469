"""The legality of targets and weapons, notes on one blow, and its gross damage."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item, Relation
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.rulings.verdicts import MISS, is_under_verdict
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear import things
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.events import Clause, Id, Modifier, Source

ANYBODY = frozenset({"granted", "panicked"})
"""Manners of attack that can also strike friends."""

ANY_THAT_FITS = frozenset({"free", "granted", "panicked"})
"""Manners of attack that take any weapon in hand that will do."""

AT_HAND = frozenset({"readied", "panicked"})
"""Manners in which a melee weapon reaches the whole zone, across melees (VER-073)."""

OWN = frozenset({"standard", "free"})
"""Manners in which a melee weapon reaches only its wielder's own melee (VER-032)."""


Grip = Literal["", "one", "two"]
"""The number of hands on a flexible weapon (VER-S21)."""

Mighty = Annotated[int, Meta(ge=0, le=9)]
"""Stress taken on a hit for the same extra damage, up to Strike Mighty Blow (table 5.7)."""


class Blow(Struct, frozen=True, kw_only=True):
    """A blow from its declaration to its result.

    Attributes:
        attacker, struck: Combatant ids; the one struck is the target, or its mount.
        weapon: Item id.
        melee: Whether the weapon is one for melees.
        grip: ``one`` hand or ``two``.
        aim: Empty, ``vital`` or ``effect`` (VER-052).
        mighty: Stress taken for the same extra damage.
        fits: Whether the background fits.
        manner: The manner of the attack; in panic it has no stress dice.
        critical: Whether a verdict makes a hit critical; ``None`` leaves it to the dice.
    """

    attacker: Id
    struck: Id
    weapon: Id
    melee: bool
    grip: str = "one"
    aim: str = ""
    mighty: int = 0
    fits: bool = False
    manner: str = "standard"
    critical: bool | None = None


def find_weapon(table: Table, blow: Blow) -> Item:
    """Return the weapon of a blow."""
    return table.item(blow.weapon)


def build_blow(
    table: Table, actor: Id, target: Id, named: Id, strike: str, grip: str = "", manner: str = "standard"
) -> Blow:
    """Return the plain blow that a declaration describes."""
    weapon = choose_weapon(table, actor, target, named, manner, strike=strike, grip=grip)
    two = grip == "two" or ("two_handed" in weapon.traits and "flexible" not in weapon.traits)
    return Blow(
        attacker=actor,
        struck=sheet.find_struck(table, target, strike),
        weapon=weapon.id,
        melee=things.is_melee(weapon),
        grip="two" if two else "one",
        manner=manner,
    )


def choose_weapon(
    table: Table, actor: Id, target: Id, named: Id, manner: str = "standard", *, strike: str = "", grip: str = ""
) -> Item:
    """Return the named weapon, else a fitting one in hand, else bare hands.

    A free attack at a combatant leaving the melee takes a melee weapon or bare hands (VER-041). A combatant that lashes
    out in panic, or is granted an attack, takes the first weapon in hand that will do, or bare hands.
    """
    if manner in ANY_THAT_FITS and not named:
        for one in things.list_held(table, actor):
            if can_strike_with(table, actor, target, one, strike, grip, manner):
                return one
        return table.item(f"{actor}.unarmed")
    if named or target not in table.draft.combatants:
        return things.find_weapon_for(table, actor, named)
    close = sheet.shared_melee(table, actor, target) is not None
    found = things.find_weapon_for(table, actor, "", melee=close)
    return things.find_weapon_for(table, actor, "") if found.id == f"{actor}.unarmed" else found


def can_strike_with(table: Table, actor: Id, target: Id, item: Item, strike: str, grip: str, manner: str) -> bool:
    """Tell whether an attacker could strike with a weapon in hand.

    A free attack needs a melee weapon.
    """
    if item.kind != "weapon" or (manner == "free" and not things.is_melee(item)):
        return False
    try:
        things.must_be_loaded(table, actor, item)
        things.must_be_wieldable(table, actor, item, grip)
        if manner != "free":
            must_be_strikable(table, actor, target, item, strike or sheet.find_own_strike(table, target), manner)
    except Refused:
        return False
    return True


def must_be_bold_enough(table: Table, actor: Id, mighty: int, weapon: Item) -> None:
    """Refuse a mighty blow beyond the attacker's training, or without a melee weapon (table 5.7).

    Raises:
        Unusable: the stress exceeds the talent's level, or is offered for a shot.
    """
    if mighty and not things.is_melee(weapon):
        raise Unusable(f"a mighty blow is struck in a melee, not with the {weapon.quoted_name}", "mighty")
    level = find_most_stress(table, actor)
    if mighty > level:
        raise Unusable(f"{table.name_of(actor)} has strike-mighty-blow at level {level}", "mighty")


def find_most_stress(table: Table, who: Id) -> int:
    """Return the most stress that a combatant may take for a mighty blow."""
    return stat(table, who, "strike-mighty-blow") if is_pc(table, who) else 0


def must_be_strikable(table: Table, actor: Id, target: Id, weapon: Item, strike: str, manner: str) -> None:
    """Refuse an absent target, an unnamed rider or mount, and one out of reach.

    The checks look at the one of rider and mount that is struck, whichever of them was named.
    """
    if target not in table.draft.combatants:
        table[target]
    struck = sheet.find_struck(table, target, strike)
    must_be_enemy(table, actor, struck, manner)
    sheet.must_name_rider_or_mount(table, target, strike)
    if things.is_melee(weapon):
        must_be_in_reach(table, actor, struck, manner)
    else:
        must_be_in_sight(table, actor, struck)


def must_be_enemy(table: Table, actor: Id, target: Id, manner: str) -> None:
    """Refuse the attacker itself, the fallen, and friends unless the manner allows it."""
    if target == actor or not sheet.is_in_play(table, target):
        raise table.refuse(target, "cannot be attacked", "VER-023")
    if not sheet.is_enemy(table, actor, target) and manner not in ANYBODY:
        raise table.refuse(target, f"is no enemy of {table.name_of(actor)}", "VER-023")


def must_be_in_sight(table: Table, actor: Id, target: Id) -> None:
    """Refuse a shot at a target out of sight; all others are in range (VER-021)."""
    if not sheet.can_see(table, actor, target):
        sheet.must_be_allowed(
            "VER-021",
            table,
            actor,
            f"{table.name_of(actor)} cannot see {table.name_of(target)}",
            Source(of=actor, to=target),
        )


def must_be_in_reach(table: Table, actor: Id, target: Id, manner: str) -> None:
    """Refuse a blow outside the melee, or outside the zone if that suffices (VER-032)."""
    if manner in OWN:
        if sheet.shared_melee(table, actor, target) is None or not sheet.is_participant(table, target):
            raise table.refuse(target, f"takes no part in a melee with {table.name_of(actor)}", "VER-032")
    elif manner in AT_HAND and table[actor].place != table[target].place:
        raise table.refuse(target, f"is not within reach of {table.name_of(actor)}", "VER-032")


def must_stand(table: Table, blow: Blow) -> None:
    """Refuse an undodged blow if its attacker, weapon or target is gone."""
    sheet.must_be_able(table, blow.attacker)
    weapon = find_weapon(table, blow)
    things.must_be_in_hand(table, blow.attacker, weapon)
    must_be_strikable(table, blow.attacker, blow.struck, weapon, sheet.find_own_strike(table, blow.struck), blow.manner)


class CalledOff(Refused):
    """The game master ruled a miss while the blow's damage was still pending."""


def must_not_be_called_off(table: Table, attacker: Id) -> None:
    """Refuse to continue a blow that a ruling turned into a miss."""
    if is_under_verdict(table, attacker, MISS):
        raise CalledOff("ruled", "VER-T80", f"the blow of {table.name_of(attacker)} misses, by ruling", attacker)


def is_critical(table: Table, blow: Blow, sl: int) -> bool:
    """Tell whether a hit is critical by its own SL; never for an effect (VER-077)."""
    if blow.critical is not None:
        return blow.critical
    return sl >= table.config.crit_sixes and blow.aim != "effect" and can_be_critical(table, blow.attacker)


def can_be_critical(table: Table, attacker: Id) -> bool:
    """Tell whether an attacker can make critical hits.

    Of mounts, only those of the party and of player characters can.
    """
    if table[attacker].side == sheet.PARTY or not is_mount(table, attacker):
        return True
    return is_pc(table, find_fighter(table, attacker))


def find_fighter(table: Table, attacker: Id) -> Id:
    """Return the combatant who attacks: for a ridden mount, its rider."""
    return rider_of(table, attacker) or attacker


def can_maim(table: Table, blow: Blow) -> bool:
    """Tell whether a critical hit injures instead of doing more damage (VER-080).

    An enemy's does on a player character.
    """
    by_a_player = is_pc(table, find_fighter(table, blow.attacker))
    by_an_enemy = not by_a_player and table[blow.attacker].side == sheet.ENEMIES
    return by_an_enemy and is_pc(table, blow.struck)


def list_damage_terms(table: Table, blow: Blow, own: int, net: int) -> Rule[list[Modifier]]:
    """List the terms of a hit's damage before Withstand (VER-054, VER-078, VER-099, VER-T24).

    Damage counts the attacker's own SL or the net SL, as configured.
    """
    weapon = find_weapon(table, blow)
    harm = things.damage_of(weapon, blow.grip)
    terms = [Modifier(value=harm, label=weapon.name, source=weapon.id, rule="VER-098")]
    if is_critical(table, blow, own) and not can_maim(table, blow):
        rule = "VER-078" if is_pc(table, find_fighter(table, blow.attacker)) else "VER-080"
        terms.append(Modifier(value=harm, label="critical", source=weapon.id, rule=rule))
    if not (blow.aim == "effect" and table.config.called_shot_effect_damage == "listed_only"):
        sl = net if table.config.damage_sl == "net" else own
        terms.append(Modifier(value=sl, label="SL", source="sl", rule="VER-099"))
    terms += list_training_damage(table, blow, weapon, harm)
    if blow.mighty:
        yield change_pool(table, blow.attacker, "stress", blow.mighty, "VER-T29")
        source = f"{blow.attacker}.strike-mighty-blow"
        terms.append(Modifier(value=blow.mighty, label="mighty blow", source=source, rule="VER-T29"))
    if blow.melee and marks.CHARGING.is_on(table, blow.attacker):
        charge = stat(table, blow.attacker, "berserk-charge")
        terms.append(sheet.make_talent_modifier(blow.attacker, "berserk-charge", charge))
        yield from spend_charge(table, blow)
    most = weapon.stats.get("max", harm + 6)
    now = sum([term.value for term in terms])
    if blow.aim == "vital" and now < most:
        terms.append(Modifier(value=most - now, label="weak spot", source=weapon.id, rule="VER-T24"))
    return terms


def list_training_damage(table: Table, blow: Blow, weapon: Item, harm: int) -> list[Modifier]:
    """List the damage that talents and the saddle add to a hit (VER-S22, VER-T29, table 5.7)."""
    who = blow.attacker
    found = []
    if "impact" in weapon.traits and mount_of(table, who):
        found.append(Modifier(value=1, label="impact", source=weapon.id, rule="VER-S22"))
    towering = "large" in table[blow.struck].traits and "large" not in table[who].traits
    talents = (
        ("accurate-shot", not blow.melee, 0),
        ("dirty-fighting", weapon.traits[0] == "brawling", 0),
        ("slayer", blow.melee and towering, harm),
    )
    for talent, applies, amount in talents:
        level = stat(table, who, talent)
        if applies and level:
            found.append(sheet.make_talent_modifier(who, talent, amount or level))
    return found


PIKES = frozenset({"spear", "lance", "halberd", "pike"})
"""Last words of the names of pushing weapons, for records from before weapons had ``pushes``."""


def is_pushing_weapon(weapon: Item) -> bool:
    """Tell whether Pike Push applies to a weapon (table 5.7)."""
    stated = weapon.stats.get("pushes")
    return weapon.name.rpartition(" ")[2] in PIKES if stated is None else stated > 0


def list_training_dice(table: Table, blow: Blow, weapon: Item) -> list[Modifier]:
    """List training's modifiers after a miss, or on entering a melee (table 5.7)."""
    found = []
    again = marks.RELENTLESS.of(table, blow.attacker, blow.struck)
    if again:
        found.append(sheet.make_talent_modifier(blow.attacker, "relentless", again))
    if marks.PUSHING.is_on(table, blow.attacker) and is_pushing_weapon(weapon):
        found.append(sheet.make_talent_modifier(blow.attacker, "pike-push", 2))
    return found


def forget_attack_notes(table: Table, blow: Blow) -> Rule[None]:
    """Remove the notes for this one attack."""
    if blow.melee and marks.RELENTLESS.is_on(table, blow.attacker, blow.struck):
        yield marks.RELENTLESS.clear_on(blow.attacker, "VER-T29", about=blow.struck)
    if blow.melee and marks.PUSHING.is_on(table, blow.attacker):
        yield marks.PUSHING.clear_on(blow.attacker, "VER-T74")


def spend_charge(table: Table, blow: Blow) -> Rule[None]:
    """End a charge with the first blow in the melee, hit or miss."""
    if blow.melee and marks.CHARGING.is_on(table, blow.attacker):
        yield marks.CHARGING.clear_on(blow.attacker, "VER-T74")


def list_counted_members(table: Table, members: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return the members of a melee that count for shots into it (VER-047).

    Mounts count too, unless configured otherwise.
    """
    if table.config.mount_counts_in_shooting:
        return members
    return tuple(one for one in members if not is_mount(table, one))


def list_mount_clauses(table: Table, melee: Relation | None) -> tuple[Clause, ...]:
    """Return the clauses by which mounts count for shots into a melee, if any do (VER-T56)."""
    rules = ("VER-047",) if table.config.mount_counts_in_shooting else ("VER-047", "VER-T56")
    members = sheet.list_known_members(table, melee) if melee is not None else ()
    return rules if any(is_mount(table, one) for one in members) else ()
