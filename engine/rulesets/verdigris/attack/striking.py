"""What may be struck with what, what is remembered for one blow, and what a hit does before Withstand."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.core.changes import pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item, Relation
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.rulings.verdicts import MISS, is_called
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear import things
from affray.events import Clause, Id, Modifier

ANYBODY = frozenset({"granted", "panicked"})
"""Manners in which friends can be struck as well."""

ANY_THAT_FITS = frozenset({"free", "granted", "panicked"})
"""Manners in which the weapon is whatever in hand will do."""

AT_HAND = frozenset({"readied", "panicked"})
"""Manners in which a melee weapon reaches whoever is in the zone, in the same melee or not (VER-073)."""

OWN = frozenset({"standard", "free"})
"""Manners in which a melee weapon reaches nobody outside its wielder's melee (VER-032)."""


Grip = Literal["", "one", "two"]
"""One hand or two, for a flexible weapon (VER-S21)."""

Mighty = Annotated[int, Meta(ge=0, le=9)]
"""Stress taken on a hit for as much more damage, up to the level of Strike Mighty Blow (table 5.7)."""


class Blow(Struct, frozen=True, kw_only=True):
    """A blow that is being struck.

    Attributes:
        attacker, struck: By whom, and whom: somebody, or the mount below.
        weapon: Item id.
        melee: Whether the weapon is one for melees.
        grip: ``one`` hand or ``two``.
        aim: Empty, ``vital`` or ``effect`` (VER-052).
        mighty: Stress taken for as much damage.
        fits: Whether the background fits.
        manner: How it is struck; in panic it goes without stress dice.
        critical: Whether a hit is critical by a verdict; ``None`` where the dice say.
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


def weapon_of(table: Table, blow: Blow) -> Item:
    """Return what a blow is struck with."""
    return table.item(blow.weapon)


def blow_of(
    table: Table, actor: Id, target: Id, named: Id, strike: str, grip: str = "", manner: str = "standard"
) -> Blow:
    """Return the plain blow that a declaration means."""
    weapon = weapon_meant(table, actor, target, named, manner, strike=strike, grip=grip)
    two = grip == "two" or ("two_handed" in weapon.traits and "flexible" not in weapon.traits)
    return Blow(
        attacker=actor,
        struck=sheet.who_is_struck(table, target, strike),
        weapon=weapon.id,
        melee=things.is_melee(weapon),
        grip="two" if two else "one",
        manner=manner,
    )


def weapon_meant(
    table: Table, actor: Id, target: Id, named: Id, manner: str = "standard", *, strike: str = "", grip: str = ""
) -> Item:
    """Return the weapon to strike with: the one named, else what is in hand and fits the moment, else bare hands.

    Who strikes at somebody leaving the melee does so with a melee weapon or bare hands (VER-041); who lashes out in
    panic, or is granted an attack, with the first thing in hand that will do, or bare hands.
    """
    if manner in ANY_THAT_FITS and not named:
        for one in things.held(table, actor):
            if can_strike_with(table, actor, target, one, strike, grip, manner):
                return one
        return table.item(f"{actor}.unarmed")
    if named or target not in table.draft.combatants:
        return things.weapon_for(table, actor, named)
    close = sheet.shared_melee(table, actor, target) is not None
    found = things.weapon_for(table, actor, "", melee=close)
    return things.weapon_for(table, actor, "") if found.id == f"{actor}.unarmed" else found


def can_strike_with(table: Table, actor: Id, target: Id, item: Item, strike: str, grip: str, manner: str) -> bool:
    """Tell whether an attacker could strike with a weapon in hand; at a leaver with a melee weapon."""
    if item.kind != "weapon" or (manner == "free" and not things.is_melee(item)):
        return False
    try:
        things.must_be_loaded(table, actor, item)
        things.must_be_wieldable(table, actor, item, grip)
        if manner != "free":
            must_be_strikable(table, actor, target, item, strike or sheet.itself(table, target), manner)
    except Refused:
        return False
    return True


def must_be_bold_enough(table: Table, actor: Id, mighty: int, weapon: Item) -> None:
    """Refuse a mighty blow beyond the attacker's training, or without a melee weapon (table 5.7).

    Raises:
        Unusable: more stress is offered than the talent's level, or any for a shot.
    """
    if mighty and not things.is_melee(weapon):
        raise Unusable(f"a mighty blow is struck in a melee, not with the {weapon.quoted_name}", "mighty")
    level = boldness(table, actor)
    if mighty > level:
        raise Unusable(f"{table.called(actor)} has strike-mighty-blow at level {level}", "mighty")


def boldness(table: Table, who: Id) -> int:
    """Return how much stress a combatant may take for a mighty blow."""
    return sheet.stat(table, who, "strike-mighty-blow") if sheet.is_pc(table, who) else 0


def must_be_strikable(table: Table, actor: Id, target: Id, weapon: Item, strike: str, manner: str) -> None:
    """Refuse in order: no such target, rider or mount not named, out of reach or sight.

    Of rider and mount the one who is struck is looked at, whichever of the two was named.
    """
    if target not in table.draft.combatants:
        table[target]
    struck = sheet.who_is_struck(table, target, strike)
    must_be_enemy(table, actor, struck, manner)
    sheet.must_name_rider_or_mount(table, target, strike)
    if things.is_melee(weapon):
        must_be_in_reach(table, actor, struck, manner)
    else:
        must_be_in_sight(table, actor, struck)


def must_be_enemy(table: Table, actor: Id, target: Id, manner: str) -> None:
    """Refuse oneself, the fallen, and friends where only enemies are struck."""
    if target == actor or not sheet.is_in_play(table, target):
        raise sheet.no("VER-023", f"{table.called(target)} cannot be attacked", target)
    if not sheet.is_enemy(table, actor, target) and manner not in ANYBODY:
        raise sheet.no("VER-023", f"{table.called(target)} is no enemy of {table.called(actor)}", target)


def must_be_in_sight(table: Table, actor: Id, target: Id) -> None:
    """Refuse a shot at somebody who cannot be seen; all others are in range (VER-021)."""
    if not sheet.can_see(table, actor, target):
        sheet.must_be_allowed(
            "VER-021", table, actor, f"{table.called(actor)} cannot see {table.called(target)}", f"{actor}>{target}"
        )


def must_be_in_reach(table: Table, actor: Id, target: Id, manner: str) -> None:
    """Refuse to strike outside the melee, or the zone where that is far enough (VER-032)."""
    if manner in OWN:
        if sheet.shared_melee(table, actor, target) is None or not sheet.is_participant(table, target):
            raise sheet.no(
                "VER-032", f"{table.called(target)} takes no part in a melee with {table.called(actor)}", target
            )
    elif manner in AT_HAND and table[actor].place != table[target].place:
        raise sheet.no("VER-032", f"{table.called(target)} is not within reach of {table.called(actor)}", target)


def must_stand(table: Table, blow: Blow) -> None:
    """Refuse a blow that has not been dodged yet and whose striker, weapon or target is gone."""
    sheet.must_be_able(table, blow.attacker)
    weapon = weapon_of(table, blow)
    things.must_be_in_hand(table, blow.attacker, weapon)
    must_be_strikable(table, blow.attacker, blow.struck, weapon, sheet.itself(table, blow.struck), blow.manner)


class CalledOff(Refused):
    """The game master has ruled that a blow misses whose harm was awaited."""


def must_not_be_called_off(table: Table, attacker: Id) -> None:
    """Refuse to go on with a blow that was turned to a miss."""
    if is_called(table, attacker, MISS):
        raise CalledOff("ruled", "VER-T80", f"the blow of {table.called(attacker)} misses, by ruling", attacker)


def is_critical(table: Table, blow: Blow, sl: int) -> bool:
    """Tell whether a hit is critical: by the attacker's own SL, never in a shot for an effect (VER-077)."""
    if blow.critical is not None:
        return blow.critical
    return sl >= table.config.crit_sixes and blow.aim != "effect" and can_be_critical(table, blow.attacker)


