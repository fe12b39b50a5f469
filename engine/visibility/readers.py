"""Readers of typed fields: their results, and combinators for composed types."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple

from affray.engine.core.marks import NO_MARKS, Marks
from affray.engine.core.ruleset import Ruleset
from affray.events import Id


class Scope(NamedTuple):
    """The hidden part of a fight, by id.

    Attributes:
        people: The combatants that are concealed or have hidden counters.
        things: Their items, each with its owner.
        groups: The relations, slots, sides and purposes that exist only by concealed combatants, by kind and id, with
            these combatants.
        slots: The slots with a member that is not concealed.
        sides: The sides with such a member.
        rules: The rule system, which declares the names in parameters, answers and marks.
    """

    people: Container[Id]
    things: Mapping[Id, Id]
    groups: Mapping[str, Mapping[Id, tuple[Id, ...]]]
    slots: Container[Id]
    sides: Container[Id]
    rules: Ruleset | None

    @property
    def marks(self) -> Marks:
        """The marks that the rule system declares."""
        return NO_MARKS if self.rules is None else self.rules.marks


class Reading(NamedTuple):
    """The result of reading.

    Attributes:
        who: The hidden combatants that it concerns.
        words: The words of the rules in it: counters, stats, purposes of rolls.
    """

    who: set[Id]
    words: set[str]


Reader = Callable[[Any, Scope, Reading], None]


def read_each(reader: Reader | None) -> Reader | None:
    """Build a reader of every value of a sequence."""
    if reader is None:
        return None

    def every(values: Any, scope: Scope, found: Reading) -> None:
        for one in values:
            reader(one, scope, found)

    return every


def read_entries(of_key: Reader | None, of_value: Reader | None) -> Reader | None:
    """Build a reader of every key and value of a table."""
    if of_key is None and of_value is None:
        return None

    def every(table: Mapping[Any, Any], scope: Scope, found: Reading) -> None:
        for key, value in table.items():
            if of_key is not None:
                of_key(key, scope, found)
            if of_value is not None:
                of_value(value, scope, found)

    return every


def read_either(forms: list[tuple[type[Any], Reader | None]]) -> Reader | None:
    """Build a reader of a value of one of several types."""
    readers = [(values, reader) for values, reader in forms if reader is not None]
    if not readers:
        return None

    def either(value: Any, scope: Scope, found: Reading) -> None:
        for values, reader in readers:
            if isinstance(value, values):
                reader(value, scope, found)

    return either
