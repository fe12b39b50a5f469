"""The tables of a rule system, its shipped encounters, and the combatants of an encounter."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Person(Struct, frozen=True):
    """A combatant that an encounter would bring into a fight.

    Attributes:
        id, name: The id and the name that the combatant would have in the fight.
        entry: The index of its ``[[combatant]]`` entry, counted from 0.
    """

    id: str
    name: str
    entry: int


class LibraryLine(Struct, frozen=True):
    """A row of a table.

    Attributes:
        key: The key by which an encounter names the row.
        values: The row's values, by field; a missing field has its default.
    """

    key: str
    values: dict[str, Any]


class LibraryTable(Struct, frozen=True):
    """A table of a rule system.

    Attributes:
        kind: The table's name, such as ``weapons``.
        title: The table's title for people.
        fields: The encounter fields that name its rows: ``combatant[].weapons[]`` for a list, ``combatant[].skills{}``
            for keys.
        own: The table of an encounter file that may define more rows.
        suffix: The text that may follow a key.
        lines: The table's rows.
    """

    kind: str
    title: str
    fields: tuple[str, ...]
    own: str
    suffix: str
    lines: list[LibraryLine]


class Shipped(Struct, frozen=True):
    """An encounter that is shipped with the program.

    Attributes:
        system, name: The names of its folder and its file.
        title: The title in its file.
        rules: The title of its rule system.
        says: Its description: the first sentence of the comment at the top of its file.
        sides: The number of combatants on each side.
    """

    system: str
    name: str
    title: str
    rules: str
    says: str
    sides: dict[str, int]
