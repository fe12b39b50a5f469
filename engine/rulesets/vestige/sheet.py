"""What the sheets of Vestige say: a combatant's numbers and state, what a weapon and a skill are."""

from collections.abc import Collection

from affray.engine.core.state import Combatant, Item
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import foes_among, has_enemies, sides_of
from affray.engine.kit.sides import enemies
from affray.events import Clause, Id, Modifier

from .config import Table
from .marks import ALLOWED

OUT = frozenset({"forfeited", "dead", "unable"})
"""Conditions of somebody who is not active."""

RANGED = frozenset({"bow", "firearm"})
"""Weapon types that are shot and not held against anybody."""


def stat(table: Table, who: Id, name: str) -> int:
    """Return a number of the sheet; what the sheet leaves out is 0."""
    return table[who].stats.get(name, 0)


def own(who: Id, name: str, value: int, rule: Clause) -> Modifier:
    """Return what a number of somebody's sheet adds to a roll or takes from it."""
    return Modifier(value=value, label=name, source=f"{who}.{name}", rule=rule)


def is_active(table: Table, who: Id) -> bool:
    """Tell whether somebody is alive and has neither forfeited nor become unable to fight (VES-T02)."""
    combatant = table.draft.combatants.get(who)
    return combatant is not None and (not combatant.conditions or OUT.isdisjoint(combatant.conditions))


def standing(table: Table) -> tuple[str, ...]:
    """Return the sides that have an active combatant, in joining order."""
    return sides_of(table, table.derived(list_able))


def list_able(table: Table) -> tuple[Id, ...]:
    """List the active combatants, in joining order."""
    return tuple([who for who in table.draft.combatants if is_active(table, who)])


def is_contested(table: Table) -> bool:
    """Tell whether two known active combatants are hostile; allied sides count together (VES-T45)."""
    return has_enemies(table, table.list_known(table.derived(list_able)))


def able_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known active enemies."""
    return foes_among(table, table.derived(list_able))


def winning_sides(table: Table, victors: Collection[str]) -> tuple[str, ...]:
    """Return the sides that win together: the given ones, and those with an ally among them and no active enemy."""
    winners = [one for one in table.draft.combatants.values() if one.side in victors]
    friends = {
        table[other.who].side
        for one in winners
        for relation in table.draft.relations.values()
        if relation.kind == "allies" and any(member.who == one.id for member in relation.members)
        for other in relation.members
    }
    return (*victors, *sorted(side for side in friends - {*victors} if not _is_hostile(table, side, winners)))


def _is_hostile(table: Table, side: str, others: Collection[Combatant]) -> bool:
    """Tell whether an active combatant of a side is an enemy of an active one among others."""
    theirs = [who for who, one in table.draft.combatants.items() if one.side == side and is_active(table, who)]
    return any(enemies(table, who, one.id) for who in theirs for one in others if is_active(table, one.id))


def must_be_active(table: Table, who: Id) -> None:
    """Refuse somebody who is out of the fight.

    By VES-T02; somebody unknown is refused as such.
    """
    if not is_active(table, who):
        table[who]
        raise Refused("not_active", "VES-T02", f"{table.called(who)} is out of the fight", source=who)


def permissions(table: Table, who: Id) -> dict[str, str]:
    """Return what the game master allowed a combatant and was not done yet, each by the number of its note."""
    return {number: str(what) for number, what in ALLOWED.held(table, who)}


def allowed_target(table: Table, what: str) -> Id:
    """Return the combatant that a permission such as ``attack tomas`` names by id or name, or nothing."""
    verb, _, named = what.strip().partition(" ")
    if verb.casefold() != "attack":
        return ""
    said = named.strip().casefold()
    people = table.draft.combatants
    return said if said in people else next((who for who, one in people.items() if one.name.casefold() == said), "")


def permitted_attack(table: Table, actor: Id, target: Id) -> str:
    """Return the number of the note that lets a combatant attack one who is no enemy, or nothing (VES-T46)."""
    allowed = permissions(table, actor).items()
    return next((number for number, what in allowed if allowed_target(table, what) == target), "")


def attackable(table: Table, actor: Id) -> list[Id]:
    """List the enemies of a combatant, and other combatants that a ruling lets them attack."""
    let = {allowed_target(table, what) for what in permissions(table, actor).values()}
    return [who for who in table.draft.combatants if enemies(table, actor, who) or who in let]


def must_be_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is neither an active enemy nor allowed; sides may be allied by ruling (VES-020, VES-T01)."""
    is_there = target in table.draft.combatants
    if is_there and not enemies(table, actor, target) and not permitted_attack(table, actor, target):
        rule = rule if table[actor].side == table[target].side else "VES-T01"
        message = f"{table.called(target)} is no enemy of {table.called(actor)}"
        raise Refused("not_an_enemy", rule, message, source=target)
    if not is_active(table, target):
        raise Refused("target_out", rule, f"{table.called(target)} is out of the fight", source=target)


def weapon_type(weapon: Item) -> str:
    """Return a weapon's type: blade, axe, spear, staff, bow, firearm, unarmed."""
    return weapon.traits[0]


def can_be_loaded(weapon: Item) -> bool:
    """Tell whether a weapon uses ammunition (VES-T25)."""
    return "ammunition" in weapon.traits


def needed_types(skill: Item) -> tuple[str, ...]:
    """Return the weapon types one of which a skill takes; none if it takes any weapon."""
    return _behind("needs:", skill)


def discipline_of(skill: Item) -> str:
    """Return the discipline that teaches a skill; empty if none does."""
    return "".join(_behind("taught:", skill))


def _behind(prefix: str, skill: Item) -> tuple[str, ...]:
    return tuple(one.removeprefix(prefix) for one in skill.traits if one.startswith(prefix))
