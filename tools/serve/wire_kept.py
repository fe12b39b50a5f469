"""The structs that are sent about what a store keeps beside its fights, and about what encounters are made from."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from affray.tools.library.shelves import LibraryTable
from affray.tools.problems import Problem

from .wire import NAME

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
    """What an encounter of a system can name."""

    system: str
    title: str
    tables: list[LibraryTable]


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter or a party as an object, or as the text of its TOML file."""

    content: dict[str, Any] | None = None
    toml: str | None = None


class Checked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong with an encounter or a party, if anything is, and both forms of it.

    Attributes:
        fault: The first thing that is wrong, with its field and the line of the TOML that was sent.
        content: As an object.
        toml: As the text of a TOML file; what was sent stays as it was.
    """

    ok: bool
    fault: Problem | None = None
    content: dict[str, Any] = {}
    toml: str = ""


class Saving(Written, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter or a party that shall be kept; it may still be unfinished."""

    version: Version = ""


class Saved(Struct, frozen=True, kw_only=True):
    """An encounter or a party that is kept, without what it says.

    Attributes:
        title: What it calls itself.
        system: Its rule system.
        version: Tells it from what it was before.
        changed: When it was last written.
    """

    name: str
    title: str
    system: str
    version: str
    changed: str


class AllSaved(Struct, frozen=True):
    """Everything of a kind that is kept."""

    saved: list[Saved]


class SavedWhole(Saved, frozen=True, kw_only=True, omit_defaults=True):
    """An encounter or a party that is kept, with what it says.

    Attributes:
        fault: What keeps it from being fought, if anything does.
    """

    content: dict[str, Any]
    toml: str
    fault: Problem | None = None


class Copying(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Under which name a copy shall be kept."""

    to: Name


TYPES = (AllSaved, Checked, Copying, Library, Saved, SavedWhole, Saving, Systems, Written)
"""Everything that is sent or received whole."""
