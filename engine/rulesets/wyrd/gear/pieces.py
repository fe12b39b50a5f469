"""Pieces of gear: tags, dice, wearing, holding, and uses of weapons (WYR-032 to WYR-038)."""

from itertools import permutations

from affray.engine.core.changes import move_item, set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.marks import TAG
from affray.engine.rulesets.wyrd.sheet import hinder_size
from affray.engine.rulesets.wyrd.tables import PROTECTION, tags
from affray.events import Clause, Dice, Id, Modifier

HANDS = ("main hand", "off hand")

UNARMED = "unarmed"
"""The weapon that every combatant has."""

KINDS = {"weapon": "weapon", "body": "armor", "head": "armor", "shield": "armor", "ability": "ability"}
"""The kind of a piece's die in a roll; other pieces are gear."""

KEPT = {"higher": "highest", "lower": "lowest"}
"""The face that counts of a piece that is rolled twice."""


def has_tag(table: Table, item: Item, tag: str) -> bool:
    """Return whether a piece has a tag; a ruling goes before the tables."""
    if item.id in table.draft.marks and TAG.is_on(table, item.id, tag):
        return TAG.of(table, item.id, tag)
    return tag in item.traits


def list_tags(table: Table, item: Item) -> list[str]:
    """Return the tags of a piece, from the tables and from rulings."""
    if item.id not in table.draft.marks:
        return list(item.traits)
    ruled = [tag for tag, _ in TAG.list_on(table, item.id)]
    return [tag for tag in dict.fromkeys((*item.traits, *ruled)) if has_tag(table, item, tag)]


def is_destroyed(item: Item) -> bool:
    """Return whether a piece is destroyed: it had a die and has none now."""
    return item.die == 0 and item.base > 0


def build_die(table: Table, item: Item, by: int = 0, kind: str = "") -> Dice:
    """Return the die of a piece, smaller by some sizes, and doubled if a tag says so."""
    sides = hinder_size(table.config, item.die, by) if by else item.die
    kind = kind or KINDS.get(item.kind, "gear")
    if not item.traits and item.id not in table.draft.marks:
        return Dice(count=1, sides=sides, kind=kind, item=item.id)
    ways = {tags()[tag].twice for tag in list_tags(table, item) if tag in tags()} - {""}
    keep = KEPT[ways.pop()] if len(ways) == 1 else ""
    return Dice(count=2 if keep else 1, sides=sides, kind=kind, item=item.id, keep=keep)


def list_item_dice(table: Table, item: Id) -> tuple[Dice, ...]:
    """Return the die of a piece that is used in a test; none if it has no die."""
    if not item:
        return ()
    piece = table.item(item)
    return (build_die(table, piece),) if piece.die else ()


def list_worn(table: Table, who: Id) -> list[Item]:
    """Return the worn protection that still has a die, in worn order (WYR-T16)."""
    found = [one for one in table.items_of(who) if one.where == "worn" and one.die and one.kind in PROTECTION]
    return sorted(found, key=lambda one: PROTECTION.index(one.kind)) if len(found) > 1 else found


def list_guard_dice(table: Table, who: Id) -> tuple[Dice, ...]:
    """Return the dice of all worn protection, at full size (WYR-031)."""
    return tuple([build_die(table, one, kind="armor") for one in list_worn(table, who)])


def list_dice_against_shot(table: Table, pieces: list[Item]) -> tuple[tuple[Dice, ...], tuple[Modifier, ...]]:
    """Return the armor dice against a shot: one size smaller, unless arrowproof (WYR-056, WYR-057)."""
    proof = [one for one in pieces if has_tag(table, one, "arrowproof")]
    dice = tuple([build_die(table, one, 0 if one in proof else 1, "armor") for one in pieces])
    hindrance = Modifier(value=-1, label="hindrance: a shot", rule="WYR-056")
    resists = [Modifier(value=0, label="arrowproof", source=one.id, rule="WYR-057") for one in proof]
    return dice, (*(() if proof == pieces else (hindrance,)), *resists)


