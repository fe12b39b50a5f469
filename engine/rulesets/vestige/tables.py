"""The tables of the rules: weapons, skills and stat blocks, read from their data files."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from affray.engine.kit.data_tables import make_table_reader

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
    """A line of the skill table; the cost is 1 where it is left out."""

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


weapons = make_table_reader(PACKAGE, "weapons", dict[str, Weapon])
"""Read the weapon table."""
skills = make_table_reader(PACKAGE, "skills", dict[str, Skill])
"""Read the skill table."""
blocks = make_table_reader(PACKAGE, "blocks", dict[str, Block])
"""Read the stat blocks."""


class Tables(Struct, frozen=True):
    """The weapons and skills of the rules and of the encounter file."""

    weapons: Mapping[str, Weapon]
    skills: Mapping[str, Skill]
