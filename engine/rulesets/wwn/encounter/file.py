"""The form of an encounter file, and the numbers, words and counters of a sheet from its entries."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from affray.engine.errors import Unusable
from affray.engine.kit.encounters import Seen, unknown
from affray.engine.rulesets.wwn.sheet import ATTRIBUTES
from affray.engine.rulesets.wwn.tables import (
    Armor,
    ArmorClass,
    Block,
    Bonus,
    Focus,
    Instinct,
    Level,
    Modifier,
    Morale,
    Weapon,
    blocks,
    class_attack,
    classes,
    skills,
)

Name = Annotated[str, Meta(min_length=1, max_length=60)]

Score = Annotated[int, Meta(ge=3, le=18)]

HitPoints = Annotated[int, Meta(ge=1, le=999)]

Feet = Annotated[int, Meta(ge=0, le=9999)]

View = Literal["clear", "half", "near_complete", "blocked"]


class Spec(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"str_": "str", "int_": "int", "class_": "class"},
):
    """A ``[[combatant]]`` of an encounter file. What it leaves out comes from its block, then from the defaults."""

    name: Name
    side: Name
    block: str = ""
    count: Annotated[int, Meta(ge=1, le=500)] = 1
    at: str | tuple[str, ...] = ""
    pc: bool = False
    class_: str = ""
    level: Annotated[int, Meta(ge=1, le=20)] | None = None
    attack: Bonus | None = None
    str_: Score | None = None
    dex: Score | None = None
    con: Score | None = None
    int_: Score | None = None
    wis: Score | None = None
    cha: Score | None = None
    skills: dict[str, Level] = {}
    skill: Bonus = 0
    hp: HitPoints | None = None
    hp_max: HitPoints | None = None
    ac: ArmorClass | None = None
    ac_bonus: Bonus = 0
    armor_share: Annotated[int, Meta(ge=0, le=20)] = 0
    shield_share: Annotated[int, Meta(ge=0, le=20)] = 0
    move: Annotated[int, Meta(ge=0, le=999)] | None = None
    morale: Morale | None = None
    instinct: Instinct | None = None
    armor: str = ""
    shield: str = ""
    weapons: tuple[str, ...] | None = None
    in_hand: tuple[str, ...] | None = None
    stowed: tuple[str, ...] = ()
    foci: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    shock_immune: bool = False
    dual_wields: bool = False
    mount: bool | None = None
    war_trained: bool | None = None
    rides: str = ""
    quick: bool | Annotated[int, Meta(ge=1, le=20)] = False
    group: str = ""


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[distance]]``: two combatants, and how many feet they are apart."""

    between: tuple[str, str]
    feet: Feet


class Melee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[melee]]``: everybody in it is adjacent to everybody else."""

    members: Annotated[tuple[str, ...], Meta(min_length=2)]


class Sight(Seen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: how well one combatant sees another."""

    view: View


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[board]`` of 5-foot squares: those that are out of the ordinary."""

    blocked: tuple[str, ...] = ()
    half_cover: tuple[str, ...] = ()
    near_complete_cover: tuple[str, ...] = ()


class Encounter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file of Worlds Without Number."""

    system: str
    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    name: str = ""
    config: dict[str, Any] = {}
    board: Board | None = None
    apart: Feet | None = None
    distance: tuple[Pair, ...] = ()
    melee: tuple[Melee, ...] = ()
    view: tuple[Sight, ...] = ()
    weapon: dict[str, Weapon] = {}
    armor: dict[str, Armor] = {}
    focus: dict[str, Focus] = {}


MOVE = 30
"""The movement rate of somebody whose sheet and stat block name none, in feet."""


def block_of(spec: Spec, field: str) -> Block | None:
    """Return the stat block an entry names, if any.

    Raises:
        Unusable: it does not exist.
    """
    if not spec.block:
        return None
    if spec.block not in blocks():
        raise unknown("stat block", spec.block, blocks(), f"{field}.block")
    return blocks()[spec.block]


