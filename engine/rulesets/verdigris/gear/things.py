"""Items worn, held and carried: their groups, their dice, their fitness for use."""

from collections.abc import Iterator, Sequence

from affray.engine.core.state import Item
from affray.engine.kit.riding import mount_of
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import sheet
from affray.engine.rulesets.verdigris.chapters.pools import Share
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.engine.rulesets.verdigris.tables import WeaponGroup, people
from affray.events import Clause, Id

MELEE = frozenset({"light", "heavy", "brawling"})
"""Groups of weapons that strike within a melee."""

FIRED = frozenset({"bows", "crossbows", "blackpowder"})
"""Groups of weapons that are fired, and need ammunition."""

SHOOTS = "shoots"
"""Prefix of the trait that names a weapon's ammunition."""

LIMBS = ("hand_out", "arm_out")
"""Conditions that make a hand useless."""


def list_held(table: Table, who: Id) -> list[Item]:
    """Return a combatant's items in hand, in alphabetical order."""
    items = table.draft.items
    return [items[item] for item in table.draft.owned_items.get(who, ()) if items[item].where == "hand"]


def count_hands(table: Table, who: Id) -> int:
    """Return how many hands a combatant can use."""
    return max(0, 2 - sum(sheet.count_condition(table, who, limb) for limb in LIMBS)) if table[who].conditions else 2


def count_hands_for(item: Item) -> int:
    """Return how many hands an item takes; armour carried in hand takes one."""
    return item.stats.get("hands", 1)


def count_free_hands(table: Table, who: Id) -> int:
    """Return how many hands are free; below 0 if more is held than hands can."""
    return count_hands(table, who) - table.derive_from_things(count_hands_taken, who)


def count_hands_taken(table: Table, who: Id) -> int:
    """Count the hands that hold a combatant's items.

    Ask it through ``table.derive_from_things``.
    """
    return sum([count_hands_for(item) for item in list_held(table, who)])


def is_empty_handed(table: Table, who: Id) -> bool:
    """Tell whether both hands are empty; a buckler takes none."""
    return not table.derive_from_things(count_hands_taken, who)


def group_of(weapon: Item) -> str:
    """Return a weapon's group; empty for other items.

    The groups are light, heavy, brawling, bows, crossbows, blackpowder and thrown.
    """
    return weapon.traits[0] if weapon.kind == "weapon" else ""


def is_melee(weapon: Item) -> bool:
    """Tell whether a weapon strikes within a melee; all others are ranged."""
    return group_of(weapon) in MELEE


def is_broken(item: Item) -> bool:
    """Tell whether pushing has worn an item down to nothing."""
    counter = "bonus" if item.kind == "weapon" else "rating"
    return item.stats[counter] > 0 and not item.counters[counter]


def usage_of(weapon: Item) -> WeaponGroup:
    """Return the skill and attribute of a weapon's group."""
    return people().group[weapon.traits[0]]  # type: ignore[index]


def attribute_of(table: Table, weapon: Item) -> str:
    """Return an attack's attribute: Strength, or Agility for aimed shots (VER-024, VER-025)."""
    if group_of(weapon) == "thrown":
        return table.config.attack_thrown_attribute
    return usage_of(weapon).attribute


def bonus_of(weapon: Item, grip: str) -> int:
    """Return a weapon's gear dice in a grip (VER-S21).

    Its counter holds the dice of the better grip.
    """
    now = weapon.counters["bonus"]
    return now if grip == "two" else max(0, now - weapon.stats.get("grip_bonus", 0))


def damage_of(weapon: Item, grip: str) -> int:
    """Return a weapon's listed damage in a grip."""
    two = weapon.stats.get("damage_two_handed") if grip == "two" else None
    return weapon.stats["damage"] if two is None else two


