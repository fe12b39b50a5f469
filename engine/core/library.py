"""What an encounter is made from: tables whose lines it can name, and how its fields belong together for people."""

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


class Section(Struct, frozen=True):
    """Fields that people look at together.

    Attributes:
        title: What they are called.
        fields: Their names, the first one first.
        more: Whether they are rarely changed, and so shown only when they are asked for.
    """

    title: str
    fields: tuple[str, ...]
    more: bool = False


class Layout(Struct, frozen=True, kw_only=True):
    """How people see an encounter; what no section names is shown behind the others.

    What every encounter has, such as its options, needs no section.

    Attributes:
        sides: What sides are called, to begin with.
        facts: What matters first about a combatant, a few fields.
        sheet: The fields of a ``[[combatant]]``.
        parts: The parts of the whole file.
        titles: What fields of a ``[[combatant]]`` are called, where that is not the vocabulary's word or their name.
        places: Where places are named: ``combatant[].at``, ``board.blocked``.
        ground: Those of them that say what places are like, by its trait: ``board.blocked``.
        zones: The part that describes zones, each with its name and exits; empty where places are cells.
        people: Where combatants are named: ``distance[].between``.
    """

    sides: tuple[str, str] = ("party", "foes")
    facts: tuple[str, ...] = ()
    sheet: tuple[Section, ...] = ()
    parts: tuple[Section, ...] = ()
    titles: Mapping[str, str] = {}
    places: tuple[str, ...] = ("combatant[].at",)
    ground: tuple[str, ...] = ()
    zones: str = ""
    people: tuple[str, ...] = ()


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