def sheet(spec: Spec, block: Block | None, field: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return a sheet's numbers and its counters at the start.

    Raises:
        Unusable: a number is missing or contradicts another, or a skill does not exist.
    """
    hp_max = spec.hp_max or spec.hp or (block.hp if block else 0)
    if hp_max < 1:
        raise Unusable("hp is missing, and there is no stat block to take it from", f"{field}.hp")
    hp = hp_max if spec.hp is None else spec.hp
    if hp > hp_max:
        raise Unusable(f"must be from 1 to the maximum of {hp_max}", f"{field}.hp")
    stats = {"attack": _attack(spec, block, field), "hp": hp_max}
    stats["pace"] = spec.move if spec.move is not None else block.move if block else MOVE
    for name in ATTRIBUTES:
        score = getattr(spec, name + "_" if name in ("str", "int") else name)
        if score is not None:
            stats[name] = score
    for skill, level in spec.skills.items():
        if skill not in skills():
            raise unknown("skill", skill, skills(), f"{field}.skills")
        stats[skill] = level
    stats |= _of_pc(spec, field) if spec.pc else _of_foe(spec, block, field)
    pools = {"hp": hp, "main": 1, "move": 1, "shock_ignored": 0}
    if spec.pc:
        pools["bleed"] = 0
    elif has_mounts(spec, block):
        pools["feet"] = 0
    return stats, pools


def _attack(spec: Spec, block: Block | None, field: str) -> int:
    """Return the attack bonus: as stated, by class and level, or the stat block's (WWN-009)."""
    if spec.attack is not None:
        return spec.attack
    if spec.class_:
        if spec.class_ not in classes():
            raise unknown("class", spec.class_, classes(), f"{field}.class")
        return class_attack(classes()[spec.class_], spec.level or 1)
    if block is None:
        raise Unusable("attack is missing; state it, or class and level, or a stat block", f"{field}.attack")
    return block.attack


def _of_pc(spec: Spec, field: str) -> dict[str, int]:
    for name in ("ac", "morale", "instinct"):
        if getattr(spec, name) is not None:
            raise Unusable("is for foes and mounts; a PC has armor and shield, and no Morale", f"{field}.{name}")
    return {"ac_bonus": spec.ac_bonus}


def _of_foe(spec: Spec, block: Block | None, field: str) -> dict[str, int]:
    """Return the numbers of a foe or mount; without an armor class of its own it has that of its armor."""
    told = {
        "ac": spec.ac if spec.ac is not None or block is None else block.ac,
        "morale": spec.morale if spec.morale is not None or block is None else block.morale,
        "instinct": spec.instinct if spec.instinct is not None or block is None else block.instinct,
    }
    if has_mounts(spec, block) and not has_war_mounts(spec, block):
        for name in ("morale", "instinct"):
            if told[name] is None:
                raise Unusable("an ordinary riding beast needs it for its check", f"{field}.{name}")
    numbers = {name: value for name, value in told.items() if value is not None}
    if "ac" in numbers:
        numbers["ac"] += spec.ac_bonus
    else:
        numbers["ac_bonus"] = spec.ac_bonus
    shares = {"armor_share": spec.armor_share, "shield_share": spec.shield_share}
    return {**numbers, **{name: value for name, value in shares.items() if value}, "skill": spec.skill}


def has_mounts(spec: Spec, block: Block | None) -> bool:
    """Tell whether an entry's combatants are there to be ridden."""
    return spec.mount if spec.mount is not None else block is not None and block.mount


def has_war_mounts(spec: Spec, block: Block | None) -> bool:
    """Tell whether an entry's mounts are trained for war."""
    return spec.war_trained if spec.war_trained is not None else bool(block and block.war_trained)


def traits_of(spec: Spec, block: Block | None, field: str) -> tuple[str, ...]:
    """Return a sheet's words.

    Raises:
        Unusable: somebody is a PC and a mount.
    """
    mount = has_mounts(spec, block)
    if spec.pc and mount:
        raise Unusable("a PC is no mount", f"{field}.pc")
    words = {
        "pc": spec.pc,
        "mount": mount,
        "war_trained": mount and has_war_mounts(spec, block),
        "shock_immune": spec.shock_immune,
        "dual_wields": spec.dual_wields,
    }
    return tuple(word for word, true in words.items() if true)
