"""The form of an encounter file."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.kit.encounters import Between, Entry, File, Melee, Name, Seen
from affray.engine.rulesets.wyrd.tables import Piece, Size, Slots

Held = Annotated[tuple[str, ...], Meta(max_length=2)]


class Spec(Entry, frozen=True, kw_only=True):
    """A ``[[combatant]]`` of an encounter file. What it leaves out comes from its block, then from the defaults.

    Attributes:
        power, grace, intellect, will: Sizes of the abilities' dice when whole.
        slots: How much one can carry; player characters have what the configuration says, others none.
        load: Slots filled by things that are not listed.
        fatigue: Fatigue at the start.
        weapons, protection, gear: What is carried; protection is worn.
        spells: The spells they know, by name.
        in_hand: Which of the weapons are in hand, the main hand first; the first weapon if nothing is said.
        hands: The same, as it was called before.
        current: The present size of an ability or piece where it is not its base.
        at: A place, or one for each.
    """

    pc: bool = False
    power: Size | None = None
    grace: Size | None = None
    intellect: Size | None = None
    will: Size | None = None
    slots: Slots | None = None
    load: Slots = 0
    fatigue: Slots = 0
    weapons: tuple[str, ...] | None = None
    protection: tuple[str, ...] | None = None
    gear: tuple[str, ...] = ()
    spells: tuple[Name, ...] = ()
    in_hand: Held | None = None
    hands: Held | None = None
    current: dict[str, Size] = {}
    at: str | tuple[str, ...] = ""


class Distance(Between, frozen=True, kw_only=True):
    """A ``[[distance]]`` between two combatants, in a fight without places."""

    metres: Annotated[int, Meta(ge=0, le=999)]


class View(Seen, frozen=True, kw_only=True):
    """A ``[[view]]``: who sees whom badly, and how badly."""

    view: Literal["blocked", "cover"] = "blocked"


class Place(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[place]]``, and where one can go from it with one move; anywhere if nothing is said."""

    name: Name
    exits: tuple[Name, ...] = ()
    traits: tuple[Name, ...] = ()


class Encounter(File, frozen=True, kw_only=True):
    """An encounter file of Wyrd."""

    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    place: tuple[Place, ...] = ()
    melee: tuple[Melee, ...] = ()
    distance: tuple[Distance, ...] = ()
    view: tuple[View, ...] = ()
    gear: dict[str, Piece] = {}
