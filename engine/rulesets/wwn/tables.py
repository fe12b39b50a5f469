"""The tables of the rules, read from their data files and typed.

They hold weapons, armor, skills, classes, Foci, conditions and stat blocks.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.engine.kit.data_tables import make_table_reader

PACKAGE = __name__.rpartition(".")[0]

Count = Annotated[int, Meta(ge=0, le=9999)]
Bonus = Annotated[int, Meta(ge=-20, le=20)]
ArmorClass = Annotated[int, Meta(ge=0, le=40)]
Level = Annotated[int, Meta(ge=-1, le=4)]
Morale = Annotated[int, Meta(ge=2, le=12)]
Instinct = Annotated[int, Meta(ge=1, le=10)]
SaveNumber = Annotated[int, Meta(ge=2, le=20)]
HitPoints = Annotated[int, Meta(ge=1, le=999)]
DamageDice = Annotated[str, Meta(pattern=r"^([1-9]\d?)?d[1-9]\d?( ?[+\-–−] ?(1?\d|20))?$")]
"""Dice as books print them: ``1d8``, ``d6``, ``1d8+5``, ``2d6 – 1``."""

Attribute = Literal["str", "dex", "con", "int", "wis", "cha"]
Mode = Literal["melee", "shoot", "throw"]
Tag = Literal[
    "2H", "AP", "CB", "FX", "L", "LL", "N", "PM", "R", "S", "SR", "SS", "T", "bow", "longbow", "missile", "natural",
    "rifle", "shield", "unarmed",
]  # fmt: skip


class Modifier(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bonus of a sheet or item on a hit, on damage or on Shock.

    Attributes:
        to: The roll or sum it is added to.
        value: The bonus.
        skill: A skill whose level is added too, where it is above 0.
        modes: The kinds of attack it counts in; all if empty.
        tags: The tags of weapons that it counts with; any weapon if empty.
        label: Its name in a roll; the name of the Focus or item if empty.
    """

    to: Literal["hit", "damage", "shock"]
    value: Bonus = 0
    skill: str = ""
    modes: tuple[Mode, ...] = ()
    tags: tuple[Tag, ...] = ()
    label: str = ""


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the weapon table; ranges in feet, ``far`` 0 for melee only."""

    name: str
    damage: DamageDice
    attribute: Annotated[tuple[Attribute, ...], Meta(min_length=1)]
    skill: str
    damage_skill: str = ""
    shock: Count | None = None
    shock_ac: ArmorClass = 0
    near: Count = 0
    far: Count = 0
    tags: tuple[Tag, ...] = ()
    magic: Bonus = 0
    modifiers: tuple[Modifier, ...] = ()


def parse_damage(damage: str) -> tuple[int, int, int]:
    """Split damage into number of dice, sides and bonus."""
    count, _, rest = re.sub("[–−]", "-", damage.replace(" ", "")).partition("d")
    sides, sign, bonus = re.split("([+-])", rest) if rest.strip("0123456789") else (rest, "+", "0")
    return int(count or 1), int(sides), int(sign + bonus)


class Armor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the armor table: body armor, or a shield with its base, its bonus and its weapon line."""

    name: str
    class_: Literal["none", "light", "medium", "heavy", "shield"] = field(name="class")
    ac: ArmorClass
    bonus: Count = 0
    bash: str = ""
    magical: bool = False
    proof: bool = False


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A skill, and its use in a fight."""

    name: str
    use: str = ""


class Class(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A class: the growth of its attack bonus with its level."""

    name: str
    levels: Annotated[int, Meta(ge=1)]
    bonus: Count = 0
    again: Count = 0
    casts: bool = False


class Focus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Focus and its effects; ``foci.toml`` explains each key."""

    name: str
    level: Annotated[int, Meta(ge=1, le=2)] = 1
    modifiers: tuple[Modifier, ...] = ()
    shock_as_ac: ArmorClass | None = None
    throws_in_melee: tuple[Tag, ...] = ()
    shrugs_off_shock: bool = False
    bow_in_melee: Bonus | None = None
    unsurprised: bool = False
    initiative_dice: Annotated[int, Meta(ge=1, le=4)] = 1
    mount_morale: Morale | None = None
    lends_ac: bool = False


class Condition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition; ``conditions.toml`` explains each key."""

    clauses: tuple[str, ...] = ()
    ends: str = ""
    helpless: bool = False
    out: bool = False


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stat block of a foe or mount: a starting point for a sheet."""

    name: str
    hp: HitPoints
    ac: ArmorClass
    attack: Bonus
    move: Count = 30
    hd: Count = 1
    morale: Morale | None = None
    instinct: Instinct | None = None
    damage: DamageDice | None = None
    mount: bool = False
    war_trained: bool | None = None
    weapons: tuple[str, ...] = ()


weapons = make_table_reader(PACKAGE, "weapons", dict[str, Weapon])
"""Return the weapon table."""
armor = make_table_reader(PACKAGE, "armor", dict[str, Armor])
"""Return the armor table, shields included."""
skills = make_table_reader(PACKAGE, "skills", dict[str, Skill])
"""Return the skills."""
classes = make_table_reader(PACKAGE, "classes", dict[str, Class])
"""Return the classes."""
foci = make_table_reader(PACKAGE, "foci", dict[str, Focus])
"""Return the Foci, each level under a key of its own."""
conditions = make_table_reader(PACKAGE, "conditions", dict[str, Condition])
"""Return the conditions."""
blocks = make_table_reader(PACKAGE, "blocks", dict[str, Block])
"""Return the stat blocks."""


def class_attack(class_: Class, level: int) -> int:
    """Return the attack bonus of a class at a level (WWN-T02)."""
    again = 1 if class_.again and level >= class_.again else 0
    return level // class_.levels + class_.bonus + again


class Tables(Struct, frozen=True):
    """The tables of a fight: weapons, armor and Foci of the rules and of its file."""

    weapons: Mapping[str, Weapon]
    armor: Mapping[str, Armor]
    foci: Mapping[str, Focus]
