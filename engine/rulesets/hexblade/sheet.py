"""Reading a combatant of Hexblade: who is able, who is an enemy, what is in hand, which bonus counts."""

from __future__ import annotations

from affray.engine.core.state import Combatant, Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import sides_with
from affray.events import Clause, Id, Modifier

from .tables import ATTRIBUTES, DICE, skills

PC = "pc"
"""The trait of a player character."""

OUT = frozenset({"slain", "down", "unable"})
"""Conditions of somebody who can do nothing."""

DEFENCELESS = frozenset({*OUT, "helpless"})
"""Conditions of somebody who cannot fight back: no answering roll, no evade."""

SHORT: tuple[str, ...] = tuple(ATTRIBUTES)
"""The attributes as stats call them."""

SKILLS: dict[str, str] = {key: skill.attribute for key, skill in skills().items()}
"""Each skill with its attribute."""

FRAIL = 5
"""The durability of what shoots or is thrown, where that counts and its table names none."""


def refusal(rule: Clause, message: str, source: Id = "") -> Refused:
    """Return a refusal; its code is the number of the clause."""
    return Refused(rule, rule, message, source)


def stat(table: Table, who: Id, name: str) -> int:
    """Return a number of the sheet; what the sheet leaves out is 0."""
    return table[who].stats.get(name, 0)


def is_able(one: Combatant) -> bool:
    """Tell whether somebody is neither slain nor down nor made unable."""
    return not one.conditions or OUT.isdisjoint(one.conditions)


def able(table: Table, who: Id) -> bool:
    """Tell whether somebody is in the fight and able to act."""
    one = table.draft.combatants.get(who)
    return one is not None and is_able(one)


def rolls(table: Table, who: Id) -> bool:
    """Tell whether somebody can fight back and evade (HEX-017, HEX-G03)."""
    one = table.draft.combatants.get(who)
    return one is not None and (not one.conditions or DEFENCELESS.isdisjoint(one.conditions))


def is_pc(table: Table, who: Id) -> bool:
    """Tell a player character from the others."""
    return PC in table[who].traits


def standing(table: Table) -> tuple[str, ...]:
    """Return the sides that have somebody able, in joining order."""
    return sides_with(table, is_able)


def must_be_able(table: Table, who: Id) -> None:
    """Refuse somebody who can do nothing (HEX-G03)."""
    if not able(table, who):
        why = next(one for one in table[who].conditions if one in OUT)
        raise refusal("HEX-G03", f"{who} is not able to act", f"{who}.{why}")


def bonus(table: Table, who: Id, name: str, rule: Clause) -> tuple[Modifier, ...]:
    """Return what an attribute or a skill adds: the attribute, and the training if there is any."""
    attribute = SKILLS.get(name, name)
    stats = table[who].stats
    value = stats[attribute]
    terms = (Modifier(value=value, label=ATTRIBUTES[attribute], source=f"{who}.{attribute}", rule=rule),)  # type: ignore[index]
    trained = stats[name] if name != attribute else 0
    if not trained:
        return terms
    return (*terms, Modifier(value=trained, label=name, source=f"{who}.{name}", rule=rule))


# --- weapons and armour ---


def ranged(item: Item) -> bool:
    """Tell what shoots or is thrown from what strikes."""
    return "ranged" in item.traits


def is_broken(item: Item) -> bool:
    """Tell whether a thing is of no use any more (HEX-042)."""
    return bool(item.counters.get("broken"))


def held(table: Table, who: Id) -> tuple[Item, ...]:
    """Return what somebody has in hand, in alphabetical order."""
    items = table.draft.items
    found = (items[item] for item in table.draft.owned_items.get(who, ()))
    return tuple([item for item in found if item.where == "hand" and "natural" not in item.traits])


def bare_hands(table: Table, who: Id) -> Item:
    """Return what somebody strikes with who has nothing else."""
    return table.draft.items[f"{who}.unarmed"]


def blade(table: Table, who: Id) -> Item:
    """Return the melee weapon somebody strikes and answers with; bare hands if there is none of use in hand.

    Of two, one that was not taken out of the pack just now (HEX-065).
    """
    items, fresh = table.draft.items, None
    for id in table.draft.owned_items.get(who, ()):
        item = items[id]
        if item.where == "hand" and "melee" in item.traits and "natural" not in item.traits and not is_broken(item):
            if not just_drawn(table, id):
                return item
            fresh = fresh or item
    return fresh or bare_hands(table, who)


def just_drawn(table: Table, item: Id) -> bool:
    """Tell whether a thing was taken out of the pack in this very round (HEX-065)."""
    return table.mark(item, "drawn") == table.draft.round


def attribute(table: Table, who: Id, weapon: Item) -> str:
    """Return whose bonus counts with a weapon: strength, dexterity, or the better one (HEX-018, HEX-019)."""
    wanted = weapon.traits[0]
    if wanted != "either":
        return wanted
    stats = table[who].stats
    return "dex" if stats["dex"] > stats["str"] else "str"


def prowess(table: Table, who: Id, weapon: Item, *, damage: bool = False) -> tuple[Modifier, ...]:
    """Return the bonus that a weapon's attribute gives to the attack, or to its damage (HEX-018, HEX-019, HEX-022)."""
    wanted = attribute(table, who, weapon)
    rule = "HEX-022" if damage else "HEX-018" if wanted == "str" else "HEX-019"
    return bonus(table, who, wanted, rule)


def size(item: Item) -> int:
    """Return the sides of an item's die as it is now: one size smaller if it is damaged, a d4 at the least."""
    return smaller(item.base) if item.counters.get("damaged") else item.base


def smaller(sides: int) -> int:
    """Return the next smaller die; the smallest ones stay as they are."""
    return max((one for one in DICE if one < sides), default=sides)


def armor(table: Table, who: Id) -> Item | None:
    """Return the armour somebody wears, unless it is broken and of no use."""
    items = table.draft.items
    for id in table.draft.owned_items.get(who, ()):
        item = items[id]
        if item.kind == "armor" and item.where == "worn" and not is_broken(item):
            return item
    return None


def shield(table: Table, who: Id) -> Item | None:
    """Return the shield somebody has in hand."""
    items = table.draft.items
    for id in table.draft.owned_items.get(who, ()):
        if items[id].kind == "shield" and items[id].where == "hand":
            return items[id]
    return None
