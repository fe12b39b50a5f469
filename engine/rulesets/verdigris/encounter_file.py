"""The form of an encounter file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from affray.engine.kit.encounters import Seen

from .rows import Make, Score, Size, Weapon

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Number = Annotated[int, Meta(ge=0, le=30)]
Attribute = Literal["strength", "agility", "intelligence", "charisma"]


class Armed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon of somebody's, where more is to be said than its name."""

    weapon: str
    make: Make = "plain"
    where: Literal["", "hand", "belt", "pack"] = ""
    loaded: bool = True
    lit: bool = True


class Shielded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shield of somebody's, where more is to be said than its name."""

    shield: str
    where: Literal["", "hand", "pack"] = ""


class Thing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something else that is carried; ``slots`` is how much room it takes, where its kind does not say."""

    name: Name
    kind: Literal["potion", "book", "rations", "thing"] = "thing"
    where: Literal["", "belt", "pack", "hand"] = ""
    slots: Annotated[int, Meta(ge=0, le=99)] | None = None


class Ridden(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mount, where more is to be said than its kind."""

    mount: str
    name: str = ""
    quality: Number | None = None
    bonus: Number | None = None
    damage: Number | None = None
    hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    barding: Number | None = None
    battle_trained: bool | None = None


class Spec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]`` of an encounter file. What it leaves out comes from its block, then from the defaults."""

    name: Name
    side: Literal["party", "enemies"]
    block: str = ""
    count: Annotated[int, Meta(ge=1, le=500)] = 1
    pc: bool = False
    player: str = ""
    at: str | tuple[str, ...] = ""
    strength: Number | None = None
    agility: Number | None = None
    intelligence: Number | None = None
    charisma: Number | None = None
    dodge: Number | None = None
    panic: Number | None = None
    warding: Number | None = None
    withstand: Number | None = None
    hp: Score | None = None
    hp_max: Annotated[int, Meta(ge=1, le=999)] | None = None
    wounds: Number | None = None
    wounds_max: Number | None = None
    stress: Number = 0
    stress_min: Number = 0
    inspiration: Annotated[int, Meta(ge=0, le=1)] = 0
    bodies: Number = 1
    size: Size | None = None
    background: str = ""
    skills: dict[str, Number] | None = None
    talents: dict[str, Annotated[int, Meta(ge=1, le=9)]] = {}
    tenacious: tuple[Attribute, ...] = ()
    weapons: tuple[str | Armed, ...] | None = None
    armor: str | None = None
    shield: str | Shielded = ""
    ammunition: dict[str, Score] | None = None
    items: tuple[Thing, ...] = ()
    mount: str | Ridden = ""


class Zone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[zone]]``: where one can go from it, and back; and what it is like."""

    name: Name
    exits: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()


class Melee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[melee]]`` that is under way when the fight begins: the ids of who is in it, in joining order."""

    members: Annotated[tuple[str, ...], Meta(min_length=2)]


class View(Seen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: who cannot see whom."""

    view: Literal["blocked"] = "blocked"


class Encounter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file of Verdigris."""

    system: str
    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    name: str = ""
    config: dict[str, Any] = {}
    zone: tuple[Zone, ...] = ()
    melee: tuple[Melee, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}
