"""The bonuses of an attack on die, damage and Shock, with circumstances."""

from collections.abc import Iterator
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.kit.riding import mount_of
from affray.engine.kit.sheets import sheet_modifier
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import (
    is_unusable_in_melee,
    keep_handling,
    list_added_terms,
    read_features,
)
from affray.engine.rulesets.wwn.marks import DECLARED, WAIVED
from affray.engine.rulesets.wwn.movement.board import FAR, distance, is_adjacent, is_meleed, view
from affray.engine.rulesets.wwn.sheet import attribute, find_gift, is_flat, level, list_gifts, own_attribute
from affray.events import AnySource, Clause, Id, Modifier, Source


class Blow(Struct, frozen=True, gc=False):
    """An attack that is about to be rolled.

    Attributes:
        weapon: The weapon; of two, the named one.
        mode: ``melee``, ``shoot`` or ``throw``.
        dual: The second weapon, if there are two.
        spare: Whether a felled target lives.
        snap: Whether it is a snap attack.
        extra: The game master's modifiers of the roll.
        bonus: Modifiers of the damage roll, but not of Shock.
        dice: Number and size of the dice of an improvised weapon; it is handled like the weapon, but is not one.
        harmless: Whether a hit does no damage, and a miss no Shock.
        shocks: Whether it can do Shock: only within the weapon's reach.
        rules: The clauses that allow the attack.
    """

    target: Id
    weapon: Id
    mode: str
    dual: Id = ""
    spare: bool = False
    snap: bool = False
    extra: tuple[Modifier, ...] = ()
    bonus: tuple[Modifier, ...] = ()
    dice: tuple[int, int] | None = None
    harmless: bool = False
    shocks: bool = True
    rules: tuple[Clause, ...] = ()


def find_wielded(table: Table, blow: Blow) -> Item:
    """Return the weapon of an attack, or an improvised one that is handled like it."""
    weapon = table.draft.items[blow.weapon]
    if blow.dice is None:
        return weapon
    count, sides = blow.dice
    stats = {"dice": count, "sides": sides, "near": FAR, "far": FAR}
    return replace(weapon, name="thing", stats=stats, traits=(), features=keep_handling(weapon.features))


def best_attribute(table: Table, who: Id, weapon: Item) -> str:
    """Return the weapon's attribute, the best of several (WWN-010)."""
    names = read_features(weapon.features).attributes
    return names[0] if len(names) == 1 else max(names, key=lambda one: attribute(table, who, one))


def list_hit_bonus(table: Table, actor: Id, blow: Blow, weapon: Item) -> tuple[Modifier, ...]:
    """List all bonuses on the die, each with its clause (WWN-013, WWN-043)."""
    return (*list_sheet_hit(table, actor, weapon, blow.mode), *list_moment_hit(table, actor, blow, weapon))


def list_sheet_hit(table: Table, actor: Id, weapon: Item, mode: str) -> list[Modifier]:
    """List the bonuses of sheet and weapon on the die, for any target."""
    foe = is_flat(table, actor)
    terms = [sheet_modifier(actor, "attack", table[actor].stats["attack"], "WWN-T03" if foe else "WWN-009")]
    if not foe:
        terms += _list_training(table, actor, weapon)
    terms += list_added_terms(table, actor, "hit", weapon, mode, ("WWN-013", "WWN-013"))
    return terms


def list_moment_hit(table: Table, actor: Id, blow: Blow, weapon: Item) -> list[Modifier]:
    """List the bonuses of this attack and its circumstances on the die."""
    terms = []
    if blow.dual:
        terms.append(Modifier(value=-1, label="two weapons", source=blow.dual, rule="WWN-043"))
    if blow.mode == "shoot":
        terms += _list_melee_penalty(table, actor, weapon)
    terms += list_circumstances(table, actor, blow.target, weapon, blow.mode, blow.snap)
    return terms


