"""The structs that are sent about what a store keeps beside its fights, and about what encounters are made from."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from affray.engine.commands import MANY
from affray.events import Id
from affray.tools.api.problem_details import Problem
from affray.tools.api.schemas.library import LibraryTable, Person, Shipped
from affray.tools.api.schemas.parties import CostLine, PartyTold

from .fights import NAME

Name = Annotated[str, Meta(pattern=NAME, min_length=1, max_length=100)]
Version = Annotated[str, Meta(max_length=100, description="The version its writer knows; empty if there is none yet.")]


class System(Struct, frozen=True):
    """A rule system of this server.

    Attributes:
        map: What places are: ``squares``, ``hexes``, ``zones``, or nothing.
        template: Whether it has an encounter to begin with.
    """

    name: str
    title: str
    version: str
    map: str
    template: bool


class Systems(Struct, frozen=True):
    """The rule systems of this server."""

    systems: list[System]


class Library(Struct, frozen=True):
    """The tables of a system, with the names that an encounter can use."""

    system: str
    title: str
    tables: list[LibraryTable]


class AllShipped(Struct, frozen=True):
    """The encounters that come with the program."""

    encounters: list[Shipped]


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter or a party as an object, or as the text of its TOML file.

    Attributes:
        was: The text of its file as it was; what people wrote beside the content stays where nothing was changed.
    """

    content: dict[str, Any] | None = None
    toml: str | None = None
    was: str = ""


class Checked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The faults of an encounter or a party, with both its forms.

    Attributes:
        fault: The first thing that is wrong, with its field and the line of the TOML that was sent.
        faults: Everything that is wrong, as far as it can be told at once, that one first.
        people: Who would be in the fight of an encounter.
        content: As an object.
        toml: As the text of a TOML file; what was sent stays as it was.
    """

    ok: bool
    fault: Problem | None = None
    faults: tuple[Problem, ...] = ()
    people: tuple[Person, ...] = ()
    content: dict[str, Any] = {}
    toml: str = ""


class Saving(Written, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter or a party that shall be kept; it may still be unfinished."""

    version: Version = ""


class SavingEncounter(Saving, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter that shall be kept.

    Attributes:
        copy_of: Of which encounter it is a copy, so that it has the same picture; empty if of none.
    """

    copy_of: Annotated[str, Meta(max_length=100)] = ""


class Saved(Struct, frozen=True, kw_only=True):
    """An encounter or a party that is kept, without what it says.

    Attributes:
        title: What it calls itself.
        system: Its rule system.
        version: Tells it from what it was before.
        changed: When it was last written.
        sides: How many stand on each side.
    """

    name: str
    title: str
    system: str
    version: str
    changed: str
    sides: dict[str, int] = {}


class AllSaved(Struct, frozen=True):
    """Everything of a kind that is kept."""

    saved: list[Saved]


class SavedWhole(Saved, frozen=True, kw_only=True, omit_defaults=True):
    """An encounter or a party that is kept, with what it says.

    Attributes:
        fault: What keeps it from being fought, if anything does.
        background: The picture behind the map of an encounter's fights, if there is one.
    """

    content: dict[str, Any]
    toml: str
    fault: Problem | None = None
    background: Background | None = None


class Copying(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Under which name a copy shall be kept."""

    to: Name


class Known(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of a party that is in a known version."""

    version: Annotated[str, Meta(max_length=100)]


class Making(Written, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party that shall be made of those on one side of an encounter.

    Attributes:
        name: Under which it is kept.
        title: What it calls itself; the same if not given.
        side: Which one; that of whoever stands first if not given.
        fight: A fight that was opened here, of whose encounter they are, in place of an encounter.
    """

    name: Name
    title: Annotated[str, Meta(max_length=60)] = ""
    side: Annotated[str, Meta(max_length=60)] = ""
    fight: Annotated[str, Meta(max_length=MANY)] | None = None


class Taking(Known, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to charge a party with the cost of a finished fight."""

    fight: Annotated[str, Meta(max_length=MANY)]


class Resting(Known, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rest of a party, in one of the ways that its rules know."""

    kind: Annotated[str, Meta(max_length=60)]


Corrected = bool | int | str | list[str] | dict[str, int]


class Correcting(Known, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction of a party member.

    Attributes:
        values: Per field what it shall be.
    """

    member: Annotated[str, Meta(max_length=60)]
    values: Annotated[dict[Annotated[str, Meta(max_length=100)], Corrected], Meta(min_length=1, max_length=200)]


class PartyChanged(Struct, frozen=True):
    """A party as it is now, and what became of it, line by line."""

    party: SavedWhole
    lines: list[CostLine]


class Cost(Struct, frozen=True):
    """The cost of a fight so far.

    Attributes:
        head: The position up to which it is told.
        whole: Whether nothing of the fight is hidden from whoever asks.
    """

    head: int
    lines: list[CostLine]
    whole: bool


class OpenedFrom(Struct, frozen=True):
    """The encounter and the party that a fight was opened from.

    Attributes:
        saved: The encounter that is kept; empty if it was another one.
        party: The party that joined it; empty if none did.
        sides: Its sides, that which stands first first.
        known: Whether its encounter is known, so that a party can be made of a side.
    """

    saved: str
    party: str
    sides: list[str]
    known: bool


Coordinate = Annotated[float, Meta(ge=-1e6, le=1e6)]


class Background(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture behind the map.

    Attributes:
        picture: Its name.
        scale: How many places of the map one hundred of its pixels cover.
        x, y: Where its corner lies, in places of the map.
    """

    picture: Annotated[str, Meta(max_length=100)]
    scale: Annotated[float, Meta(gt=0, le=1e4)] = 1.0
    x: Coordinate = 0.0
    y: Coordinate = 0.0


class Scene(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The scene of a fight, as far as the viewer may see it.

    Attributes:
        version: Another one as soon as any of it is otherwise.
        portraits: Per combatant the name of a picture.
        pictures: All that were uploaded; for game masters alone.
    """

    version: str
    background: Background | None = None
    portraits: dict[Id, str] = {}
    pictures: tuple[str, ...] = ()


class Setting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new scene of a fight: the image behind its map, and the portraits."""

    version: Version = ""
    background: Background | None = None
    portraits: Annotated[dict[Annotated[str, Meta(max_length=100)], str], Meta(max_length=1000)] = {}


class Uploaded(Struct, frozen=True):
    """A picture that is kept now: its name, and what it is."""

    name: str
    media: str
    width: int
    height: int


TYPES = (
    Cost,
    OpenedFrom,
    PartyTold,
    Background,
    Scene,
    Setting,
    Uploaded,
    Correcting,
    Known,
    Making,
    PartyChanged,
    Resting,
    Taking,
    AllSaved,
    AllShipped,
    Checked,
    Copying,
    Library,
    Saved,
    SavedWhole,
    Saving,
    SavingEncounter,
    Systems,
    Written,
)
"""Everything that is sent or received whole."""
