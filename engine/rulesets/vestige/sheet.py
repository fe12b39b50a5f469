"""Reading a combatant of Vestige: who is active, who is an enemy, what is in hand."""

from __future__ import annotations

from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies, sides_with
from affray.events import Clause, Id

from .config import Table

OUT = frozenset({"forfeited", "dead", "unable"})
"""Conditions of somebody who is not active."""

RANGED = frozenset({"bow", "firearm"})
"""Weapon types that are shot and not held against anybody."""


def stat(table: Table, who: Id, name: str) -> int:
    """Return a number of the sheet; what the sheet leaves out is 0."""
    return table[who].stats.get(name, 0)


def active(table: Table, who: Id) -> bool:
    """Tell whether somebody is alive and has neither forfeited nor become unable to fight."""
    combatant = table.draft.combatants.get(who)
    return combatant is not None and (not combatant.conditions or OUT.isdisjoint(combatant.conditions))


def standing(table: Table) -> tuple[str, ...]:
    """Return the sides that have an active combatant, in joining order."""
    return sides_with(table, lambda one: active(table, one.id))


def holders(table: Table) -> tuple[Id, ...]:
    """Return who could play a readied action: active, not delayed, with a token."""
    return tuple(
        who
        for who, one in table.draft.combatants.items()
        if one.has("readied") and not one.has("delayed") and active(table, who)
    )


def tokens(table: Table, who: Id) -> int:
    """Return how many readied actions somebody holds, wherever they come from."""
    return sum(table[who].conditions.get("readied", {}).values())


def in_hand(table: Table, who: Id) -> Item:
    """Return the weapon somebody has in hand; bare hands where a ruling took everything else away."""
    items = table.draft.items
    for item in table.draft.owned_items.get(who, ()):
        if items[item].where == "hand" and items[item].kind == "weapon":
            return items[item]
    return items[f"{who}.unarmed"]


def weapon_type(weapon: Item) -> str:
    """Return a weapon's type: blade, axe, spear, staff, bow, firearm, unarmed."""
    return weapon.traits[0]


def shoots(weapon: Item) -> bool:
    """Tell whether a weapon uses ammunition."""
    return "ammunition" in weapon.traits


def skill_of(table: Table, who: Id, skill: Id) -> Item:
    """Return a skill somebody has learnt, by itself or from a discipline.

    Raises:
        Refused: it is not on the sheet (VES-018).
    """
    found = table.draft.items.get(f"{who}.{skill}")
    if found is None or found.kind != "skill" or found.owner != who:
        raise Refused("unknown_skill", "VES-018", f"{who} has not learnt {skill}", source=f"{who}.{skill}")
    return found


def enough_ep(table: Table, who: Id, ep: int, rule: Clause) -> None:
    """Refuse what costs more ep than there is."""
    if table.pool(who, "ep") < ep:
        raise Refused("not_enough_ep", rule, f"{who} has {table.pool(who, 'ep')} ep, not {ep}", source=f"{who}.ep")


def an_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is no active enemy; sides may be allied by ruling (VES-T01)."""
    if target in table.draft.combatants and not enemies(table, actor, target):
        rule = rule if table[actor].side == table[target].side else "VES-T01"
        raise Refused("not_an_enemy", rule, f"{target} is no enemy of {actor}", source=target)
    if not active(table, target):
        raise Refused("target_out", rule, f"{target} is out of the fight", source=target)
