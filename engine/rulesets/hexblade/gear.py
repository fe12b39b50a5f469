"""Items: hands, missiles, wear, and drawing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, Self

from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import copy_item, move_item, set_item_counter, set_pool
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.kit.hexes import hex_distance
from affray.events import Clause, DieStepped, Id, ItemId, MemberDone, Modifier

from .config import Table
from .marks import DRAWN, FAILED, WIELDED
from .sheet import list_modifiers, must_be_active, refusal
from .tables import DICE
from .turns.order import has_acted, is_waived, must_afford, note_acted, spend, use_waivers

HANDS = 2
"""The number of hands of each combatant, and of a two-handed weapon."""

USES = "uses"
"""The prefix of a ranged weapon's trait; the kind of its missiles follows."""

HANDY = frozenset({"weapon", "shield", "goods"})
"""The kinds of items that hands hold."""


def is_ranged(item: Item) -> bool:
    """Return whether an item shoots or is thrown."""
    return "ranged" in item.traits


def is_broken(item: Item) -> bool:
    """Return whether an item is broken and useless (HEX-T19)."""
    return bool(item.counters.get("broken"))


def list_in_hand(table: Table, who: Id) -> tuple[Item, ...]:
    """Return the items that a combatant has in hand, in alphabetical order."""
    return tuple(map(table.draft.items.__getitem__, table.derive_from_things(_list_in_hand, who)))


def is_in_hand(table: Table, who: Id, item: Id) -> bool:
    """Return whether a combatant has an item in hand."""
    return item in table.derive_from_things(_list_in_hand, who)


def _list_in_hand(table: Table, who: Id) -> list[Id]:
    return [item.id for item in table.items_of(who) if item.where == "hand" and "natural" not in item.traits]


def find_melee_weapon(table: Table, who: Id) -> Item:
    """Return the melee weapon of a combatant, or its bare hands.

    Of two weapons, one that was not just unpacked (HEX-065) goes first; then the one used last, then the better one.
    """
    fit = list_melee_weapons(table, who)
    if len(fit) > 1:
        last = WIELDED.of(table, who)
        return min(fit, key=lambda one: (is_just_drawn(table, one.id), one.id != last, *_rank_weapon(table, who, one)))
    return fit[0] if fit else table.draft.items[f"{who}.unarmed"]


def list_melee_weapons(table: Table, who: Id) -> list[Item]:
    """Return the unbroken melee weapons that a combatant has in hand."""
    return [item for item in list_in_hand(table, who) if "melee" in item.traits and not is_broken(item)]


def _rank_weapon(table: Table, who: Id, weapon: Item) -> tuple[int, int]:
    """Return the bonus and the die of a weapon, negated so that the best sorts first."""
    return -table[who].stats[find_attribute(table, who, weapon)], -find_die(weapon)


def has_no_best(table: Table, who: Id, weapons: Iterable[Item]) -> bool:
    """Return whether one weapon has the better bonus, and another one the better die."""
    worth = [_rank_weapon(table, who, one) for one in weapons]
    return len({bonus for bonus, _ in worth}) > 1 and min(worth)[1] > min(die for _, die in worth)


def is_on_belt(table: Table, actor: Id, item: Item) -> bool:
    """Return whether a weapon is drawn from the belt as part of the attack with it (HEX-T47)."""
    return table.config.belt_cost == "free" and item.owner == actor and item.where == "belt"


def draw_to_use(table: Table, actor: Id, weapon: Id) -> Rule[None]:
    """Draw a weapon from the belt; without a free hand, the held item goes to the belt."""
    if not weapon or not is_on_belt(table, actor, table.item(weapon)):
        return
    if sum(count_hands(one) for one in list_in_hand(table, actor)) + count_hands(table.item(weapon)) > HANDS:
        yield from clear_hands(table, actor, weapon)
    yield move_item(table, weapon, "hand", "HEX-G05", "HEX-T47")


def is_just_drawn(table: Table, item: Id) -> bool:
    """Return whether an item was taken out of the pack in this very round."""
    return DRAWN.of(table, item) == table.draft.round


def cite_drawing_waiver(table: Table, item: Id) -> tuple[Clause, ...]:
    """Return the clause to waive for the use of an item that left the pack this turn."""
    return ("HEX-065",) if is_just_drawn(table, item) else ()


def must_not_be_just_drawn(table: Table, actor: Id, item: Item) -> None:
    """Refuse an item that was taken out of the pack in this very turn (HEX-065)."""
    if is_just_drawn(table, item.id) and not is_waived(table, actor, "HEX-065"):
        raise refusal("HEX-065", f"the {item.quoted_name} was taken out just now, and serves next turn", item.id)


def find_attribute(table: Table, who: Id, weapon: Item) -> str:
    """Return the attribute of a weapon: strength, dexterity, or the better one (HEX-019)."""
    attribute = weapon.traits[0]
    if attribute != "either":
        return attribute
    stats = table[who].stats
    return "dex" if stats["dex"] > stats["str"] else "str"


