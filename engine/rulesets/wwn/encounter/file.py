"""The form of an encounter file, and the sheet of each entry."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.errors import Unusable
from affray.engine.kit.encounters import (
    CombatantEntry,
    DistanceEntry,
    EncounterFile,
    MeleeEntry,
    Name,
    ViewEntry,
    fill_from_block,
    find_row,
    find_starting_value,
    make_unknown_name,
)
from affray.engine.rulesets.wwn.sheet import ATTRIBUTES, CASTER, SAVES
from affray.engine.rulesets.wwn.tables import (
    Armor,
    ArmorClass,
    Block,
    Bonus,
    Count,
    Focus,
    HitPoints,
    Instinct,
    Level,
    Modifier,
    Morale,
    SaveNumber,
    Weapon,
    class_attack,
    classes,
    skills,
)

Score = Annotated[int, Meta(ge=3, le=18)]
Share = Annotated[int, Meta(ge=0, le=20)]
View = Literal["clear", "half", "near_complete", "blocked"]


class Spec(CombatantEntry, frozen=True, kw_only=True, rename={"str_": "str", "int_": "int", "class_": "class"}):
    """A ``[[combatant]]`` of an encounter file.

    Missing values come from its block, then from the defaults.
    """

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
    saves: dict[str, SaveNumber] = {}
    hp: HitPoints | None = None
    hp_max: HitPoints | None = None
    ac: ArmorClass | None = None
    ac_bonus: Bonus = 0
    armor_share: Share = 0
    shield_share: Share = 0
    move: Annotated[int, Meta(ge=0, le=999)] | None = None
    morale: Morale | None = None
    instinct: Instinct | None = None
    armor: str = ""
    shield: str = ""
    weapons: tuple[str, ...] | None = None
    in_hand: tuple[str, ...] | None = None
    stowed: tuple[str, ...] = ()
    foci: tuple[str, ...] = ()
    spells: tuple[Name, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    shock_immune: bool = False
    dual_wields: bool = False
    mount: bool | None = None
    war_trained: bool | None = None
    rides: str = ""
    quick: bool | Annotated[int, Meta(ge=1, le=20)] = False
    group: str = ""


class Pair(DistanceEntry, frozen=True, kw_only=True):
    """A ``[[distance]]``: two combatants, and their distance in feet."""

    feet: Count


class Sight(ViewEntry, frozen=True, kw_only=True):
    """A ``[[view]]``: one combatant's sight of another."""

    view: View


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[board]`` of 5-foot squares: its blocked squares and its cover."""

    blocked: tuple[str, ...] = ()
    half_cover: tuple[str, ...] = ()
    near_complete_cover: tuple[str, ...] = ()


class Encounter(EncounterFile, frozen=True, kw_only=True):
    """An encounter file of Worlds Without Number."""

    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    board: Board | None = None
    apart: Count | None = None
    distance: tuple[Pair, ...] = ()
    melee: tuple[MeleeEntry, ...] = ()
    view: tuple[Sight, ...] = ()
    weapon: dict[str, Weapon] = {}
    armor: dict[str, Armor] = {}
    focus: dict[str, Focus] = {}


MOVE = 30
"""The movement rate without one on sheet or stat block, in feet."""

FOES_OWN = ("ac", "morale", "instinct")
"""Numbers that a PC neither has nor takes from a stat block."""


def fill_in(spec: Spec, block: Block | None) -> Spec:
    """Return an entry filled in from its stat block; its class sets the attack bonus."""
    return fill_from_block(spec, block, "hp", "attack", *(FOES_OWN if spec.pc else ()))


def build_sheet(spec: Spec, block: Block | None, field: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return a sheet's numbers and its counters at the start.

    Raises:
        Unusable: a number is missing or contradicts another, or a skill does not exist.
    """
    hp_max = spec.hp_max or spec.hp or (block.hp if block else 0)
    hp = find_starting_value(spec.hp, hp_max, "hp", field)
    stats = {"attack": _find_attack(spec, block, field), "hp": hp_max}
    stats["pace"] = MOVE if spec.move is None else spec.move
    for name in ATTRIBUTES:
        score = getattr(spec, name + "_" if name in ("str", "int") else name)
        if score is not None:
            stats[name] = score
    for skill, level in spec.skills.items():
        if skill not in skills():
            raise make_unknown_name("skill", skill, skills(), f"{field}.skills")
        stats[skill] = level
    for name, number in spec.saves.items():
        if name not in SAVES:
            raise make_unknown_name("save", name, SAVES, f"{field}.saves")
        stats[name] = number
    stats |= _read_pc(spec, field) if spec.pc else _read_foe(spec, field)
    pools = {"hp": hp, "main": 1, "move": 1, "shock_ignored": 0}
    if spec.pc:
        pools["bleed"] = 0
    elif spec.mount:
        pools["feet"] = 0
    return stats, pools


def _find_attack(spec: Spec, block: Block | None, field: str) -> int:
    """Return the attack bonus: as stated, by class and level, or the stat block's (WWN-009)."""
    if spec.attack is not None:
        return spec.attack
    if spec.class_:
        return class_attack(find_row("class", spec.class_, classes(), f"{field}.class"), spec.level or 1)
    if block is None:
        raise Unusable("attack is missing; state it, or class and level, or a stat block", f"{field}.attack")
    return block.attack


def _read_pc(spec: Spec, field: str) -> dict[str, int]:
    for name in FOES_OWN:
        if getattr(spec, name) is not None:
            raise Unusable("is for foes and mounts; a PC has armour and shield, and no Morale", f"{field}.{name}")
    return {"ac_bonus": spec.ac_bonus}


def _read_foe(spec: Spec, field: str) -> dict[str, int]:
    """Return the numbers of a foe or mount; without an armor class, its armor counts."""
    given = {"ac": spec.ac, "morale": spec.morale, "instinct": spec.instinct}
    if spec.mount and not spec.war_trained:
        for name in ("morale", "instinct"):
            if given[name] is None:
                raise Unusable("an ordinary riding beast needs it for its check", f"{field}.{name}")
    numbers = {name: value for name, value in given.items() if value is not None}
    if "ac" in numbers:
        numbers["ac"] += spec.ac_bonus
    else:
        numbers["ac_bonus"] = spec.ac_bonus
    shares = {"armor_share": spec.armor_share, "shield_share": spec.shield_share}
    return {**numbers, **{name: value for name, value in shares.items() if value}, "skill": spec.skill}


def traits_of(spec: Spec, field: str) -> tuple[str, ...]:
    """Return a sheet's traits.

    Raises:
        Unusable: the entry is a PC and a mount.
    """
    if spec.pc and spec.mount:
        raise Unusable("a PC is no mount", f"{field}.pc")
    words = {"pc": spec.pc, "mount": spec.mount, "war_trained": spec.mount and spec.war_trained}
    words |= {"shock_immune": spec.shock_immune, "dual_wields": spec.dual_wields}
    words |= {CASTER: spec.class_ in classes() and classes()[spec.class_].casts}
    return tuple(word for word, true in words.items() if true)
