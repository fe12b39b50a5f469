"""The form of an encounter file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from affray.engine.kit.encounters import Seen

from .tables import Armor, ArmorClass, Bonus, Focus, Instinct, Level, Modifier, Morale, Weapon

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
