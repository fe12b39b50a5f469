"""The tables of the rules, read from their data files: gear, abilities, stunts, omens, stat blocks."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from affray.engine.core.catalogue import data
from affray.engine.kit.data_tables import make_table_reader

PACKAGE = __name__.rpartition(".")[0]

Kind = Literal["weapon", "body", "head", "shield", "protection", "ammunition", "other"]

Size = Literal[1, 2, 4, 6, 8, 10, 12, 20]

Slots = Annotated[int, Meta(ge=0, le=99)]

PROTECTION: tuple[str, ...] = ("body", "head", "shield", "protection")
"""The kinds of protection in worn order, which is the order of their dice."""


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of gear.

    Attributes:
        name: The name for people.
        kind: Its use.
        die: Its usage die when whole; 0 if it has none, or its grade gives it.
        grade: A line of the grades instead of a die.
        material: Better or worse than usual, which moves the die one step.
        hands: The hands that it takes to fight with it.
        slots: The slots that it fills.
        damage: Its damage if it has no die.
        tags: Its special properties.
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


class CarriedPiece(Piece, frozen=True, kw_only=True):
    """A piece as a combatant brought it into a fight; its die is worked out already."""


class Tag(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A special property of a piece; see ``tags.toml``."""

    name: str
    says: str
    steps: int = 0
    wears: bool = True
    rerolls: bool = False
    twice: Literal["", "higher", "lower"] = ""


class Grade(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A size for home-made gear."""

    name: str
    die: Size


class Ability(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An ability: its starting die, a player character's range, and the least of all."""

    name: str
    start: Size
    least: Size
    most: Size
    injured: Size


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The effect of a stunt: a condition, or steps of a piece of protection."""

    name: str
    says: str
    condition: str = ""
    steps: int = 0


class Omen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A face of the encounter roll that surprises one party."""

    surprised: Literal["party", "encounter"]
    says: str


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stat block: a starting point for a sheet. It may leave abilities out."""

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


tags = make_table_reader(PACKAGE, "tags", dict[str, Tag])
"""Read the tags of pieces."""
grades = make_table_reader(PACKAGE, "grades", dict[str, Grade])
"""Read the grades of home-made gear."""
abilities = make_table_reader(PACKAGE, "abilities", dict[str, Ability])
"""Read the four abilities."""
stunts = make_table_reader(PACKAGE, "stunts", dict[str, Effect])
"""Read the named effects of stunts."""
omens = make_table_reader(PACKAGE, "omens", dict[int, Omen], strict=False)
"""Read the encounter roll, by face."""
blocks = make_table_reader(PACKAGE, "blocks", dict[str, Block])
"""Read the stat blocks."""


class Tables(Struct, frozen=True):
    """The gear of the rules and of the encounter file."""

    gear: Mapping[str, Piece]
