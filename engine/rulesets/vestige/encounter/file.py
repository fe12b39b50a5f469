"""The schema of an encounter file."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.kit.encounters import CombatantEntry, DistanceEntry, EncounterFile, ViewEntry
from affray.engine.rulesets.vestige.tables import Bonus, Score, Skill, Weapon


class Spec(CombatantEntry, frozen=True, kw_only=True):
    """A ``[[combatant]]`` of an encounter file.

    Fields that are left out come from the stat block, then from the defaults.
    """

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
    morale: Annotated[int, Meta(ge=-999, le=999)] = 0
    at: str | tuple[str, ...] = ""
    weapons: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    disciplines: tuple[str, ...] = ()


class Pair(DistanceEntry, frozen=True, kw_only=True):
    """A ``[[distance]]``: two combatants and the distance between them."""

    metres: Annotated[int, Meta(ge=0, le=999)] = 0


class View(ViewEntry, frozen=True, kw_only=True):
    """A ``[[view]]``: a viewer and a target that it cannot see."""

    view: Literal["blocked"] = "blocked"


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[board]``: its difficult and blocked cells."""

    difficult: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


class Encounter(EncounterFile, frozen=True, kw_only=True):
    """An encounter file of Vestige."""

    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    board: Board | None = None
    distance: tuple[Pair, ...] = ()
    view: tuple[View, ...] = ()
    weapon: dict[str, Weapon] = {}
    skill: dict[str, Skill] = {}