def _list_training(table: Table, actor: Id, weapon: Item) -> Iterator[Modifier]:
    """Yield attribute and skill; no skill at all counts less than its level (WWN-011, WWN-012, WWN-T61)."""
    yield own_attribute(table, actor, best_attribute(table, actor, weapon), "WWN-010")
    skill = read_features(weapon.features).skill
    trained = level(table, actor, skill)
    if trained >= 0:
        yield sheet_modifier(actor, skill, trained, "WWN-011")
    else:
        yield sheet_modifier(actor, skill, 0 if "CB" in weapon.traits else -2, "WWN-012")


def _list_melee_penalty(table: Table, actor: Id, weapon: Item) -> Iterator[Modifier]:
    """Yield the penalty of a Focus that allows shots while meleed."""
    ease = find_gift(table, actor, "bow_in_melee")
    if ease is None or not ease.stats["bow_in_melee"] or not is_unusable_in_melee(table, weapon):
        return
    if is_meleed(table, actor):
        yield Modifier(value=ease.stats["bow_in_melee"], label=ease.name, source=ease.id, rule="WWN-T26")


def list_damage_bonus(table: Table, actor: Id, blow: Blow, weapon: Item) -> tuple[Modifier, ...]:
    """List all bonuses on the damage dice (WWN-026, WWN-027, WWN-028, WWN-041)."""
    return (*list_sheet_damage(table, actor, weapon, blow.mode), *list_moment_damage(blow))


def list_sheet_damage(table: Table, actor: Id, weapon: Item, mode: str) -> list[Modifier]:
    """List the bonuses of sheet and weapon on the damage dice."""
    terms = []
    if not is_flat(table, actor):
        terms.append(own_attribute(table, actor, best_attribute(table, actor, weapon), "WWN-026"))
    skill = read_features(weapon.features).damage_skill
    if skill and not (is_flat(table, actor) and skill not in table[actor].stats):
        terms.append(sheet_modifier(actor, skill, level(table, actor, skill), "WWN-027"))
    terms += list_added_terms(table, actor, "damage", weapon, mode, ("WWN-027", "WWN-028"))
    return terms


def list_moment_damage(blow: Blow) -> tuple[Modifier, ...]:
    """List the bonuses of this attack on the damage dice."""
    if blow.dual:
        return (Modifier(value=2, label="two weapons", source=blow.dual, rule="WWN-041"), *blow.bonus)
    return blow.bonus


def list_shock_terms(table: Table, actor: Id, weapon: Item, mode: str) -> tuple[Modifier, ...]:
    """List the terms of Shock (WWN-030, WWN-031, WWN-032, WWN-033, WWN-042).

    The bonuses of two weapons and of a maneuver are not part of it.
    """
    terms = [Modifier(value=weapon.stats["shock"], label=weapon.name, source=weapon.id, rule="WWN-030")]
    if not is_flat(table, actor):
        terms.append(own_attribute(table, actor, best_attribute(table, actor, weapon), "WWN-031"))
    return (*terms, *list_added_terms(table, actor, "shock", weapon, mode, ("WWN-032", "WWN-033")))


Circumstance = Literal[
    "prone_near", "prone_far", "attacker_prone", "half_cover", "near_complete_cover", "snap", "range",
    "thrown_in_melee", "no_ride",
]  # fmt: skip
"""The circumstances that the game master can declare or waive."""

CIRCUMSTANCES: tuple[Circumstance, ...] = get_args(Circumstance)

WORTH: dict[str, tuple[int, Clause]] = {
    "prone_near": (2, "WWN-016"),
    "prone_far": (-2, "WWN-017"),
    "attacker_prone": (-4, "WWN-018"),
    "half_cover": (-2, "WWN-019"),
    "near_complete_cover": (-4, "WWN-020"),
    "snap": (-4, "WWN-021"),
    "range": (-2, "WWN-022"),
    "thrown_in_melee": (-4, "WWN-023"),
    "no_ride": (-1, "WWN-049"),
}
"""The bonus and the clause of each circumstance; shooting at a prone target nearby is WWN-015."""