def list_armor_dice(table: Table, who: Id, *, shot: bool) -> tuple[tuple[Dice, ...], tuple[Modifier, ...]]:
    """Return the dice of all worn protection, and the hindrance of a shot."""
    return list_dice_against_shot(table, list_worn(table, who)) if shot else (list_guard_dice(table, who), ())


def find_shield(table: Table, who: Id) -> Item | None:
    """Return the shield that a combatant bears, or nothing."""
    return next((one for one in list_worn(table, who) if one.kind == "shield"), None)


def is_light(table: Table, item: Item) -> bool:
    """Return whether a piece is light: by tag, or as small one-slot body armor (WYR-T18, WYR-T38)."""
    if TAG.is_on(table, item.id, "light"):
        return TAG.of(table, item.id, "light")
    if "light" in item.traits:
        return True
    return item.kind == "body" and item.base <= table.config.light_max_die and item.stats.get("slots", 0) <= 1


def is_lightly_armored(table: Table, who: Id) -> bool:
    """Return whether a combatant wears at most one piece, and a light one (WYR-032)."""
    pieces = list_worn(table, who)
    return len(pieces) < 2 and all(is_light(table, one) for one in pieces)


def is_ranged(table: Table, item: Item) -> bool:
    """Return whether a weapon is ranged."""
    return has_tag(table, item, "ranged")


def is_loaded(table: Table, item: Item) -> bool:
    """Return whether a weapon could be fired now (WYR-059)."""
    return not has_tag(table, item, "black_powder") or bool(item.counters.get("loaded"))


def empty_weapon(table: Table, weapon: Id, *rules: Clause) -> Rule[None]:
    """Empty a black powder weapon after a shot (WYR-058, WYR-T26)."""
    item = table.item(weapon)
    if has_tag(table, item, "black_powder") and is_loaded(table, item):
        yield set_item_counter(table, weapon, "loaded", 0, "WYR-058", "WYR-T26", *rules)


def list_spent_ammunition(table: Table, who: Id) -> list[Item]:
    """Return a combatant's ammunition if all of it is used up."""
    if not table.config.ammo_die:
        return []
    stock = [one for one in table.items_of(who) if one.kind == "ammunition"]
    return stock if all(map(is_destroyed, stock)) else []


def list_ammunition_dice(table: Table, who: Id) -> tuple[Dice, ...]:
    """Return the die of ammunition, if it has one and the configuration uses it (WYR-G04)."""
    if not table.config.ammo_die:
        return ()
    stock = [one for one in table.items_of(who) if one.kind == "ammunition" and one.die]
    return (build_die(table, stock[0], kind="ammunition"),) if stock else ()


def list_held(table: Table, who: Id) -> list[Item]:
    """Return the weapons that a combatant has in hand, the main hand first."""
    found = [
        one for one in table.items_of(who) if one.kind == "weapon" and one.where in HANDS and not is_destroyed(one)
    ]
    return sorted(found, key=lambda one: HANDS.index(one.where)) if len(found) > 1 else found


def list_usable_weapons(table: Table, who: Id, *, shot: bool) -> list[Item]:
    """Return the usable weapons for a melee or a shot, those in hand first, no fists."""
    found = [one for one in table.items_of(who) if one.kind == "weapon" and one.die and one.where != "dropped"]
    usable = [one for one in found if is_ranged(table, one) is shot]
    return sorted(usable, key=lambda one: HANDS.index(one.where) if one.where in HANDS else 2)


def list_offered_weapons(table: Table, who: Id, *shots: bool) -> tuple[Id, ...]:
    """Return the candidates for a weapon field: none, or a usable weapon."""
    return ("", *(item.id for shot in shots for item in list_usable_weapons(table, who, shot=shot)))


def list_ready_weapons(table: Table, who: Id, *, shot: bool) -> list[Item]:
    """Return the default weapons: those in hand that fit, or else the first that fits.

    Without either, these are bare hands in a melee, and nothing for a shot.
    """
    fits = [one for one in list_held(table, who) if is_ranged(table, one) is shot]
    if shot:
        return (fits or list_usable_weapons(table, who, shot=True))[:1]
    return fits or list_usable_weapons(table, who, shot=False)[:1] or [table.draft.items[f"{who}.{UNARMED}"]]