def can_be_critical(table: Table, attacker: Id) -> bool:
    """Tell whether the four sixes of an attacker count: of mounts, those of the party and of player characters."""
    if table[attacker].side == sheet.PARTY or not sheet.is_mount(table, attacker):
        return True
    return sheet.is_pc(table, fighter_of(table, attacker))


def fighter_of(table: Table, attacker: Id) -> Id:
    """Return whose attack it is: the rider's for a mount, which strikes as its player would."""
    return sheet.rider_of(table, attacker) or attacker


def can_maim(table: Table, blow: Blow) -> bool:
    """Tell whether a critical hit injures instead of doing more damage: an enemy's on a player character (VER-080)."""
    by_a_player = sheet.is_pc(table, fighter_of(table, blow.attacker))
    by_an_enemy = not by_a_player and table[blow.attacker].side == sheet.ENEMIES
    return by_an_enemy and sheet.is_pc(table, blow.struck)


def reckon_gross(table: Table, blow: Blow, own: int, net: int) -> Rule[list[Modifier]]:
    """List what a hit does before Withstand, by its own SL or the net one (VER-054, VER-078, VER-099, VER-T24)."""
    weapon = weapon_of(table, blow)
    harm = things.damage_of(weapon, blow.grip)
    terms = [Modifier(value=harm, label=weapon.name, source=weapon.id, rule="VER-098")]
    if is_critical(table, blow, own) and not can_maim(table, blow):
        rule = "VER-078" if sheet.is_pc(table, fighter_of(table, blow.attacker)) else "VER-080"
        terms.append(Modifier(value=harm, label="critical", source=weapon.id, rule=rule))
    if not (blow.aim == "effect" and table.config.called_shot_effect_damage == "listed_only"):
        sl = net if table.config.damage_sl == "net" else own
        terms.append(Modifier(value=sl, label="SL", source="sl", rule="VER-099"))
    terms += by_training(table, blow, weapon, harm)
    if blow.mighty:
        yield pool_moved(table, blow.attacker, "stress", blow.mighty, "VER-T29")
        source = f"{blow.attacker}.strike-mighty-blow"
        terms.append(Modifier(value=blow.mighty, label="mighty blow", source=source, rule="VER-T29"))
    if blow.melee and marks.CHARGING.is_on(table, blow.attacker):
        charge = sheet.stat(table, blow.attacker, "berserk-charge")
        terms.append(sheet.trained(blow.attacker, "berserk-charge", charge))
        yield from spend_charge(table, blow)
    most = weapon.stats.get("max", harm + 6)
    now = sum([term.value for term in terms])
    if blow.aim == "vital" and now < most:
        terms.append(Modifier(value=most - now, label="weak spot", source=weapon.id, rule="VER-T24"))
    return terms