def find_circumstances(
    table: Table, actor: Id, target: Id, weapon: Item, mode: str, snap: bool
) -> dict[str, tuple[int, Clause]]:
    """Return the circumstances that hold (WWN-015..WWN-020, WWN-022, WWN-023, WWN-049, WWN-T17, WWN-T21).

    Each has its bonus and its clause. The game master's declarations and waivers are left out.
    """
    found: dict[str, tuple[int, Clause]] = {}
    people = table.draft.combatants
    if "prone" in people[target].conditions:
        if is_adjacent(table, actor, target):
            found["prone_near"] = 2, "WWN-016" if mode == "melee" else "WWN-015"
        elif mode != "melee":
            found["prone_far"] = WORTH["prone_far"]
    if mode == "melee" and "prone" in people[actor].conditions:
        found["attacker_prone"] = WORTH["attacker_prone"]
    cover = view(table, actor, target)
    if cover in ("half", "near_complete"):
        name = f"{cover}_cover"
        found[name] = WORTH[name]
    if snap:
        found["snap"] = WORTH["snap"]
    if mode != "melee":
        if distance(table, actor, target) > weapon.stats["near"]:
            found["range"] = WORTH["range"]
        if mode == "throw" and not can_throw_freely(table, actor, weapon) and is_meleed(table, actor):
            found["thrown_in_melee"] = WORTH["thrown_in_melee"]
    if mount_of(table, actor) and is_unpractised(table, actor):
        found["no_ride"] = WORTH["no_ride"]
    return found


def is_unpractised(table: Table, rider: Id) -> bool:
    """Tell whether a combatant rides without the skill.

    A foe's flat attack number includes the skill unless its sheet says otherwise.
    """
    return level(table, rider, "ride") < 0 and not (is_flat(table, rider) and "ride" not in table[rider].stats)


MEANT: dict[Clause, Clause] = {
    "WWN-017": "WWN-T17", "WWN-019": "WWN-T20", "WWN-020": "WWN-T20", "WWN-022": "WWN-T21", "WWN-023": "WWN-T18",
}  # fmt: skip
"""The clause that defines a circumstance, by the clause that lets it count."""

SITUATED = frozenset({"WWN-015", *(rule for _, rule in WORTH.values())})
"""The clauses of all circumstances."""


def can_throw_freely(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether a Focus lets a combatant throw a weapon unhindered while meleed."""
    gifts = list_gifts(table, actor)
    if any(tag in weapon.traits for one in gifts for tag in read_features(one.features).throws_in_melee):
        return True
    ease = find_gift(table, actor, "bow_in_melee")
    return ease is not None and ease.stats["bow_in_melee"] >= 0


def list_circumstances(
    table: Table, actor: Id, target: Id, weapon: Item, mode: str, snap: bool
) -> tuple[Modifier, ...]:
    """List the circumstances that count, with declared and without waived ones (WWN-014).

    They add up, but near-complete cover replaces half cover.
    """
    found = find_circumstances(table, actor, target, weapon, mode, snap)
    marks = table.draft.marks.get(actor)
    if marks:
        for name in marks.get(DECLARED.key, ()):
            found.setdefault(name, WORTH[name])
        for name in marks.get(WAIVED.key, ()):
            found.pop(name, None)
    if not found:
        return ()
    if "near_complete_cover" in found:
        found.pop("half_cover", None)
    return tuple(
        [
            Modifier(value=value, label=name.replace("_", " "), source=_find_source(name, actor, target), rule=rule)
            for name, (value, rule) in found.items()
        ]
    )


def _find_source(name: str, actor: Id, target: Id) -> AnySource:
    """Return the source of a circumstance, by its name."""
    if name in ("prone_near", "prone_far"):
        return f"{target}.prone"
    if name == "attacker_prone":
        return f"{actor}.prone"
    return Source(of=actor, to=target) if name in ("half_cover", "near_complete_cover", "range") else actor


def use_up_ruled(table: Table, actor: Id, blow: Blow) -> Rule[None]:
    """Remove the declared circumstances, and waived ones that would have counted."""
    held = find_circumstances(table, actor, blow.target, find_wielded(table, blow), blow.mode, blow.snap)
    for name, _ in DECLARED.list_on(table, actor):
        yield DECLARED.clear_on(actor, "WWN-014", about=name)
    for name, _ in WAIVED.list_on(table, actor):
        if name in held:
            yield WAIVED.clear_on(actor, "WWN-014", about=name)