def choose_weapons(table: Table, who: Id, *named: Id, shot: bool, rule: Clause) -> tuple[Id, ...]:
    """Return the named weapons or the default ones; they fit into two hands (WYR-034).

    Raises:
        Refused: A weapon is another's, destroyed, knocked away or of the wrong kind; or they do not fit
            into two hands; or the combatant has no ranged weapon.
    """
    weapons = [table.item(one) for one in named if one]
    if not weapons:
        found = list_ready_weapons(table, who, shot=shot)
        if not found:
            raise table.refuse(who, "has nothing to shoot with", rule, "wrong_weapon")
        return tuple([one.id for one in found])
    for one in weapons:
        must_be_usable(table, one, who)
        if one.kind != "weapon" or is_ranged(table, one) is not shot:
            use = "be fired" if shot else "be used in a melee"
            raise Refused("wrong_weapon", rule, f"the {one.quoted_name} cannot {use}", source=one.id)
    ids = tuple([one.id for one in weapons])
    if len(ids) > 1 and (len(set(ids)) < len(ids) or any(one.stats.get("hands") != 1 for one in weapons)):
        raise Refused("hands_full", "WYR-034", "two weapons at once are one in each hand", source=ids[0])
    return ids


def list_riposte_choices(table: Table, who: Id) -> tuple[str, ...]:
    """List the choices for a riposte: weapons, pairs joined by ``+``, bare hands."""
    weapons = list_usable_weapons(table, who, shot=False)
    one_handed = [one.id for one in weapons if one.stats.get("hands") == 1]
    pairs = [f"{one}+{other}" for one, other in permutations(one_handed, 2)]
    return (*(one.id for one in weapons), *pairs, f"{who}.{UNARMED}")


def parse_riposte_weapons(table: Table, who: Id, named: str) -> tuple[Id, ...]:
    """Return the weapons that were named for a riposte, with or without their owner."""
    items = table.draft.items
    return tuple([f"{who}.{one}" if f"{who}.{one}" in items else one for one in named.split("+") if one])


def choose_riposte_weapons(table: Table, who: Id, named: str) -> tuple[Id, ...]:
    """Return the weapons of a riposte: the named ones at hand, or else the default ones."""
    at_hand = [one for one in parse_riposte_weapons(table, who, named) if is_at_hand(table.item(one), who)]
    return choose_weapons(table, who, *at_hand, shot=False, rule="WYR-030")


def list_weapon_dice(table: Table, who: Id, weapons: tuple[Id, ...]) -> tuple[Dice, ...]:
    """Return the dice of weapons that are whole and at hand; bare hands have none (WYR-036)."""
    things = table.draft.items
    items = [things[one] for one in weapons]
    return tuple([build_die(table, one) for one in items if one.die and one.owner == who and one.where != "dropped"])


def is_at_hand(item: Item, who: Id) -> bool:
    """Return whether a piece belongs to a combatant, is whole and was not knocked away."""
    return item.owner == who and not is_destroyed(item) and item.where != "dropped"


def must_be_usable(table: Table, item: Item, who: Id) -> None:
    """Refuse a piece that is another's, destroyed, or knocked out of the hand (WYR-T50)."""
    if item.owner != who or item.kind == "ability":
        raise Refused("not_owned", "WYR-T50", f"{table.name_of(who)} does not have {item.quoted_name}", source=item.id)
    if is_destroyed(item):
        raise Refused("destroyed", "WYR-T50", f"the {item.quoted_name} is destroyed", source=item.id)
    if item.where == "dropped":
        raise table.refuse(who, f"no longer holds the {item.quoted_name}", "WYR-T50", "disarmed", item.id)


def take_up(table: Table, who: Id, weapons: tuple[Id, ...]) -> Rule[None]:
    """Take exactly these weapons in hand, which costs nothing; fists change nothing."""
    needed = [one for one in weapons if table.item(one).die]
    if not needed:
        return
    for item in list_held(table, who):
        if item.id not in needed:
            yield move_item(table, item.id, "", "WYR-034")
    for one, hand in zip(needed, HANDS, strict=False):
        if table.item(one).where != hand:
            yield move_item(table, one, hand, "WYR-034")