def find_weapon_for(table: Table, who: Id, named: Id, *, melee: bool | None = None) -> Item:
    """Return the named weapon, else the first fitting one in hand, else bare hands.

    Args:
        named: Its id; empty leaves the choice to this function.
        melee: Whether it must be a melee weapon or a ranged one; ``None`` takes either.
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
    """Return a combatant's weapons in hand, its worn armour, and its unbroken shield."""
    weapons, armor, shield = [], None, None
    items = table.draft.items
    for id in table.draft.owned_items.get(who, ()):
        item = items[id]
        if item.where == "hand":
            if item.kind == "weapon":
                weapons.append(item)
            elif item.kind == "shield" and shield is None and not is_broken(item):
                shield = item
        elif item.where == "worn" and item.kind == "armor":
            armor = item
    return weapons, armor, shield


def find_armor(table: Table, who: Id) -> Item | None:
    """Return the armour that a combatant wears."""
    return next((one for one in table.items_of(who) if one.kind == "armor" and one.where == "worn"), None)


def find_shield(table: Table, who: Id) -> Item | None:
    """Return the unbroken shield that a combatant wields."""
    return next((one for one in list_held(table, who) if one.kind == "shield" and not is_broken(one)), None)


def burden_of(table: Table, who: Id, armor: Item | None) -> int:
    """Return the dice that armour costs on Dodge, stealth and movement, less Ironclad."""
    if armor is None or not armor.stats.get("impeding"):
        return 0
    return max(0, armor.stats["impeding"] - stat(table, who, "ironclad"))


def find_ammunition(table: Table, who: Id, weapon: Item) -> Item | None:
    """Return a weapon's ammunition, if its owner has any left outside the pack."""
    return next(
        (one for one in list_shots(table, who, weapon) if one.counters.get("count") and one.where != "pack"), None
    )


def list_shots(table: Table, who: Id, weapon: Item) -> Iterator[Item]:
    """Yield all of a combatant's ammunition for a weapon, used up or not."""
    kind = "".join(weapon.list_features(SHOOTS))
    for one in table.items_of(who) if kind else ():
        if one.kind == "ammunition" and one.traits[0] == kind:
            yield one


def build_armor_share(table: Table, item: Id, rule: Clause, ignored: int = 0) -> Share:
    """Return the dice of a suit of armour or a shield, less the ignored ones."""
    thing = table.item(item)
    return Share("gear", max(0, thing.counters["rating"] - ignored), thing.name, item, rule, item)


def list_armor_shares(table: Table, who: Id) -> tuple[Share, ...]:
    """Return the dice of worn armour alone, for harm without a blow (VER-T12)."""
    armor = find_armor(table, who)
    return (build_armor_share(table, armor.id, "VER-T12"),) if armor is not None else ()


def list_armor_against(table: Table, who: Id, attacker: Id, weapon: Item) -> Sequence[Share]:
    """List the gear dice against a blow: armour, shield, drilled friends (VER-029)."""
    found: list[Share] = []
    if group_of(weapon) != "blackpowder":
        _, armor, shield = arms_and_armor(table, who)
        if armor is not None:
            rule = "VER-068" if is_mount(table, who) else "VER-029"
            pierced = stat(table, attacker, "strike-to-injure" if is_melee(weapon) else "sure-shot")
            found.append(build_armor_share(table, armor.id, rule, pierced))
        if shield is not None and "jointed" not in weapon.traits:
            found.append(build_armor_share(table, shield.id, "VER-029"))
    drilled = _count_drilled_friends(table, who)
    if drilled:
        found.append(Share("gear", drilled, "drilled", f"{who}.drilled", "VER-T29"))
    return found


def list_ignoring_clauses(table: Table, who: Id, weapon: Item) -> tuple[Clause, ...]:
    """Return the clauses by which a weapon ignores armour or shield (VER-S23, VER-S27)."""
    if group_of(weapon) == "blackpowder":
        return ("VER-S27",)
    return ("VER-S23",) if "jointed" in weapon.traits and find_shield(table, who) is not None else ()


