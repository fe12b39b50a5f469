"""Readers of what fields name: what they find, and how readers of parts make one of the whole."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple

from affray.engine.core.naming import NAMING, Naming
from affray.engine.core.ruleset import Ruleset
from affray.events import Id


class Scope(NamedTuple):
    """The hidden part of a fight, by id.

    Attributes:
        people: Who is concealed, or has counters that are.
        things: What they have, and whose each is.
        groups: By kind and id the relations, slots, sides and purposes that would not be there without concealed ones,
            and these.
        slots: The slots with a member that is not concealed.
        sides: The sides with such a member.
        rules: The rule system, which says what parameters, answers and marks name.
    """

    people: Container[Id]
    things: Mapping[Id, Id]
    groups: Mapping[str, Mapping[Id, tuple[Id, ...]]]
    slots: Container[Id]
    sides: Container[Id]
    rules: Ruleset | None

    @property
    def naming(self) -> Naming:
        """The rule system's declaration of the names in its own texts."""
        return NAMING if self.rules is None else self.rules.naming


class Found(NamedTuple):
    """The result of reading.

    Attributes:
        who: Of the hidden those whom it is about.
        words: The words of the rules in it: counters, stats, what rolls are for.
    """

    who: set[Id]
    words: set[str]


Reader = Callable[[Any, Scope, Found], None]


def each(reader: Reader | None) -> Reader | None:
    """Return a reader of every value of a row."""
    if reader is None:
        return None

    def every(values: Any, scope: Scope, found: Found) -> None:
        for one in values:
            reader(one, scope, found)

    return every


def entries(of_key: Reader | None, of_value: Reader | None) -> Reader | None:
    """Return a reader of every key and value of a table."""
    if of_key is None and of_value is None:
        return None

    def every(table: Mapping[Any, Any], scope: Scope, found: Found) -> None:
        for key, value in table.items():
            if of_key is not None:
                of_key(key, scope, found)
            if of_value is not None:
                of_value(value, scope, found)

    return every


def either(forms: list[tuple[type[Any], Reader | None]]) -> Reader | None:
    """Return a reader of a value that is of one of several types."""
    readers = [(values, reader) for values, reader in forms if reader is not None]
    if not readers:
        return None

    def either(value: Any, scope: Scope, found: Found) -> None:
        for values, reader in readers:
            if isinstance(value, values):
                reader(value, scope, found)

    return either
