"""What the sheet of a combatant of Vestige says: its numbers, and who can still fight."""

from __future__ import annotations

from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies, sides_with
from affray.events import Clause, Id

from .config import Table

OUT = frozenset({"forfeited", "dead", "unable"})
"""Conditions of somebody who is not active."""


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


def must_be_active(table: Table, who: Id) -> None:
    """Refuse somebody who is out of the fight (VES-T02)."""
    if not active(table, who):
        table[who]
        raise Refused("not_active", "VES-T02", f"{who} is out of the fight", source=who)


def an_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is no active enemy; sides may be allied by ruling (VES-T01)."""
    if target in table.draft.combatants and not enemies(table, actor, target):
        rule = rule if table[actor].side == table[target].side else "VES-T01"
        raise Refused("not_an_enemy", rule, f"{target} is no enemy of {actor}", source=target)
    if not active(table, target):
        raise Refused("target_out", rule, f"{target} is out of the fight", source=target)
