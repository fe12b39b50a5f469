"""The structs for stored documents and for the tables that encounters use."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from affray.events import Id
from affray.tools.api.problem_details import Problem
from affray.tools.api.schemas.library import LibraryTable, Person, Shipped
from affray.tools.api.schemas.parties import CostLine

from .fights import Name, Text

Label = Annotated[str, Meta(max_length=60)]
Identifier = Annotated[str, Meta(max_length=100)]
Version = Annotated[
    str, Meta(max_length=100, description="The version that the sender last read; empty for a new document.")
]


class System(Struct, frozen=True):
    """A rule system of this server.

    Attributes:
        map: The kind of place on its maps: ``squares``, ``hexes``, ``zones``, or empty without a map.
        template: Whether the system has a template encounter.
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
        was: The text of the file before the edit. Its comments are kept beside all content that did not change.
    """

    content: dict[str, Any] | None = None
    toml: str | None = None
    was: str = ""


class Checked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The faults of an encounter or a party, with both its forms.

    Attributes:
        fault: The first fault, with its field and its line in the TOML that was sent.
        faults: All faults that one check can find; ``fault`` is the first of them.
        people: The combatants that the encounter would bring into a fight.
        content: The content as an object.
        toml: The content as the text of a TOML file; TOML that was sent is returned unchanged.
    """

    ok: bool
    fault: Problem | None = None
    faults: tuple[Problem, ...] = ()
    people: tuple[Person, ...] = ()
    content: dict[str, Any] = {}
    toml: str = ""


class Saving(Written, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to store an encounter or a party; it may be unfinished."""

    version: Version = ""


class SavingEncounter(Saving, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to store an encounter.

    Attributes:
        copy_of: The encounter it was copied from, whose background image it shares; empty if it is no copy.
    """

    copy_of: Identifier = ""


class Saved(Struct, frozen=True, kw_only=True):
    """A stored encounter or party, without its content.

    Attributes:
        title: The title in its file.
        system: Its rule system.
        version: An opaque version of the document; it changes with each write.
        changed: The time of the last write.
        sides: The number of combatants on each side.
    """

    name: str
    title: str
    system: str
    version: str
    changed: str
    sides: dict[str, int] = {}


class AllSaved(Struct, frozen=True):
    """All stored documents of a kind."""

    saved: list[Saved]


class SavedWhole(Saved, frozen=True, kw_only=True, omit_defaults=True):
    """A stored encounter or party, with its content.

    Attributes:
        fault: The fault that keeps it from starting a fight, if it has one.
        background: The image behind the map of an encounter's fights, if it has one.
    """

    content: dict[str, Any]
    toml: str
    fault: Problem | None = None
    background: Background | None = None


class Copying(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to store a copy under another name."""

    to: Name


class Known(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to change a known version of a party."""

    version: Identifier


class Making(Written, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to create a party from one side of an encounter.

    Attributes:
        name: The name to store the party under.
        title: The title of the party; its name by default.
        side: The side to take; by default the side of the first combatant.
        fight: A fight opened on this server, whose encounter is used in place of a given one.
    """

    name: Name
    title: Label = ""
    side: Label = ""
    fight: Text | None = None


class Taking(Known, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to charge a party with the cost of a finished fight."""

    fight: Text


class Resting(Known, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a rest of a party, of a kind that its rules know."""

    kind: Label


Corrected = bool | int | str | list[str] | dict[str, int]


class Correcting(Known, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction of a party member.

    Attributes:
        values: The corrected values, by field.
    """

    member: Label
    values: Annotated[dict[Identifier, Corrected], Meta(min_length=1, max_length=200)]


class PartyChanged(Struct, frozen=True):
    """A changed party, with one line for each change."""

    party: SavedWhole
    lines: list[CostLine]


class FightCost(Struct, frozen=True):
    """The cost of a fight so far.

    Attributes:
        head: The log position up to which costs are counted.
        whole: Whether the viewer sees everything in the fight.
    """

    head: int
    lines: list[CostLine]
    whole: bool


class OpenedFrom(Struct, frozen=True):
    """The encounter and the party that a fight was opened from.

    Attributes:
        saved: The stored encounter; empty if the fight was opened from another source.
        party: The stored party that joined the fight; empty without one.
        sides: The sides, in the order in which they appear in the encounter.
        known: Whether the encounter is known, so that a party can be created from one of its sides.
    """

    saved: str
    party: str
    sides: list[str]
    known: bool


Coordinate = Annotated[float, Meta(ge=-1e6, le=1e6)]


class Background(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An image behind the map.

    Attributes:
        picture: The name of the image.
        scale: The number of map places that 100 pixels of the image cover.
        x, y: The position of the image's corner, in map places.
    """

    picture: Identifier
    scale: Annotated[float, Meta(gt=0, le=1e4)] = 1.0
    x: Coordinate = 0.0
    y: Coordinate = 0.0


class Scene(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The scene of a fight, as far as the viewer may see it.

    Attributes:
        version: An opaque version of the scene; it changes with each change.
        portraits: The names of portrait images, by combatant.
        pictures: The names of all uploaded images; empty for a viewer who is no game master.
    """

    version: str
    background: Background | None = None
    portraits: dict[Id, str] = {}
    pictures: tuple[str, ...] = ()


class SceneChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to change a fight's scene: the image behind its map, and the portraits."""

    version: Version = ""
    background: Background | None = None
    portraits: Annotated[dict[Identifier, str], Meta(max_length=1000)] = {}


class Uploaded(Struct, frozen=True):
    """A stored image: its name, its media type, and its size in pixels."""

    name: str
    media: str
    width: int
    height: int
