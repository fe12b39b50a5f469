"""The tables of a rule system, as people and programs ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.engine.core.library import Shelf, rows
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.tools.api.schemas.library import LibraryLine, LibraryTable
from affray.tools.parse.faults import known_instead


def tables_of(ruleset: Ruleset, kind: str = "", search: str = "") -> list[LibraryTable]:
    """Return the tables of a rule system.

    Args:
        kind: The one table to return; all if empty.
        search: Words that a row must all contain, in any of its fields.

    Raises:
        Unusable: the system has no such table.
    """
    shelves = [one for one in ruleset.encounters.library if kind in ("", one.key)]
    if kind and not shelves:
        known = [one.key for one in ruleset.encounters.library]
        raise Unusable(f"{ruleset.title} has no table {kind}{known_instead(kind, known)}", "kind")
    found = [_table(one, [word.casefold() for word in search.split()]) for one in shelves]
    return [one for one in found if one.lines or not search]


def _table(shelf: Shelf, words: list[str]) -> LibraryTable:
    lines = [LibraryLine(key, values) for key, values in rows(shelf).items() if _holds(key, values, words)]
    return LibraryTable(shelf.key, shelf.title, shelf.fields, shelf.own, shelf.suffix, lines)


def _holds(key: str, values: Mapping[str, Any], words: list[str]) -> bool:
    """Tell whether a line holds every one of some words: in its key, a field's value, or the name of a flag it has."""
    flags = (name for name, value in values.items() if value is True)
    text = " ".join((key, *map(cell_text, values.values()), *flags)).casefold()
    return all(word in text for word in words)


def cell_text(value: Any) -> str:
    """Return a value of a table as people read it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{name} {cell_text(one)}" for name, one in value.items())
        case list() | tuple():
            return ("; " if any(isinstance(one, Mapping) for one in value) else ", ").join(map(cell_text, value))
        case _:
            return str(value)
