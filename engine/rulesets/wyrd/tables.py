"""The tables of the rules, from their data files: gear, its tags and grades, abilities, stunts, omens, stat blocks."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from affray.engine.core.ruleset import data
from affray.engine.kit.tables import reader

PACKAGE = __name__.rpartition(".")[0]

Kind = Literal["weapon", "body", "head", "shield", "protection", "ammunition", "other"]

Size = Literal[1, 2, 4, 6, 8, 10, 12, 20]

Slots = Annotated[int, Meta(ge=0, le=99)]

PROTECTION: tuple[str, ...] = ("body", "head", "shield", "protection")
"""The kinds of protection in the order in which it is worn, and its dice fall; the last is whatever else there is."""


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of gear.

    Attributes:
        name: For people.
        kind: What it is used for.
        die: Its usage die when whole; 0 if it has none or its grade says it.
        grade: A line of the grades instead of a die.
        material: Better or worse than usual, which moves the die one step.
        hands: How many it takes to fight with it.
        slots: How many it fills.
        damage: What it does where it has no die.
        tags: What is special about it.
    """

    name: str
    kind: Kind = "other"
    die: Size | Literal[0] = 0
    grade: str = ""
    material: Literal["", "better", "worse"] = ""
    hands: Annotated[int, Meta(ge=0, le=2)] = 0
    slots: Slots = 0
    damage: Annotated[int, Meta(ge=0, le=99)] = 0
    tags: tuple[str, ...] = ()


class Brought(Piece, frozen=True, kw_only=True):
    """A piece as a combatant brought it into a fight; its die is reckoned already."""


class Tag(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is special about a piece; see ``tags.toml``."""

    name: str
    says: str
    steps: int = 0
    wears: bool = True
    rerolls: bool = False
    twice: Literal["", "higher", "lower"] = ""


class Grade(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A size for gear of one's own making."""

    name: str
    die: Size


class Ability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An ability: its die at the start, the least and most of a player character, and the least of all."""

    name: str
    start: Size
    least: Size
    most: Size
    injured: Size


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a stunt does: a condition, or steps of a piece of protection."""

    name: str
    says: str
    condition: str = ""
    steps: int = 0


class Omen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A face of the encounter roll that surprises somebody."""

    surprised: Literal["party", "encounter"]
    says: str


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stat block: a starting point for a sheet; an ability it leaves out begins at its start."""

    name: str
    power: Size | None = None
    grace: Size | None = None
    intellect: Size | None = None
    will: Size | None = None
    slots: Slots | None = None
    weapons: tuple[str, ...] = ()
    protection: tuple[str, ...] = ()


@cache
def gear() -> dict[str, Piece]:
    """Return every weapon and every piece of protection."""
    weapons = {key: {"kind": "weapon", **line} for key, line in data(PACKAGE, "data/weapons.toml").items()}
    return msgspec.convert({**weapons, **data(PACKAGE, "data/protection.toml")}, dict[str, Piece])


tags = reader(PACKAGE, "tags", dict[str, Tag])
"""Return what may be special about a piece."""
grades = reader(PACKAGE, "grades", dict[str, Grade])
"""Return the sizes for gear of one's own making."""
abilities = reader(PACKAGE, "abilities", dict[str, Ability])
"""Return the four abilities."""
stunts = reader(PACKAGE, "stunts", dict[str, Effect])
"""Return the effects of stunts that are known by name."""
omens = reader(PACKAGE, "omens", dict[int, Omen], strict=False)
"""Return the encounter roll, by face."""
blocks = reader(PACKAGE, "blocks", dict[str, Block])
"""Return the stat blocks."""


class Tables(Struct, frozen=True):
    """The gear a fight can draw on: the rules' own and that of its encounter file."""

    gear: Mapping[str, Piece]
