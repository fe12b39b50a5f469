"""Reading a combatant of Wyrd: who is active, who is an enemy, who tests, how much room is left."""

from __future__ import annotations

from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies
from affray.events import Clause, Id

OUT = frozenset({"incapacitated", "dead", "fled", "yielded"})
"""Conditions of somebody who is not active."""

GONE = frozenset({"dead", "fled", "yielded"})
"""Conditions of somebody who cannot even be hit any more."""

ABILITIES = ("power", "grace", "intellect", "will")


def active(table: Table, who: Id) -> bool:
    """Tell whether somebody is up and still in the fight."""
    combatant = table.draft.combatants.get(who)
    return combatant is not None and (not combatant.conditions or OUT.isdisjoint(combatant.conditions))


def hurtable(table: Table, who: Id) -> bool:
    """Tell whether somebody can still be hit: there, and not dead, fled or yielded."""
    combatant = table.draft.combatants.get(who)
    return combatant is not None and (not combatant.conditions or GONE.isdisjoint(combatant.conditions))


def helpless(table: Table, who: Id) -> bool:
    """Tell whether somebody can be hit and do nothing about it (WYR-G03)."""
    return hurtable(table, who) and not active(table, who)


def is_pc(table: Table, who: Id) -> bool:
    """Tell whether somebody is a player's character."""
    return "pc" in table[who].traits


def tests(table: Table, who: Id) -> bool:
    """Tell whether somebody is rolled like a player character: one of them, or on their side (WYR-029, WYR-G02)."""
    combatant = table[who]
    return "pc" in combatant.traits or combatant.side in table.derived(pc_sides)


def like_a_pc(table: Table, who: Id) -> tuple[Clause, ...]:
    """Return the clause by which somebody who is no player character is rolled like one (WYR-G02)."""
    return () if is_pc(table, who) else ("WYR-G02",)


def pc_sides(table: Table) -> frozenset[str]:
    """Return the sides that a player character is on."""
    return frozenset(one.side for one in table.draft.combatants.values() if "pc" in one.traits)


def standing(table: Table) -> dict[str, tuple[Id, ...]]:
    """Return the active combatants of every side that has any, in joining order."""
    found: dict[str, list[Id]] = {}
    for who, one in table.draft.combatants.items():
        if active(table, who):
            found.setdefault(one.side, []).append(who)
    return {side: tuple(members) for side, members in found.items()}


def ability(table: Table, who: Id, name: str) -> Item:
    """Return an ability of somebody's, which is a usage die like any other."""
    return table.draft.items[f"{who}.{name}"]


def better(table: Table, who: Id) -> str:
    """Return the larger of Power and Grace, the usual abilities of a fight; Power if they are equal (WYR-013)."""
    items = table.draft.items
    return "grace" if items[f"{who}.grace"].die > items[f"{who}.power"].die else "power"


def free_slots(table: Table, who: Id) -> int | None:
    """Return how many slots nothing fills yet; ``None`` for somebody who has none at all.

    What is destroyed or knocked away fills none.
    """
    combatant = table[who]
    slots = combatant.stats.get("slots")
    if slots is None:
        return None
    items = table.draft.items
    filled = combatant.stats.get("load", 0) + combatant.pools.get("fatigue", 0)
    for id in table.draft.owned_items.get(who, ()):
        item = items[id]
        if (item.die or not item.base) and item.where != "dropped":
            filled += item.stats.get("slots", 0)
    return max(0, slots - filled)


def must_be_active(table: Table, who: Id, rule: Clause) -> None:
    """Refuse somebody who is dead (WYR-066), incapacitated (Terms), or otherwise out of the fight."""
    if active(table, who):
        return
    combatant = table[who]
    if combatant.has("dead"):
        raise Refused("dead", "WYR-066", f"{who} is dead", source=who)
    if combatant.has("incapacitated"):
        raise Refused("incapacitated", "WYR-T28", f"{who} is incapacitated", source=who)
    raise Refused("not_active", rule, f"{who} is out of the fight", source=who)


def an_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is no enemy, or that is dead, fled or has yielded."""
    if not enemies(table, actor, target):
        raise Refused("not_an_enemy", rule, f"{target} is no enemy of {actor}", source=target)
    if not hurtable(table, target):
        raise Refused("target_out", rule, f"{target} is out of the fight", source=target)


def an_ally(table: Table, actor: Id, other: Id, rule: Clause) -> None:
    """Refuse somebody who is an enemy, or the actor itself."""
    if actor == other or enemies(table, actor, other):
        raise Refused("not_an_ally", rule, f"{other} is no companion of {actor}", source=other)
