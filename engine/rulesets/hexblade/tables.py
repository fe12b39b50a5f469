"""The tables of the rules, read from their data files: gear, skills, terrain, conditions, blocks."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.engine.kit.data_tables import make_table_reader
from affray.engine.kit.encounters import Name
from affray.events import Clause

PACKAGE = __name__.rpartition(".")[0]

Attribute = Literal["str", "dex", "con", "int", "wis", "cha"]
ATTRIBUTES: dict[Attribute, str] = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
"""Each attribute with its full name, which structs use."""

DICE = (4, 6, 8, 10, 12)
"""The sizes that a damaged item steps down by; the first one is the least."""

Bonus = Annotated[int, Meta(ge=-20, le=20)]
Count = Annotated[int, Meta(ge=0, le=999)]
Cover = Literal["none", "soft", "hard", "full"]
Hands = Annotated[int, Meta(ge=0, le=2)]
Sides = Literal[2, 3, 4, 6, 8, 10, 12]


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the weapon tables.

    One with ammunition is shot or thrown, and not used in melee.
    """

    name: str
    attribute: Literal["str", "dex", "either"]
    die: Sides
    hands: Hands
    durability: Count = 0
    complex: bool = False
    natural: bool = False
    ammunition: str = ""


class Spell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[spell.KEY]``: its class lists, and the state that it gives without a test."""

    name: Name
    classes: tuple[str, ...] = ()
    condition: str = ""
    rounds: Annotated[int, Meta(ge=0, le=99)] = 0


class Armor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the armour table; a die of 0 is none (HEX-023)."""

    name: str
    die: Literal[0, 4, 6, 8, 10, 12] = 0
    bonus: Count = 0
    hands: Hands = 0


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A skill, and the attribute that is added to it."""

    name: str
    attribute: Attribute


class Terrain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of ground: its cost in ordinary hexes, 0 if impassable, and its cover."""

    name: str
    hexes: Annotated[int, Meta(ge=0, le=9)]
    cover: Cover = "none"


class Condition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A state of a combatant or an item: its effect, and its end."""

    name: str
    of: Literal["combatant", "place", "item"]
    effect: str
    end: str
    rule: Clause
    disadvantage: Count = 0
    feet: Count = 0


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sample combatant: a starting point for a sheet.

    The initiative number is for combatants that do not roll.
    """

    name: str
    hp: Count
    weapons: tuple[str, ...]
    pc: bool = False
    strength: Bonus = field(default=0, name="str")
    dexterity: Bonus = field(default=0, name="dex")
    constitution: Bonus = field(default=0, name="con")
    intelligence: Bonus = field(default=0, name="int")
    wisdom: Bonus = field(default=0, name="wis")
    charisma: Bonus = field(default=0, name="cha")
    initiative: Count | None = None
    missiles: dict[str, Count] = {}
    armor: str = "none"
    shield: bool = False
    skills: dict[str, Bonus] = {}


weapons = make_table_reader(PACKAGE, "weapons", dict[str, Weapon])
"""Read the weapons, melee and ranged."""
armors = make_table_reader(PACKAGE, "armor", dict[str, Armor])
"""Read the armours and the shield."""
skills = make_table_reader(PACKAGE, "skills", dict[str, Skill])
"""Read the skills."""
difficulties = make_table_reader(PACKAGE, "difficulties", dict[str, int])
"""Read the target numbers of tests, by difficulty."""
terrains = make_table_reader(PACKAGE, "terrain", dict[str, Terrain])
"""Read the kinds of ground."""
conditions = make_table_reader(PACKAGE, "conditions", dict[str, Condition])
"""Read the states of combatants and items."""
blocks = make_table_reader(PACKAGE, "blocks", dict[str, Block])
"""Read the sample combatants."""
