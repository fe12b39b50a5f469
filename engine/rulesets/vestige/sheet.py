"""A sheet in Vestige: numbers and state of a combatant, types of weapons, needs of skills."""

from collections.abc import Collection

from affray.engine.core.state import Combatant, Item
from affray.engine.kit.fight_end import has_enemies, list_foes_among, list_sides_of
from affray.engine.kit.sheets import make_absence_check
from affray.engine.kit.sides import are_enemies
from affray.events import Clause, Id

from .config import Table
from .marks import ALLOWED

OUT = frozenset({"forfeited", "dead", "unable"})
"""The conditions that put a combatant out of the fight."""

RANGED = frozenset({"bow", "firearm"})
"""The weapon types that shoot, and so do not lock enemies in melee."""


is_active = make_absence_check(OUT)
"""Tell whether a combatant is alive, has not forfeited and can fight."""


def list_standing_sides(table: Table) -> tuple[str, ...]:
    """Return the sides that have an active combatant, in joining order."""
    return list_sides_of(table, table.derive(list_able))


def list_able(table: Table) -> tuple[Id, ...]:
    """List the active combatants, in joining order."""
    return tuple([who for who in table.draft.combatants if is_active(table, who)])


def is_contested(table: Table) -> bool:
    """Return whether two known active combatants are enemies (VES-T45).

    Allied sides count together.
    """
    return has_enemies(table, table.list_known(table.derive(list_able)))


def list_active_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known active enemies."""
    return list_foes_among(table, table.derive(list_able))


def list_winning_sides(table: Table, victors: Collection[str]) -> tuple[str, ...]:
    """Return the victors with those of their allies that they no longer fight."""
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
    """Return whether a side has an active enemy of an active combatant among others."""
    theirs = [who for who, one in table.draft.combatants.items() if one.side == side and is_active(table, who)]
    return any(are_enemies(table, who, one.id) for who in theirs for one in others if is_active(table, one.id))


def must_be_active(table: Table, who: Id) -> None:
    """Refuse a combatant that is out of the fight (VES-T02).

    An unknown combatant is refused as unknown.
    """
    if not is_active(table, who):
        table[who]
        raise table.refuse(who, "is out of the fight", "VES-T02", "not_active")


def list_permissions(table: Table, who: Id) -> dict[str, str]:
    """Return the unused permissions of a combatant, each by the number of its note."""
    return {number: str(what) for number, what in ALLOWED.list_on(table, who)}


def find_allowed_target(table: Table, what: str) -> Id:
    """Return the combatant that a permission such as ``attack tomas`` names, or nothing."""
    verb, _, named = what.strip().partition(" ")
    if verb.casefold() != "attack":
        return ""
    target = named.strip().casefold()
    people = table.draft.combatants
    return (
        target if target in people else next((who for who, one in people.items() if one.name.casefold() == target), "")
    )


def find_permitted_attack(table: Table, actor: Id, target: Id) -> str:
    """Return the number of the note that permits an attack on a friend, or nothing (VES-T46)."""
    allowed = list_permissions(table, actor).items()
    return next((number for number, what in allowed if find_allowed_target(table, what) == target), "")


def list_targets(table: Table, actor: Id) -> list[Id]:
    """List the targets of a combatant: its enemies, and those that a ruling permits."""
    let = {find_allowed_target(table, what) for what in list_permissions(table, actor).values()}
    return [who for who in table.draft.combatants if are_enemies(table, actor, who) or who in let]


def must_be_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is neither an active enemy nor permitted (VES-020, VES-T01).

    A ruling can ally sides.
    """
    is_there = target in table.draft.combatants
    if is_there and not are_enemies(table, actor, target) and not find_permitted_attack(table, actor, target):
        rule = rule if table[actor].side == table[target].side else "VES-T01"
        raise table.refuse(target, f"is no enemy of {table.name_of(actor)}", rule, "not_an_enemy")
    if not is_active(table, target):
        raise table.refuse(target, "is out of the fight", rule, "target_out")


def weapon_type(weapon: Item) -> str:
    """Return a weapon's type: blade, axe, spear, staff, bow, firearm, unarmed."""
    return weapon.traits[0]


def can_be_loaded(weapon: Item) -> bool:
    """Return whether a weapon uses ammunition (VES-T25)."""
    return "ammunition" in weapon.traits


def list_needed_types(skill: Item) -> tuple[str, ...]:
    """Return the weapon types that a skill works with; empty for any weapon."""
    return skill.list_features("needs")


def find_discipline(skill: Item) -> str:
    """Return the discipline that teaches a skill, or nothing."""
    return "".join(skill.list_features("taught"))