def _count_drilled_friends(table: Table, who: Id) -> int:
    """Count the other known, drilled friends in the melee of a drilled combatant (table 5.7)."""
    melee = sheet.melee_of(table, who) if stat(table, who, "drilled") else None
    if melee is None:
        return 0
    side = table[who].side
    return sum(
        one != who and table[one].side == side and stat(table, one, "drilled") > 0
        for one in sheet.list_participants(table, melee)
    )


def must_be_loaded(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse a weapon unloaded, without a lit match, or without shots (VER-043, VER-S29)."""
    if group_of(weapon) not in FIRED:
        return
    if "reloading" in weapon.traits and not weapon.counters.get("loaded"):
        raise sheet.refusal_by("VER-043", f"the {weapon.quoted_name} must be reloaded first", weapon.id)
    if group_of(weapon) == "blackpowder" and not weapon.counters.get("lit"):
        raise sheet.refusal_by("VER-S29", f"the match of the {weapon.quoted_name} does not burn", weapon.id)
    must_have_shots(table, actor, weapon)


def must_have_shots(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse a shot without ammunition at hand.

    Ammunition in the pack must be got out first.
    """
    if find_ammunition(table, actor, weapon) is None:
        packed = next((one for one in list_shots(table, actor, weapon) if one.counters.get("count")), None)
        if packed is not None:
            reason = f"has the {packed.quoted_name} in the pack"
            raise table.refuse(actor, reason, "VER-101", source=packed.id, example="take_pack_item")
        raise table.refuse(actor, f"has nothing to shoot with the {weapon.quoted_name}", "VER-043", source=weapon.id)


def must_be_wieldable(table: Table, actor: Id, weapon: Item, grip: str) -> None:
    """Refuse a weapon that cannot be wielded now (VER-S24, VER-S26).

    The checks in order: in hand, broken, hands, grip, room, and training in the saddle.
    """
    must_be_in_hand(table, actor, weapon)
    if is_broken(weapon):
        raise sheet.refusal_by("VER-S09", f"the {weapon.quoted_name} is broken", weapon.id)
    if "two_handed" in weapon.traits and "flexible" not in weapon.traits:
        others = any(item.id != weapon.id and count_hands_for(item) for item in list_held(table, actor))
        if others or count_hands(table, actor) < 2:
            raise sheet.refusal_by("VER-S26", f"the {weapon.quoted_name} needs both hands", weapon.id)
    if grip == "two" and "two_handed" not in weapon.traits and "flexible" not in weapon.traits:
        raise sheet.refusal_by("VER-S21", f"the {weapon.quoted_name} has one grip only", weapon.id)
    if grip == "two" and "flexible" in weapon.traits and count_free_hands(table, actor) < 1:
        raise table.refuse(actor, f"has no other hand for the {weapon.quoted_name}", "VER-S21", source=weapon.id)
    place = table.draft.places.get(table[actor].place)
    if "long" in weapon.traits and place is not None and "indoors" in place.traits:
        sheet.must_be_allowed("VER-S24", table, actor, f"there is no room here for the {weapon.quoted_name}", place.id)
    if mount_of(table, actor) and not can_be_used_mounted(table, actor, weapon):
        message = f"{table.name_of(actor)} cannot fire the {weapon.quoted_name} in the saddle"
        sheet.must_be_allowed("VER-066", table, actor, message, weapon.id)


def can_be_used_mounted(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether a rider can use a weapon: a hand-thrown one, never a sling (VER-066)."""
    group = group_of(weapon)
    if group == "bows":
        return stat(table, actor, "saddleshot") > 0
    if group == "blackpowder":
        return stat(table, actor, "caracole") >= 2
    return group != "crossbows" and not weapon.stats.get("fired")


def must_be_in_hand(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse an item that is not a weapon in the actor's hand."""
    if weapon.owner != actor or weapon.kind != "weapon" or (weapon.where != "hand" and weapon.id != f"{actor}.unarmed"):
        raise table.refuse(actor, f"does not have the {weapon.quoted_name} in hand", "VER-023", source=weapon.id)