def list_weapon_modifiers(table: Table, who: Id, weapon: Item, *, damage: bool = False) -> tuple[Modifier, ...]:
    """Return the bonus that a weapon's attribute gives to the attack or damage (HEX-018)."""
    attribute = find_attribute(table, who, weapon)
    rule = "HEX-022" if damage else "HEX-018" if attribute == "str" else "HEX-019"
    return list_modifiers(table, who, attribute, rule)


def find_die(item: Item) -> int:
    """Return the sides of an item's die, one size smaller if damaged, at least a d4."""
    return find_smaller(item.base) if item.counters.get("damaged") else item.base


def find_smaller(sides: int) -> int:
    """Return the next smaller die; the smallest ones stay as they are."""
    return max((one for one in DICE if one < sides), default=sides)


def find_armor(table: Table, who: Id) -> Item | None:
    """Return the unbroken armour that a combatant wears, or nothing."""
    for one in table.items_of(who):
        if one.kind == "armor" and one.where == "worn" and not is_broken(one):
            return one
    return None


def find_shield(table: Table, who: Id) -> Item | None:
    """Return the shield that a combatant has in hand, or nothing."""
    return next((one for one in table.items_of(who) if one.kind == "shield" and one.where == "hand"), None)


def find_missiles(table: Table, actor: Id, weapon: Item) -> Item | None:
    """Return the missiles left for a weapon, or nothing.

    A thrown weapon is its own missile.
    """
    if "thrown" in weapon.traits:
        return weapon if weapon.counters.get("left") else None
    kind = "".join(weapon.list_features(USES))
    fit = (item for item in table.items_of(actor) if item.kind == "ammunition" and kind in item.traits)
    return next((item for item in fit if item.counters.get("left")), None)


def must_be_loaded(table: Table, actor: Id, weapon: Item) -> None:
    """Refuse to shoot without missiles left for the weapon."""
    if find_missiles(table, actor, weapon) is None:
        raise table.refuse(
            actor, f"has nothing left to shoot with the {weapon.quoted_name}", "HEX-027", source=weapon.id
        )


def spend_missile(table: Table, item: Id) -> Rule[None]:
    """Spend a missile, which may be gathered later; the last one leaves the hand."""
    counters = table.item(item).counters
    left = counters["left"] - 1
    yield set_item_counter(table, item, "left", max(0, left), "HEX-027")
    yield set_item_counter(table, item, "spent", counters["spent"] + 1, "HEX-043")
    if "thrown" in table.item(item).traits and left <= 0:
        yield move_item(table, item, "", "HEX-027")


def single_out(table: Table, item: Id, *rules: Clause) -> Rule[Id]:
    """Split the piece that was thrown last from its stack (HEX-T45)."""
    stack = table.item(item)
    left, spent = stack.counters.get("left", 0), stack.counters.get("spent", 0)
    if "thrown" not in stack.traits or left + spent <= 1 or not spent:
        return item
    nth = next(nth for nth in count(2) if f"{item}-{nth}" not in table.draft.items)
    state = {key: stack.counters[key] for key in ("damaged", "broken") if stack.counters.get(key)}
    yield set_item_counter(table, item, "spent", spent - 1, *rules, "HEX-T45")
    if stack.counters["recoverable"] >= spent:
        yield set_item_counter(table, item, "recoverable", spent - 1, *rules, "HEX-T45")
    piece = copy_item(stack, f"{item}-{nth}", f"{stack.name} {nth}", "", "", left=0, spent=1, recoverable=0, **state)
    yield replace(piece, rules=(*rules, "HEX-T45"))
    return piece.item


def is_ownerless(table: Table, item: Item) -> bool:
    """Return whether an item has no owner, or a slain or departed one."""
    owner = table.draft.combatants.get(item.owner)
    return owner is None or owner.has("slain")


def damage_item(table: Table, item: Id, *rules: Clause) -> Rule[None]:
    """Damage an item that is whole: its die is one size smaller from now on."""
    thing = table.item(item)
    if thing.counters.get("damaged"):
        return
    yield set_item_counter(table, item, "damaged", 1, *rules)
    yield from resize(table, item, find_smaller(thing.base), *rules)


def mend(table: Table, item: Id, *rules: Clause) -> Rule[None]:
    """Make an item whole again, with its base die."""
    thing = table.item(item)
    for counter in ("damaged", "broken", "needs_professional"):
        if thing.counters.get(counter):
            yield set_item_counter(table, item, counter, 0, *rules)
    yield from FAILED.end_on(table, item, *rules)
    yield from resize(table, item, thing.base, *rules)


def resize(table: Table, item: Id, sides: int, *rules: Clause) -> Rule[None]:
    """Give an item another die, if it differs (HEX-T18)."""
    before = table.item(item).die
    if before != sides:
        yield DieStepped(item=item, before=before, after=sides, rules=(*rules, "HEX-T18"))