def by_training(table: Table, blow: Blow, weapon: Item, harm: int) -> list[Modifier]:
    """List what talents and the saddle add to a hit (VER-S22, VER-T29, table 5.7)."""
    who = blow.attacker
    found = []
    if "impact" in weapon.traits and sheet.mount_under(table, who):
        found.append(Modifier(value=1, label="impact", source=weapon.id, rule="VER-S22"))
    towering = "large" in table[blow.struck].traits and "large" not in table[who].traits
    talents = (
        ("accurate-shot", not blow.melee, 0),
        ("dirty-fighting", weapon.traits[0] == "brawling", 0),
        ("slayer", blow.melee and towering, harm),
    )
    for talent, applies, amount in talents:
        level = sheet.stat(table, who, talent)
        if applies and level:
            found.append(sheet.trained(who, talent, amount or level))
    return found


PIKES = frozenset({"spear", "lance", "halberd", "pike"})
"""How the names of weapons end that push, in records from before weapons said so themselves."""


def pushes(weapon: Item) -> bool:
    """Whether a weapon is one of those that Pike Push is for (table 5.7)."""
    said = weapon.stats.get("pushes")
    return weapon.name.rpartition(" ")[2] in PIKES if said is None else said > 0


def remembered(table: Table, blow: Blow, weapon: Item) -> list[Modifier]:
    """List what training gives after a miss at the same target, and on coming into a melee (table 5.7)."""
    found = []
    again = marks.RELENTLESS.of(table, blow.attacker, blow.struck)
    if again:
        found.append(sheet.trained(blow.attacker, "relentless", again))
    if marks.PUSHING.is_on(table, blow.attacker) and pushes(weapon):
        found.append(sheet.trained(blow.attacker, "pike-push", 2))
    return found


def forget(table: Table, blow: Blow) -> Rule[None]:
    """Strike out what was noted for one attack alone."""
    if blow.melee and marks.RELENTLESS.is_on(table, blow.attacker, blow.struck):
        yield marks.RELENTLESS.struck(blow.attacker, "VER-T29", about=blow.struck)
    if blow.melee and marks.PUSHING.is_on(table, blow.attacker):
        yield marks.PUSHING.struck(blow.attacker, "VER-T74")


def spend_charge(table: Table, blow: Blow) -> Rule[None]:
    """End a charge with the first blow in the melee, whether it hits or misses."""
    if blow.melee and marks.CHARGING.is_on(table, blow.attacker):
        yield marks.CHARGING.struck(blow.attacker, "VER-T74")


def in_the_way(table: Table, members: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return which members of a melee count for shots into it: mounts too, unless configured otherwise (VER-047)."""
    if table.config.mount_counts_in_shooting:
        return members
    return tuple(one for one in members if not sheet.is_mount(table, one))


def by_mounts(table: Table, melee: Relation | None) -> tuple[Clause, ...]:
    """Return the clause by which mounts in a melee count for shots into it, if there are any (VER-T56)."""
    rules = ("VER-047",) if table.config.mount_counts_in_shooting else ("VER-047", "VER-T56")
    members = sheet.known_members(table, melee) if melee is not None else ()
    return rules if any(sheet.is_mount(table, one) for one in members) else ()
