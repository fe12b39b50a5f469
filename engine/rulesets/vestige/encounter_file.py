"""The form of an encounter file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from affray.engine.kit.encounters import Seen

from .tables import Bonus, Score, Skill, Weapon

Name = Annotated[str, Meta(min_length=1, max_length=60)]


class Spec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]`` of an encounter file. What it leaves out comes from its block, then from the defaults."""

    name: Name
    side: Name
    block: str = ""
    count: Annotated[int, Meta(ge=1, le=500)] = 1
    group: bool = False
    agility: Annotated[int, Meta(ge=1, le=30)] | None = None
    might: Score | None = None
    accuracy: Bonus | None = None
    protection: Score | None = None
    health: Score | None = None
    health_max: Annotated[int, Meta(ge=1, le=999)] | None = None
    ep: Score | None = None
    ep_max: Score | None = None
    ep_regain: Score | None = None
    move: Annotated[int, Meta(ge=0, le=99)] | None = None
    morale: Score = 0
    at: str | tuple[str, ...] = ""
    weapons: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    disciplines: tuple[str, ...] = ()


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[distance]]``: two combatants, and how far apart they are."""

    between: tuple[str, str]
    metres: Annotated[int, Meta(ge=0, le=999)] = 0


class View(Seen, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[view]]``: who cannot see whom."""

    view: Literal["blocked"] = "blocked"


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[board]``: its cells that are out of the ordinary."""

    difficult: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


class Encounter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file of Vestige."""

    system: str
    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    name: str = ""
    config: dict[str, Any] = {}
    board: Board | None = None
    distance: tuple[Pair, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}
    skill: dict[str, Skill] = {}
