"""Armor class, shields, and what protects from Shock (WWN-035 to WWN-039, WWN-047, WWN-048)."""

from __future__ import annotations

from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Id

from .arms import gifts, has_gift
from .kit import kit
from .sheet import attribute, rider_of

UNARMORED = 10


def shield_up(table: Table, who: Id) -> Item | None:
    """Return the shield that guards somebody; one used as a weapon does not until the next turn (WWN-047, WWN-048)."""
    shields = kit(table, who).shields
    if not shields or table[who].has("shield_committed"):
        return None
    return _first(table, shields, "hand")


def worn(table: Table, who: Id) -> Item | None:
    """Return somebody's body armor."""
    return _first(table, kit(table, who).suits, "worn")


def _first(table: Table, among: tuple[Id, ...], where: str) -> Item | None:
    things = table.draft.items
    for item in among:
        if things[item].where == where:
            return things[item]
    return None


def armor_class(table: Table, who: Id, *, piercing: bool = False) -> int:
    """Return somebody's armor class now.

    Args:
        table: The fight.
        who: Whose.
        piercing: Whether armor and shield count only if they are magical.
    """
    own = _own(table, who, piercing)
    if "mount" in table.draft.combatants[who].traits:
        rider = rider_of(table, who)
        if rider and has_gift(table, rider, "lends_ac"):
            return max(own, _own(table, rider, piercing))
    return own


def _own(table: Table, who: Id, piercing: bool) -> int:
    one = table.draft.combatants[who]
    fixed = one.stats.get("ac")
    if fixed is not None:
        lowered = one.stats.get("shield_share", 0) if one.has("shield_committed") else 0
        return fixed - (max(lowered, one.stats.get("armor_share", 0)) if piercing else lowered)
    mine = kit(table, who)
    suit = _first(table, mine.suits, "worn") if mine.suits else None
    guarded = mine.shields and "shield_committed" not in one.conditions
    shield = _first(table, mine.shields, "hand") if guarded else None
    body = suit.stats["ac"] if suit and not (piercing and "magical" not in suit.traits) else UNARMORED
    if shield and not (piercing and "magical" not in shield.traits):
        base = shield.stats["ac"]
        body = (body + shield.stats["bonus"] if body >= base else base) + shield.stats.get("plus", 0)
    return body + attribute(table, who, "dex") + one.stats.get("ac_bonus", 0)


def proof(table: Table, target: Id, weapon: Item, mode: str) -> Item | None:
    """Return the armor that lets a common blow or throw do nothing; none if it can be pierced."""
    suit = worn(table, target)
    if suit is None or "proof" not in suit.traits or mode == "shoot" or table[target].has("grappled"):
        return None
    strong = weapon.stats.get("magic", 0) > 0 or "2H" in weapon.traits or weapon.stats.get("shock_ac", 0) >= 16
    return None if strong else suit


def no_shock(table: Table, actor: Id, target: Id, weapon: Item, mode: str, ac: int) -> str:
    """Return why an attack can do its target no Shock: nothing if it can.

    ``shield`` is the last reason: it holds for one instance of Shock only, and not for what is announced.
    """
    if "shock" not in weapon.stats:
        return "unrated"
    if mode != "melee":
        return "thrown"
    if ac > weapon.stats["shock_ac"]:
        limits = [one.stats["shock_as_ac"] for one in gifts(table, actor) if "shock_as_ac" in one.stats]
        if not limits or min(limits) > weapon.stats["shock_ac"]:
            return "above"
    mine = kit(table, target)
    if "shock_immune" in table[target].traits or (mine.gifts and has_gift(table, target, "shrugs_off_shock")):
        return "immune"
    if not mine.shields or shield_up(table, target) is None:
        return ""
    spent = table.pool(target, "shock_ignored") >= table.config.shield_shock_ignores_per_round
    return "" if spent else "shield"
