"""The library that encounters draw on, and the layout of an encounter's fields."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct


class Shelf(Struct, frozen=True, kw_only=True):
    """A table of a rule system's library.

    Attributes:
        key: Its name, such as ``weapons``.
        title: Its title for people.
        lines: Returns its lines by the key under which an encounter names them.
        fields: The fields of an encounter that name them: ``combatant[].weapons[]`` for a list,
            ``combatant[].skills{}`` for the keys of a table. It is empty where a line only helps to fill in a sheet.
        own: The table of an encounter file for lines of the user's own, such as ``weapon``; empty where there is none.
        but: Keys of lines that an encounter cannot name, such as bare hands, which every combatant has.
        suffix: A suffix that a key may have, such as ``+1``; it is documented, not checked.
    """

    key: str
    title: str
    lines: Callable[[], Mapping[str, Any]]
    fields: tuple[str, ...] = ()
    own: str = ""
    suffix: str = ""
    but: tuple[str, ...] = ()


class Section(Struct, frozen=True):
    """Fields that are shown together.

    Attributes:
        title: Their heading.
        fields: Their names, in order.
        more: Whether they are rarely changed, and so shown only on request.
    """

    title: str
    fields: tuple[str, ...]
    more: bool = False


class Layout(Struct, frozen=True, kw_only=True):
    """The layout of an encounter's form; fields without a section are shown last.

    Fields that every encounter has, such as its options, need no section.

    Attributes:
        sides: The default names of the sides.
        facts: The few fields of a combatant that are shown first.
        sheet: The fields of a ``[[combatant]]``.
        parts: The parts of the whole file.
        titles: Titles of fields of a ``[[combatant]]``, where neither the vocabulary nor their name gives them.
        places: The fields that name places: ``combatant[].at``, ``board.blocked``.
        ground: The fields in ``places`` that list places by trait: ``board.blocked``.
        zones: The part that describes zones, each with its name and exits; empty where places are cells.
        people: The fields that name combatants: ``distance[].between``.
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
    """Return the lines of a table as plain values, without empty or default fields."""
    empty: tuple[object, ...] = (None, "", [], {})
    lines = {str(key): _plain(line) for key, line in shelf.lines().items() if key not in shelf.but}
    return {key: {name: value for name, value in line.items() if value not in empty} for key, line in lines.items()}


def _plain(value: Any) -> Any:
    """Return a value as plain data, each struct in it without its default fields."""
    match value:
        case Struct():
            given = {one.encode_name: (getattr(value, one.name), one) for one in msgspec.structs.fields(value)}
            return {name: _plain(said) for name, (said, one) in given.items() if said != _usual(one)}
        case Mapping():
            return {name: _plain(one) for name, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case _:
            return msgspec.to_builtins(value)


def _usual(field: msgspec.structs.FieldInfo) -> Any:
    """Return the default of a field."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