@declared_as(
    "draw", "take a thing in hand; out of the pack it takes the whole turn", "item", own_trigger="draw", stacks=False
)
class Draw(Action, frozen=True, kw_only=True):
    """Take an item in hand: from the belt or the ground (HEX-G05), or out of the pack (HEX-064)."""

    item: ItemId

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it where there is an item that the combatant could take in hand."""
        return any(_can_be_held(item) for item in table.draft.items.values() if item.owner in (actor, ""))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, an item out of reach or already in hand."""
        must_be_active(table, actor)
        item = table.item(self.item)
        packed = item.owner == actor and item.where == "pack"
        if packed and is_whole_turn(table, actor):
            if has_acted(table, actor) or table.pool(actor, "actions") < 1:
                raise refusal("HEX-064", "a pack is opened as the first thing in a turn, and takes all of it", actor)
        else:
            must_afford(table, actor, "standard")
        if not _can_be_held(item):
            raise refusal("HEX-062", f"nobody takes {item.quoted_name} in hand", item.id)
        if item.owner == actor:
            _must_need_drawing(table, actor, item)
        elif item.owner:
            raise refusal("HEX-062", f"{table.name_of(actor)} does not carry {item.quoted_name}", item.id)
        elif not _is_within_reach(table, actor, item):
            raise refusal(
                "HEX-G05", f"the {item.quoted_name} does not lie within reach of {table.name_of(actor)}", item.id
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the item out of the pack, or into the hand (HEX-G05)."""
        item = table.item(self.item)
        if item.owner == actor and item.where == "pack":
            yield from unpack(table, actor, item.id)
        else:
            yield from spend(table, actor, "standard", "HEX-013", "HEX-G05")
            yield from clear_hands(table, actor, item.id)
            yield move_item(table, item.id, "hand", "HEX-G05", owner=actor)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the carried items and those on the ground."""
        return [item.id for item in table.draft.items.values() if item.owner in (actor, "")]


def _can_be_held(item: Item) -> bool:
    """Return whether an item can be taken in hand at all."""
    return item.kind in HANDY and "natural" not in item.traits


def is_whole_turn(table: Table, actor: Id) -> bool:
    """Return whether opening the pack takes the whole turn (HEX-064)."""
    return table.config.pack_cost == "whole_turn" and not is_waived(table, actor, "HEX-064")


def _must_need_drawing(table: Table, actor: Id, item: Item) -> None:
    """Refuse an item that is in hand already, or was thrown to the last piece."""
    if item.where == "hand":
        raise refusal("HEX-062", f"{table.name_of(actor)} has the {item.quoted_name} in hand", item.id)
    if "thrown" in item.traits and not item.counters.get("left"):
        raise refusal("HEX-062", f"{table.name_of(actor)} has no {item.quoted_name} left", item.id)


def _is_within_reach(table: Table, actor: Id, item: Item) -> bool:
    """Return whether an item lies in the combatant's own or a neighbouring hex."""
    far = hex_distance(table[actor].place, item.where)
    return far is not None and far <= 1


def unpack(table: Table, actor: Id, item: Id) -> Rule[None]:
    """Take an item out of the pack: in hand if there is room, else on the belt (HEX-T33, HEX-T34)."""
    whole = is_whole_turn(table, actor)
    if whole:
        for pool in ("movement", "actions"):
            yield set_pool(table, actor, pool, 0, "HEX-064")
        yield from note_acted(table, actor)
    else:
        freely = ("HEX-T33",) if table.config.pack_cost == "action" else ()
        yield from spend(table, actor, "standard", "HEX-064", *freely)
        yield from use_waivers(table, actor, *(() if freely else ("HEX-064",)))
    room = HANDS - sum(count_hands(one) for one in list_in_hand(table, actor))
    where = "hand" if count_hands(table.item(item)) <= room else "belt"
    held_fast = ("HEX-T39",) if table[actor].has("grappled") else ()
    yield move_item(table, item, where, "HEX-064", "HEX-T34", *held_fast)
    yield DRAWN.set_on(item, table.draft.round, "HEX-065")
    if whole:
        yield MemberDone(who=actor, rules=("HEX-064",))


def count_hands(item: Item) -> int:
    """Return how many hands an item takes."""
    return item.stats.get("hands", 1)


def clear_hands(table: Table, actor: Id, item: Id) -> Rule[None]:
    """Move items from the hands to the belt to make room for another one (HEX-T21).

    A weapon of its kind goes first, then items that leave no room. Of two melee weapons, or two ranged ones, only one
    stays in hand; a shield goes last.
    """
    newcomer = table.item(item)

    def is_alike(one: Item) -> bool:
        return one.kind == newcomer.kind == "weapon" and is_ranged(one) == is_ranged(newcomer)

    full = sorted(list_in_hand(table, actor), key=lambda one: (not is_alike(one), one.kind == "shield"))
    room = HANDS - sum(count_hands(one) for one in full)
    for one in full:
        if is_alike(one) or room < count_hands(newcomer):
            yield move_item(table, one.id, "belt", "HEX-G05", "HEX-T21")
            room += count_hands(one)
