"""The tables of a rule system, its shipped encounters, and the combatants of an encounter."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Person(Struct, frozen=True):
    """A combatant that an encounter would bring into a fight.

    Attributes:
        id, name: As they would be there.
        entry: Which ``[[combatant]]`` brings them in, counted from 0.
    """

    id: str
    name: str
    entry: int


class LibraryLine(Struct, frozen=True):
    """A line of a table.

    Attributes:
        key: Under which an encounter names it.
        values: What it says, by field; what it leaves out is as usual.
    """

    key: str
    values: dict[str, Any]


class LibraryTable(Struct, frozen=True):
    """A table of a rule system.

    Attributes:
        kind: Its name, such as ``weapons``.
        title: What people call it.
        fields: Where an encounter names its lines: ``combatant[].weapons[]`` in a list, ``combatant[].skills{}`` as
            keys.
        own: The table of an encounter file that may hold more of them.
        suffix: What may follow a key.
        lines: Its lines.
    """

    kind: str
    title: str
    fields: tuple[str, ...]
    own: str
    suffix: str
    lines: list[LibraryLine]


class Shipped(Struct, frozen=True):
    """An encounter that comes with the program.

    Attributes:
        system, name: The folder and the file that it lies in.
        title: What it calls itself.
        rules: What people call its rule system.
        says: What it is about: the first sentence of the comment at the top of its file.
        sides: How many fight on each side.
    """

    system: str
    name: str
    title: str
    rules: str
    says: str
    sides: dict[str, int]
