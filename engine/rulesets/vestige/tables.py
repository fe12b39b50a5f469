"""The tables of the rules: weapons, skills and stat blocks, from their data files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from affray.engine.ruleset import data

PACKAGE = __name__.rpartition(".")[0]

Score = Annotated[int, Meta(ge=0, le=999)]
Bonus = Annotated[int, Meta(ge=-99, le=99)]


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stat block: a starting point for a sheet."""

    name: str
    agility: Score
    might: Score
    accuracy: Bonus
    protection: Score
    health: Score
    ep: Score


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the weapon table; range in metres."""

    name: str
    type: str
    range: Score
    accuracy: Bonus = 0
    might: Bonus = 0
    might_min: Score = 0
    ammunition: bool = False


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the skill table; a cost that is left out is 1 (VES-019)."""

    name: str
    effect: str
    needs: tuple[str, ...] = ()
    ep: Score | None = None
    initiative: bool = False
    range: Score | None = None
    accuracy: Bonus = 0
    might: Bonus = 0
    metres: Score = 0
    provokes: bool = True
    fires: bool = True
    discipline: str = ""


@cache
def weapons() -> dict[str, Weapon]:
    """Return the weapon table."""
    return msgspec.convert(data(PACKAGE, "weapons.toml"), dict[str, Weapon])


@cache
def skills() -> dict[str, Skill]:
    """Return the skill table."""
    return msgspec.convert(data(PACKAGE, "skills.toml"), dict[str, Skill])


@cache
def blocks() -> dict[str, Block]:
    """Return the stat blocks."""
    return msgspec.convert(data(PACKAGE, "blocks.toml"), dict[str, Block])


class Tables(Struct, frozen=True):
    """The weapons and skills a fight can draw on: the rules' own and those of its encounter file."""

    weapons: Mapping[str, Weapon]
    skills: Mapping[str, Skill]
