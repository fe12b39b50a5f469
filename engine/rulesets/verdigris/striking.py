"""What may be struck with what (VER-021, VER-023, VER-032, VER-043, VER-066, VER-067, VER-S09, VER-S21 to S29)."""

from __future__ import annotations

from typing import Literal

from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import Id

from .blows import Blow, weapon_of
from .gear import (
    FIRED,
    ammunition_for,
    broken,
    free_hands,
    group_of,
    hands,
    hands_for,
    held,
    is_melee,
    shots,
    weapon_for,
)
from .melees import same_melee
from .refusing import no, unless_allowed
from .riding import mount_under, rider_of
from .sheet import enemies, in_play, is_mount, is_pc, sees, stat, takes_part
from .turns import must_be_able

ANYBODY = frozenset({"granted", "panicked"})
"""Manners in which friends can be struck as well."""

ANY_THAT_FITS = frozenset({"free", "granted", "panicked"})
"""Manners in which the weapon is whatever in hand will do."""

AT_HAND = frozenset({"readied", "panicked"})
"""Manners in which a melee weapon reaches whoever is in the zone, in the same melee or not (VER-073)."""

OWN = frozenset({"standard", "free"})
"""Manners in which a melee weapon reaches nobody outside its wielder's melee (VER-032)."""

Strike = Literal["", "rider", "mount"]


def meant(table: Table, actor: Id, target: Id, named: Id, manner: str = "standard") -> Item:
    """Return the weapon to strike with: the one named, else what is in hand and fits the moment, else bare hands.

    Who strikes at somebody leaving the melee does so with a melee weapon or bare hands (VER-041); who lashes out in
    panic, or is granted an attack, with the first thing in hand that will do, or bare hands.
    """
    if manner in ANY_THAT_FITS and not named:
        arms = held(table, actor)
        return next((one for one in arms if fits(table, actor, target, one, manner)), table.item(f"{actor}.unarmed"))
    if named or target not in table.draft.combatants:
        return weapon_for(table, actor, named)
    close = same_melee(table, actor, target) is not None
    found = weapon_for(table, actor, "", melee=close)
    return weapon_for(table, actor, "") if found.id.endswith(".unarmed") else found


def fits(table: Table, actor: Id, target: Id, item: Item, manner: str) -> bool:
    """Tell whether somebody could strike with what it has in hand; at a leaver with a melee weapon alone."""
    if item.kind != "weapon" or (manner == "free" and not is_melee(item)):
        return False
    try:
        shootable(table, actor, item)
        wieldable(table, actor, item, "")
        if manner != "free":
            strikable(table, actor, target, item, "rider", manner)
    except Refused:
        return False
    return True


