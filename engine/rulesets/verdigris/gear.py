"""What is worn and held, and what it gives (VER-029, VER-050, VER-S16 to VER-S31)."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Id

from .sheet import count, stat

MELEE = frozenset({"light", "heavy", "brawling"})
"""Groups of weapons that strike within a melee."""

FIRED = frozenset({"bows", "crossbows", "blackpowder"})
"""Groups of weapons that are fired, and need ammunition."""

LIMBS = ("hand_out", "arm_out")
"""Conditions that leave a hand of no use."""


def held(table: Table, who: Id) -> list[Item]:
    """Return what somebody has in hand, in alphabetical order."""
    items = table.draft.items
    return [items[item] for item in table.draft.owned_items.get(who, ()) if items[item].where == "hand"]


def hands(table: Table, who: Id) -> int:
    """Return how many hands somebody can use."""
    return max(0, 2 - sum(count(table, who, limb) for limb in LIMBS)) if table[who].conditions else 2


def hands_for(item: Item) -> int:
    """Return how many hands a thing takes: armour that is carried in hand takes one."""
    return item.stats.get("hands", 1)


def free_hands(table: Table, who: Id) -> int:
    """Return how many hands hold nothing; below 0 if more is held than there are hands left."""
    return hands(table, who) - sum(hands_for(item) for item in held(table, who))


def empty_handed(table: Table, who: Id) -> bool:
    """Tell whether both hands hold nothing; a buckler takes none (VER-081)."""
    return not any(hands_for(item) for item in held(table, who))


def group_of(weapon: Item) -> str:
    """Return a weapon's group: light, heavy, brawling, bows, crossbows, blackpowder, thrown; other things have none."""
    return weapon.traits[0] if weapon.kind == "weapon" else ""


def is_melee(weapon: Item) -> bool:
    """Tell whether a weapon strikes within a melee; all others are ranged."""
    return group_of(weapon) in MELEE


def broken(item: Item) -> bool:
    """Tell whether pushing has worn a thing down to nothing (VER-S09)."""
    counter = "bonus" if item.kind == "weapon" else "rating"
    return item.stats[counter] > 0 and not item.counters[counter]


def bonus_of(weapon: Item, grip: str) -> int:
    """Return a weapon's gear dice in a grip; its counter is that of the better one (VER-S21)."""
    now = weapon.counters["bonus"]
    return now if grip == "two" else max(0, now - weapon.stats.get("grip_bonus", 0))


def damage_of(weapon: Item, grip: str) -> int:
    """Return a weapon's listed damage in a grip (VER-098, VER-S21)."""
    two = weapon.stats.get("damage_two_handed") if grip == "two" else None
    return weapon.stats["damage"] if two is None else two


def weapon_for(table: Table, who: Id, named: Id, *, melee: bool | None = None) -> Item:
    """Return the weapon that is meant: the one named, else the first fitting one in hand, else bare hands.

    Args:
        table: The fight.
        who: Whose.
        named: Its id; empty leaves the choice to this function.
        melee: Whether it should strike within a melee, or shoot; any may do.
    """
    if named:
        return table.item(named)
    items = table.draft.items
    for item in table.draft.owned_items.get(who, ()):
        one = items[item]
        if one.where == "hand" and one.kind == "weapon" and (melee is None or is_melee(one) == melee):
            return one
    return items[f"{who}.unarmed"]


def arms_and_armor(table: Table, who: Id) -> tuple[list[Item], Item | None, Item | None]:
    """Return the weapons somebody has in hand, the armour it wears, and the shield it wields, if not broken."""
    weapons, armor, shield = [], None, None
    items = table.draft.items
    for id in table.draft.owned_items.get(who, ()):
        item = items[id]
        if item.where == "hand":
            if item.kind == "weapon":
                weapons.append(item)
            elif item.kind == "shield" and shield is None and not broken(item):
                shield = item
        elif item.where == "worn" and item.kind == "armor":
            armor = item
    return weapons, armor, shield


def armor_of(table: Table, who: Id) -> Item | None:
    """Return the armour somebody wears, as long as it gives anything."""
    return next((one for one in table.items_of(who) if one.kind == "armor" and one.where == "worn"), None)


def shield_of(table: Table, who: Id) -> Item | None:
    """Return the shield somebody wields, as long as it is not broken (VER-S09)."""
    return next((one for one in held(table, who) if one.kind == "shield" and not broken(one)), None)


def impeding(table: Table, who: Id) -> int:
    """Return how many dice worn armour costs on Dodge, stealth and movement; Ironclad lessens it (VER-S16)."""
    return burden_of(table, who, armor_of(table, who))


def burden_of(table: Table, who: Id, armor: Item | None) -> int:
    """Return how much a suit of armour impedes its bearer."""
    if armor is None or not armor.stats.get("impeding"):
        return 0
    return max(0, armor.stats["impeding"] - stat(table, who, "ironclad"))


def ammunition_for(table: Table, who: Id, weapon: Item) -> Item | None:
    """Return what a weapon shoots, if its owner has any left at hand, and not in the pack (VER-043, VER-101)."""
    return next((one for one in shots(table, who, weapon) if one.counters.get("count") and one.where != "pack"), None)


def shots(table: Table, who: Id, weapon: Item) -> Iterator[Item]:
    """Yield everything of somebody's that a weapon could shoot, used up or not."""
    wanted = next((trait for trait in weapon.traits if trait.startswith("shoots:")), "")
    for one in table.items_of(who):
        if one.kind == "ammunition" and f"shoots:{one.traits[0]}" == wanted:
            yield one
