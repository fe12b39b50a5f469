"""Questions to a sheet: attributes, skills, gear, Foci, enemies, mounts."""

from typing import NamedTuple

from affray.engine.core.groups.board import Saddle
from affray.engine.core.state import Item
from affray.engine.kit.fight_end import has_enemies, list_foes_among
from affray.engine.kit.riding import mount_of, rider_of
from affray.engine.kit.sheets import make_absence_check, sheet_modifier
from affray.engine.kit.sides import are_enemies, list_allied_pairs
from affray.events import Clause, Id, Modifier

from .config import Table
from .tables import conditions

OUT = frozenset(name for name, one in conditions().items() if one.out)
"""Conditions of a combatant who is out of the fight."""

HELPLESS = frozenset(name for name, one in conditions().items() if one.helpless)
"""Conditions of a combatant who cannot strike."""

UNABLE = OUT | HELPLESS
"""Conditions of a combatant who can do nothing."""

ATTRIBUTES = ("str", "dex", "con", "int", "wis", "cha")

SAVES = ("physical", "evasion", "mental", "luck")

SADDLE = Saddle("riding", ("rider", "mount"), "WWN-053")
"""The relation between rider and mount."""

UNTRAINED = -1
"""The level of a skill that is not on a sheet."""

STEPS = {
    "wwn": ((3, -2), (7, -1), (13, 0), (17, 1), (18, 2)),
    "bx": ((3, -3), (5, -2), (8, -1), (12, 0), (15, 1), (17, 2), (18, 3)),
}
"""Each highest score with its modifier, by table of attribute modifiers."""

MODIFIERS = {
    name: tuple(next(value for most, value in steps if score <= most) for score in range(19))
    for name, steps in STEPS.items()
}
"""The modifiers of the scores from 0 to 18, by table of attribute modifiers."""


CASTER = "caster"
"""The trait of a combatant who can cast spells of any kind."""


def attribute(table: Table, who: Id, name: str) -> int:
    """Return an attribute's modifier; 0 for a score that the sheet lacks (WWN-T01)."""
    score = table.draft.combatants[who].stats.get(name)
    if score is None:
        return 0
    modifiers = MODIFIERS[table.config.attribute_mods]
    return modifiers[min(max(score, 0), len(modifiers) - 1)]


def dex_or_int(table: Table, who: Id) -> str:
    """Return the better of the two attributes; Dexterity if they are equal."""
    return max("dex", "int", key=lambda name: attribute(table, who, name))


def level(table: Table, who: Id, skill: str) -> int:
    """Return the level of a skill; -1 if untrained (WWN-T04)."""
    return table.draft.combatants[who].stats.get(skill, UNTRAINED)


def own_attribute(table: Table, who: Id, name: str, rule: Clause) -> Modifier:
    """Return the modifier that a combatant's attribute adds to a roll."""
    return sheet_modifier(who, name, attribute(table, who, name), rule)


def is_flat(table: Table, who: Id) -> bool:
    """Tell whether a combatant's attack number includes all terms, as a foe's does (WWN-T03)."""
    return table.config.npc_flat_attack and "pc" not in table.draft.combatants[who].traits


def is_mount(table: Table, who: Id) -> bool:
    """Tell whether a combatant can be ridden."""
    return "mount" in table[who].traits


is_active = make_absence_check(OUT)
"""Tells whether a combatant is still in the fight."""

is_able = make_absence_check(UNABLE)
"""Tells whether a combatant is in the fight and not helpless."""


def must_be_active(table: Table, who: Id, rule: Clause) -> None:
    """Refuse a combatant who is out of the fight."""
    if not is_active(table, who):
        table[who]
        raise table.refuse(who, "is out of the fight", rule, "not_active")


def must_be_able(table: Table, who: Id, rule: Clause) -> None:
    """Refuse a combatant who is out of the fight or helpless."""
    if not is_able(table, who):
        must_be_active(table, who, rule)
        raise table.refuse(who, "is helpless", rule, "not_active")