def shootable(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse in order: not loaded, no lit match, no ammunition (VER-043, VER-S29)."""
    if group_of(weapon) not in FIRED:
        return
    if "reloading" in weapon.traits and not weapon.counters.get("loaded"):
        raise no("VER-043", f"the {weapon.name} must be reloaded first", weapon.id)
    if group_of(weapon) == "blackpowder" and not weapon.counters.get("lit"):
        raise no("VER-S29", f"the match of the {weapon.name} does not burn", weapon.id)
    has_shots(table, actor, weapon)


def has_shots(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse somebody with nothing at hand to shoot; what is in the pack must be got out first (VER-043, VER-101)."""
    if ammunition_for(table, actor, weapon) is None:
        packed = next((one for one in shots(table, actor, weapon) if one.counters.get("count")), None)
        if packed is not None:
            raise no("VER-101", f"the {packed.name} of {actor} is in the pack", packed.id)
        raise no("VER-043", f"{actor} has nothing to shoot with the {weapon.name}", weapon.id)


def wieldable(table: Table, actor: Id, weapon: Item, grip: str) -> None:
    """Refuse in order: not in hand, broken, too few hands, no room, no skill in the saddle."""
    in_hand(table, actor, weapon)
    if broken(weapon):
        raise no("VER-S09", f"the {weapon.name} is broken", weapon.id)
    if "two_handed" in weapon.traits and "flexible" not in weapon.traits:
        others = any(item.id != weapon.id and hands_for(item) for item in held(table, actor))
        if others or hands(table, actor) < 2:
            raise no("VER-S26", f"the {weapon.name} needs both hands", weapon.id)
    if grip == "two" and "two_handed" not in weapon.traits and "flexible" not in weapon.traits:
        raise no("VER-S21", f"the {weapon.name} has one grip only", weapon.id)
    if grip == "two" and "flexible" in weapon.traits and free_hands(table, actor) < 1:
        raise no("VER-S21", f"{actor} has no other hand for the {weapon.name}", weapon.id)
    place = table.draft.places.get(table[actor].place)
    if "long" in weapon.traits and place is not None and "indoors" in place.traits:
        unless_allowed("VER-S24", table, actor, f"there is no room here for the {weapon.name}", place.id)
    if mount_under(table, actor) and not from_the_saddle(table, actor, weapon):
        unless_allowed("VER-066", table, actor, f"{actor} cannot fire the {weapon.name} in the saddle", weapon.id)


def from_the_saddle(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether somebody can use a weapon while mounted (VER-066)."""
    group = group_of(weapon)
    if group == "bows":
        return stat(table, actor, "saddleshot") > 0
    if group == "blackpowder":
        return stat(table, actor, "caracole") >= 2
    return group != "crossbows"


def strikable(table: Table, actor: Id, target: Id, weapon: Item, strike: str, manner: str) -> None:
    """Refuse in order: no such target, rider or mount not named, out of reach or sight (VER-067, VER-032, VER-021)."""
    if target not in table.draft.combatants:
        table[target]
    if target == actor or not in_play(table, target):
        raise no("VER-023", f"{target} cannot be attacked", target)
    if not enemies(table, actor, target) and manner not in ANYBODY:
        raise no("VER-023", f"{target} is no enemy of {actor}", target)
    rider_or_mount(table, target, strike)
    if not is_melee(weapon):
        if not sees(table, actor, target):
            unless_allowed("VER-021", table, actor, f"{actor} cannot see {target}", f"{actor}>{target}")
    elif manner in OWN:
        if same_melee(table, actor, target) is None or not takes_part(table, target):
            raise no("VER-032", f"{target} takes no part in a melee with {actor}", target)
    elif manner in AT_HAND and table[actor].place != table[target].place:
        raise no("VER-032", f"{target} is not within reach of {actor}", target)


def rider_or_mount(table: Table, target: Id, strike: str) -> None:
    """Refuse to leave open whether rider or mount is struck (VER-067)."""
    ridden = mount_under(table, target) if target in table.draft.combatants else ""
    if ridden and not strike:
        raise no("VER-067", f"{target} is mounted: say whether rider or mount is struck", ridden)
    if strike == "mount" and not ridden and not is_mount(table, target):
        raise no("VER-067", f"{target} has no mount", target)


def strikes_at(table: Table, target: Id) -> tuple[Strike, ...]:
    """Return what may be said about rider and mount of somebody who is struck."""
    return ("rider", "mount") if mount_under(table, target) else ("",)


def stands(table: Table, blow: Blow) -> None:
    """Refuse a blow that has not been dodged yet and whose striker, weapon or target is gone (VER-023, VER-032)."""
    must_be_able(table, blow.attacker)
    weapon = weapon_of(table, blow)
    in_hand(table, blow.attacker, weapon)
    strikable(table, blow.attacker, blow.struck, weapon, "rider", blow.manner)


def in_hand(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse what is no weapon in somebody's hand (VER-023)."""
    if weapon.owner != actor or weapon.kind != "weapon" or (weapon.where != "hand" and weapon.id != f"{actor}.unarmed"):
        raise no("VER-023", f"{actor} does not have the {weapon.name} in hand", weapon.id)


def struck_by(table: Table, target: Id, strike: str) -> Id:
    """Return who is struck: the target, or the other one of rider and mount (VER-067)."""
    if strike == "mount" and not is_mount(table, target):
        return mount_under(table, target) or target
    if strike == "rider" and is_mount(table, target):
        return rider_of(table, target) or target
    return target


def blow(
    table: Table,
    actor: Id,
    target: Id,
    named: Id,
    *,
    strike: str,
    grip: str,
    aim: str = "",
    mighty: int = 0,
    fits: bool = False,
    manner: str = "standard",
) -> Blow:
    """Return the blow that a declaration means."""
    weapon = meant(table, actor, target, named, manner)
    two = grip == "two" or ("two_handed" in weapon.traits and "flexible" not in weapon.traits)
    return Blow(
        attacker=actor,
        struck=struck_by(table, target, strike),
        weapon=weapon.id,
        melee=is_melee(weapon),
        grip="two" if two else "one",
        aim=aim,
        mighty=mighty,
        fits=fits,
        manner=manner,
    )


def bold_enough(table: Table, actor: Id, mighty: int, weapon: Item) -> None:
    """Refuse a mighty blow beyond somebody's training, or with what is no melee weapon (table 5.7).

    Raises:
        Unusable: more stress is offered than the talent's level, or any for a shot.
    """
    if mighty and not is_melee(weapon):
        raise Unusable(f"a mighty blow is struck in a melee, not with the {weapon.name}", "mighty")
    level = stat(table, actor, "strike-mighty-blow") if is_pc(table, actor) else 0
    if mighty > level:
        raise Unusable(f"{actor} has strike-mighty-blow at level {level}", "mighty")
