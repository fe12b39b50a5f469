"""The schema of an encounter file."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct, field

from affray.engine.kit.encounters import CombatantEntry, EncounterFile, Name
from affray.engine.rulesets.hexblade.tables import Bonus, Count, Spell, Weapon, weapons

Score = Annotated[int, Meta(ge=1, le=999)]


class Spec(CombatantEntry, frozen=True, kw_only=True):
    """A ``[[combatant]]`` of an encounter file.

    Fields that are left out come from the stat block, then from the defaults.
    """

    pc: bool | None = None
    at: str | tuple[str, ...] = ""
    strength: Bonus | None = field(default=None, name="str")
    dexterity: Bonus | None = field(default=None, name="dex")
    constitution: Bonus | None = field(default=None, name="con")
    intelligence: Bonus | None = field(default=None, name="int")
    wisdom: Bonus | None = field(default=None, name="wis")
    charisma: Bonus | None = field(default=None, name="cha")
    skills: dict[str, Bonus] | None = None
    hp: Score | None = None
    hp_max: Score | None = None
    initiative: Count | None = None
    movement: Annotated[int, Meta(ge=0, le=300)] = 30
    weapons: tuple[str, ...] | None = None
    missiles: dict[str, Count] | None = None
    armor: str | None = None
    shield: bool | None = None
    belt: tuple[Name, ...] = ()
    pack: tuple[Name, ...] = ()
    cover: Literal["", "soft", "hard"] = ""
    calling: str = field(default="", name="class")
    spells: tuple[str, ...] = ()


class Side(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side between two hexes that gives cover, such as a low wall along it."""

    between: tuple[str, str]
    cover: Literal["soft", "hard"]


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[board]``: its edges, and its special hexes and sides."""

    q: tuple[int, int] | None = None
    r: tuple[int, int] | None = None
    difficult: tuple[str, ...] = ()
    smoke: tuple[str, ...] = ()
    fence: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    side: tuple[Side, ...] = ()


class Encounter(EncounterFile, frozen=True, kw_only=True):
    """An encounter file of Hexblade."""

    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    board: Board = Board()
    weapon: dict[str, Weapon] = {}
    spell: dict[str, Spell] = {}


class Stock(Struct, frozen=True):
    """The weapons and spells of the rules and of the encounter file."""

    weapons: Mapping[str, Weapon]
    spells: Mapping[str, Spell]

    @classmethod
    def of(cls, more_weapons: Mapping[str, Weapon], spells: Mapping[str, Spell]) -> Self:
        """Return the stock of the rules and of an encounter file."""
        return cls({**weapons(), **more_weapons}, spells)
