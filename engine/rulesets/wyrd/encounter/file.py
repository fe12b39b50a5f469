"""The schema of an encounter file."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.kit.encounters import CombatantEntry, DistanceEntry, EncounterFile, MeleeEntry, Name, ViewEntry
from affray.engine.rulesets.wyrd.tables import Piece, Size, Slots

Held = Annotated[tuple[str, ...], Meta(max_length=2)]


class Spec(CombatantEntry, frozen=True, kw_only=True):
    """A ``[[combatant]]`` of an encounter file.

    Fields that are left out come from the stat block, then from the defaults.

    Attributes:
        power, grace, intellect, will: Sizes of the abilities' dice when whole.
        slots: The carrying capacity; by default a player character's is configured, and others have no limit.
        load: Slots filled by things that are not listed.
        fatigue: Fatigue at the start.
        weapons, protection, gear: The items that are carried; protection is worn.
        spells: The known spells, by name.
        in_hand: The weapons in hand, the main hand first; by default the first weapon.
        hands: The former name of ``in_hand``.
        current: The present size of an ability or piece where it is not its base.
        at: A place, or one for each combatant.
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


class Distance(DistanceEntry, frozen=True, kw_only=True):
    """A ``[[distance]]`` between two combatants, in a fight without places."""

    metres: Annotated[int, Meta(ge=0, le=999)]


class View(ViewEntry, frozen=True, kw_only=True):
    """A ``[[view]]``: a viewer, a target, and what impairs the sight."""

    view: Literal["blocked", "cover"] = "blocked"


class Place(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[place]]``, and its exits: the places one move away, by default all places."""

    name: Name
    exits: tuple[Name, ...] = ()
    traits: tuple[Name, ...] = ()


class Encounter(EncounterFile, frozen=True, kw_only=True):
    """An encounter file of Wyrd."""

    combatant: Annotated[tuple[Spec, ...], Meta(min_length=1)]
    place: tuple[Place, ...] = ()
    melee: tuple[MeleeEntry, ...] = ()
    distance: tuple[Distance, ...] = ()
    view: tuple[View, ...] = ()
    gear: dict[str, Piece] = {}
