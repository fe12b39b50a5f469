"""What is added to an attack's die, to damage and to Shock (WWN-008 to WWN-013, WWN-025 to WWN-034)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, Id, Modifier

from .arms import added, gift, missile, words
from .board import FAR, meleed
from .circumstances import circumstances
from .sheet import UNTRAINED, attribute, flat, level


class Blow(NamedTuple):
    """An attack that is about to be rolled.

    Attributes:
        target: At whom it is aimed.
        weapon: Item id of what it is made with; of two weapons, the one that was named.
        mode: ``melee``, ``shoot`` or ``throw``.
        dual: Item id of the second weapon, if there are two.
        spare: Whether whom it fells is to live.
        snap: Whether it interrupts.
        extra: What the game master adds to the roll.
        bonus: What is added to the damage roll, but not to Shock.
        dice: Number and size of the dice of a thing that the game master named; it is handled like the weapon, no more.
        harmless: Whether a hit does no damage, and a miss no Shock.
        shocks: Whether it can do Shock; not from farther away than the weapon reaches.
        rules: The clauses that make it an attack.
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


def wielded(table: Table, blow: Blow) -> Item:
    """Return what an attack is made with: the weapon, or a thing that is handled like it and no more (WWN-066)."""
    weapon = table.draft.items[blow.weapon]
    if blow.dice is None:
        return weapon
    count, sides = blow.dice
    handled = tuple(word for word in weapon.traits if word.startswith(("attribute:", "skill:")))
    return replace(weapon, name="thing", stats={"dice": count, "sides": sides, "near": FAR, "far": FAR}, traits=handled)


def best_attribute(table: Table, who: Id, weapon: Item) -> str:
    """Return the attribute that counts with a weapon: the one it names, the best if there are several (WWN-010)."""
    names = words(weapon.traits).attributes
    return names[0] if len(names) == 1 else max(names, key=lambda one: attribute(table, who, one))


def hit_bonus(table: Table, actor: Id, blow: Blow, weapon: Item) -> tuple[Modifier, ...]:
    """List everything that is added to the die, each with its clause (WWN-008)."""
    foe = flat(table, actor)
    terms = [
        Modifier(
            value=table[actor].stats["attack"],
            label="attack",
            source=f"{actor}.attack",
            rule="WWN-T03" if foe else "WWN-009",
        )
    ]
    if not foe:
        terms += _training(table, actor, weapon)
    terms += added(table, actor, "hit", weapon, blow.mode, ("WWN-013", "WWN-013"))
    if blow.dual:
        terms.append(Modifier(value=-1, label="two weapons", source=blow.dual, rule="WWN-043"))
    if blow.mode == "shoot":
        terms += _in_melee(table, actor, weapon)
    return (*terms, *circumstances(table, actor, blow.target, weapon, blow.mode, blow.snap))


def _training(table: Table, actor: Id, weapon: Item) -> Iterator[Modifier]:
    """Yield attribute and skill; no skill at all is worse than its level says (WWN-010 to WWN-012)."""
    name = best_attribute(table, actor, weapon)
    yield Modifier(value=attribute(table, actor, name), label=name, source=f"{actor}.{name}", rule="WWN-010")
    skill = words(weapon.traits).skill
    trained = level(table, actor, skill)
    untrained = 0 if "CB" in weapon.traits else -2
    yield Modifier(
        value=untrained if trained <= UNTRAINED else trained,
        label=skill,
        source=f"{actor}.{skill}",
        rule="WWN-012" if trained <= UNTRAINED else "WWN-011",
    )


def _in_melee(table: Table, actor: Id, weapon: Item) -> Iterator[Modifier]:
    """Yield what a Focus that lets one shoot while being meleed takes away (WWN-024)."""
    ease = gift(table, actor, "bow_in_melee")
    if ease is None or not ease.stats["bow_in_melee"] or not unusable_in_melee(table, weapon):
        return
    if meleed(table, actor):
        yield Modifier(value=ease.stats["bow_in_melee"], label=ease.name, source=ease.id, rule="WWN-T26")


def unusable_in_melee(table: Table, weapon: Item) -> bool:
    """Tell whether a weapon cannot be shot while being meleed (WWN-024)."""
    return missile(weapon) and any(
        all(tag in weapon.traits for tag in kind.split("+")) for kind in table.config.unusable_in_melee_tags
    )


def damage_bonus(table: Table, actor: Id, blow: Blow, weapon: Item) -> tuple[Modifier, ...]:
    """List everything that is added to the damage dice (WWN-025 to WWN-028, WWN-041)."""
    terms = []
    if not flat(table, actor):
        name = best_attribute(table, actor, weapon)
        value = attribute(table, actor, name)
        terms.append(Modifier(value=value, label=name, source=f"{actor}.{name}", rule="WWN-026"))
    skill = words(weapon.traits).damage_skill
    if skill and not (flat(table, actor) and skill not in table[actor].stats):
        value = level(table, actor, skill)
        terms.append(Modifier(value=value, label=skill, source=f"{actor}.{skill}", rule="WWN-027"))
    terms += added(table, actor, "damage", weapon, blow.mode, ("WWN-027", "WWN-028"))
    if blow.dual:
        terms.append(Modifier(value=2, label="two weapons", source=blow.dual, rule="WWN-041"))
    return (*terms, *blow.bonus)


def shock_terms(table: Table, actor: Id, weapon: Item, mode: str) -> tuple[Modifier, ...]:
    """List what Shock comes to; the bonus of two weapons and of a maneuver is no part of it (WWN-030 to WWN-033)."""
    terms = [Modifier(value=weapon.stats["shock"], label=weapon.name, source=weapon.id, rule="WWN-030")]
    if not flat(table, actor):
        name = best_attribute(table, actor, weapon)
        value = attribute(table, actor, name)
        terms.append(Modifier(value=value, label=name, source=f"{actor}.{name}", rule="WWN-031"))
    return (*terms, *added(table, actor, "shock", weapon, mode, ("WWN-032", "WWN-033")))


def sum_of(table: Table, terms: tuple[Modifier, ...]) -> int:
    """Return what damage or Shock comes to, never less than the configuration's least."""
    return max(int(table.config.min_damage), sum([term.value for term in terms]))