def list_foes(table: Table, who: Id) -> frozenset[Id]:
    """Return all active enemies of a combatant.

    A whole side shares one answer, unless combatants are allied.
    """
    known = table.derive(_foes_by_side)
    side = table[who].side
    friends = table.derive(list_allied_pairs) if table.draft.relations else frozenset()
    key = who if friends else side
    if key not in known:
        against = [other for other, one in table.draft.combatants.items() if one.side != side]
        known[key] = frozenset([one for one in against if is_active(table, one) and (who, one) not in friends])
    return known[key]


def _foes_by_side(table: Table) -> dict[Id, frozenset[Id]]:
    """Return the cache of ``foes``, emptied when combatants or their states change."""
    return {}


def list_able(table: Table) -> tuple[Id, ...]:
    """List the active combatants in joining order, without mounts."""
    people = table.draft.combatants.values()
    return tuple([one.id for one in people if "mount" not in one.traits and is_active(table, one.id)])


def is_contested(table: Table) -> bool:
    """Tell whether two known able combatants are enemies; allied sides count as one."""
    return has_enemies(table, table.list_known(table.derive(list_able)))


def able_foes(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of known able enemies."""
    return list_foes_among(table, table.derive(list_able))


def can_ride(table: Table, who: Id) -> bool:
    """Tell whether a combatant is not a mount, and its side has one."""
    people = table.draft.combatants.values()
    return not is_mount(table, who) and any("mount" in one.traits and one.side == table[who].side for one in people)


def is_mounted(table: Table, who: Id) -> bool:
    """Tell whether a combatant is a rider or a ridden mount."""
    return bool(mount_of(table, who) or rider_of(table, who))


def must_be_enemy(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is no active enemy."""
    if target in table.draft.combatants and not are_enemies(table, actor, target):
        raise table.refuse(target, f"is no enemy of {table.name_of(actor)}", rule, "not_an_enemy")
    if not is_active(table, target):
        raise table.refuse(target, "is out of the fight", rule, "target_out")


ARMS = ("weapon", "shield")
"""Kinds of items that can strike."""


class Things(NamedTuple):
    """The ids of a combatant's items: weapons, shields, armor, Foci and abilities.

    Weapons are in the order of the encounter file; later ones follow.
    """

    arms: tuple[Id, ...]
    shields: tuple[Id, ...]
    suits: tuple[Id, ...]
    gifts: tuple[Id, ...]


def things_of(table: Table, who: Id) -> Things:
    """Return the items of a combatant by their kinds."""
    return table.derive_from_things(_sort_things, who)


def _sort_things(table: Table, who: Id) -> Things:
    things, owned = table.draft.items, table.draft.owned_items.get(who, ())
    by_kind: dict[str, list[Id]] = {"weapon": [], "shield": [], "armor": [], "focus": []}
    for item in owned:
        by_kind.setdefault(things[item].kind, []).append(item)
    arms = by_kind["weapon"] + by_kind["shield"]
    if len(arms) > 1:
        own_arms = set(arms)
        arms = [item for item in things if item in own_arms]
    shields, suits, gifts = by_kind["shield"], by_kind["armor"], by_kind["focus"]
    return Things(tuple(arms), tuple(shields), tuple(suits), tuple(gifts))


def list_gifts(table: Table, who: Id) -> list[Item]:
    """Return a combatant's Foci and abilities."""
    ids = things_of(table, who).gifts
    return [table.draft.items[item] for item in ids] if ids else []


def find_gift(table: Table, who: Id, stat: str) -> Item | None:
    """Return a combatant's best Focus with this number, or ``None``."""
    found = [one for one in list_gifts(table, who) if stat in one.stats]
    if len(found) < 2:
        return found[0] if found else None
    return max(found, key=lambda one: one.stats[stat])


def has_gift(table: Table, who: Id, word: str) -> bool:
    """Tell whether a combatant has a Focus with this trait."""
    return any(word in one.traits for one in list_gifts(table, who))
