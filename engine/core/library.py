"""The tables of a rule system that an encounter can name lines of: stat blocks, weapons, armour, skills, spells."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct


class Shelf(Struct, frozen=True, kw_only=True):
    """One table of a rule system's library.

    Attributes:
        key: Its name, such as ``weapons``.
        title: What people call it.
        lines: Returns its lines by the key under which an encounter names them.
        fields: Where an encounter names them: ``combatant[].weapons[]`` for a list, ``combatant[].skills{}`` for the
            keys of a table; none where a line only helps to fill in a sheet.
        own: The table of an encounter file that holds lines of its own, such as ``weapon``; empty where there is none.
        but: Keys of lines that an encounter cannot name, such as bare hands, which everybody has.
        suffix: What may follow a key, such as ``+1``; told, not checked.
    """

    key: str
    title: str
    lines: Callable[[], Mapping[str, Any]]
    fields: tuple[str, ...] = ()
    own: str = ""
    suffix: str = ""
    but: tuple[str, ...] = ()


def rows(shelf: Shelf) -> dict[str, dict[str, Any]]:
    """Return the lines of a table as plain values, without what a line leaves out."""
    return {str(key): _plain(line) for key, line in shelf.lines().items() if key not in shelf.but}


def _plain(line: Any) -> dict[str, Any]:
    """Return a line's fields by name, but for those that are as they are where nothing is said of them."""
    if not isinstance(line, Struct):
        return {name: value for name, value in line.items() if value not in (None, "", [], {})}
    usual = {one.encode_name: one.default for one in msgspec.structs.fields(line)}
    usual |= {
        one.encode_name: one.default_factory()
        for one in msgspec.structs.fields(line)
        if one.default_factory is not msgspec.NODEFAULT
    }
    found: dict[str, Any] = msgspec.to_builtins(line)
    return {name: value for name, value in found.items() if value != usual[name]}
