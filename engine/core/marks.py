"""Marks: values that a rule system stores about a subject, declared with a type and with what they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from affray.events import Clause, Id, MarkSet
from affray.events import names as kinds_of_fields

if TYPE_CHECKING:
    from .table import Table

V = TypeVar("V", bound=bool | int | str | tuple[str, ...])
S = TypeVar("S", bound=Struct)

WORDS = "words"
"""What the value of a mark names that holds words of a person."""


class _MarkKind:
    """The common part of the kinds of marks; its arguments are as in ``Mark``."""

    __slots__ = ("about", "asks", "key", "topic", "until")

    def __init__(self, key: str, until: str, about: str, asks: str, topic: str = "") -> None:
        self.key, self.until, self.about, self.asks, self.topic = key, until, about, asks, topic

    def is_on(self, table: Table, owner: Id, about: str = "") -> bool:
        """Tell whether a subject has the mark."""
        raise NotImplementedError

    def clear_on(self, owner: Id, *rules: Clause, about: str = "") -> MarkSet:
        """Build the event that removes a subject's mark."""
        return MarkSet(owner=owner, key=self.key, about=about or self.topic, value=None, rules=rules)

    def end_on(self, table: Table, owner: Id, *rules: Clause, about: str = "") -> Iterator[MarkSet]:
        """Yield the event that removes a subject's mark, if it has it."""
        if self.is_on(table, owner, about):
            yield self.clear_on(owner, *rules, about=about)


class Mark(_MarkKind, Generic[V]):
    """A kind of mark.

    Args:
        key: Its name in the log. A subject can have several of the kind, one for each topic, such as a waived clause.
        default: The value if there is no mark; its type is the type of all such marks.
        until: The moment when it stops to matter, as a text for people.
        names: The kind of thing that the value names, as in ``affray.events.refs``; nothing if empty.
        about: The kind of thing that the topic names, likewise.
        asks: The topic of the question that such a mark leads to. The subject of the question is that of the mark.
        topic: The one topic that marks of this kind have, where other kinds have the same key.
    """

    __slots__ = ("default", "names", "type")

    def __init__(
        self,
        key: str,
        default: V,
        until: str = "",
        *,
        names: str = "",
        about: str = "",
        asks: str = "",
        topic: str = "",
    ) -> None:
        super().__init__(key, until, about, asks, topic)
        self.default, self.names = default, names
        self.type: type[V] = type(default)

    @property
    def lists(self) -> bool:
        """Tell whether the mark lists combatants."""
        return self.type is tuple and self.names == "combatant"

    def of(self, table: Table, owner: Id, about: str = "") -> V:
        """Return the value of a subject's mark; true counts as 1 for numbers.

        Raises:
            TypeError: the log holds a value of another type.
        """
        held = table.draft.marks.get(owner)
        by_topic = held.get(self.key) if held else None
        if by_topic is None:
            return self.default
        value = by_topic.get(about or self.topic, self.default)
        if type(value) is self.type:
            return value
        if self.type is int and type(value) is bool:  # earlier rules recorded some numbers as booleans
            return self.type(value)  # type: ignore[arg-type]
        raise TypeError(f"{self.key} of {owner} is no {self.type.__name__}")

    def is_on(self, table: Table, owner: Id, about: str = "") -> bool:
        """Tell whether a subject has the mark."""
        held = table.draft.marks.get(owner)
        return held is not None and (about or self.topic) in held.get(self.key, ())

    def set_on(self, owner: Id, value: V, *rules: Clause, about: str = "") -> MarkSet:
        """Build the event that sets a subject's mark."""
        about = about or self.topic
        return MarkSet(owner=owner, key=self.key, about=about, value=value, until=self.until, rules=rules)

    def list_on(self, table: Table, owner: Id) -> Iterator[tuple[str, V]]:
        """Yield the topics of a subject's marks of this kind, with their values."""
        for about in tuple(table.draft.marks.get(owner, {}).get(self.key, ())):
            yield about, self.of(table, owner, about)


class ListMark(Mark[tuple[str, ...]]):
    """A kind of mark that lists combatants, in order: concealed ones in it are sealed, the others are open."""

    __slots__ = ()

    def __init__(self, key: str, until: str = "") -> None:
        super().__init__(key, (), until, names="combatant")

    def note_list(self, owner: Id, who: Iterable[Id], *rules: Clause) -> MarkSet:
        """Build the event that lists these combatants, and no others."""
        return self.set_on(owner, tuple(who), *rules)

    def note_rest(self, owner: Id, who: Iterable[Id], *rules: Clause) -> MarkSet:
        """Build the event that lists these combatants; with none, the mark is removed."""
        left = tuple(who)
        return self.set_on(owner, left, *rules) if left else self.clear_on(owner, *rules)


class StructMark(_MarkKind, Generic[S]):
    """A kind of mark that is a struct. What it names stands in the types of its fields.

    Args:
        key, until, about, asks: As in ``Mark``.
        form: The struct.
        names: ``WORDS`` for a struct whose texts a person wrote, such as a weapon of an encounter file.
    """

    __slots__ = ("form", "names")

    lists = False

    def __init__(
        self, key: str, form: type[S], until: str = "", *, names: str = "", about: str = "", asks: str = ""
    ) -> None:
        super().__init__(key, until, about, asks)
        self.form, self.names = form, names

    def of(self, table: Table, owner: Id, about: str = "") -> S | None:
        """Return the struct of a subject's mark; ``None`` if there is none."""
        held = table.draft.mark_parts.get(owner)
        parts = held.get(self.key, {}).get(about) if held else None
        return None if parts is None else self.decode(parts)

    def decode(self, parts: Mapping[str, Any]) -> S:
        """Return the struct that a mark stored.

        Raises:
            TypeError: the log holds other parts.
        """
        try:
            return msgspec.convert(parts, self.form)
        except msgspec.ValidationError as error:
            raise TypeError(f"{self.key}: {error}") from None

    @property
    def kinds(self) -> Mapping[str, str]:
        """The kind of thing that each field of the struct names, by field."""
        return kinds_of_fields(self.form)

    def list_fields(self, kind: str) -> tuple[str, ...]:
        """List the fields of the struct that name a kind of thing."""
        return tuple([field for field, named in self.kinds.items() if named == kind])

    def is_on(self, table: Table, owner: Id, about: str = "") -> bool:
        """Tell whether a subject has the mark."""
        return about in table.draft.mark_parts.get(owner, {}).get(self.key, ())

    def set_on(self, owner: Id, value: S, *rules: Clause, about: str = "") -> MarkSet:
        """Build the event that sets a subject's mark."""
        parts = msgspec.to_builtins(value)
        return MarkSet(owner=owner, key=self.key, about=about, value=None, parts=parts, until=self.until, rules=rules)

    def list_on(self, table: Table, owner: Id) -> Iterator[tuple[str, S]]:
        """Yield the topics of a subject's marks of this kind, with their structs."""
        for about, parts in tuple(table.draft.mark_parts.get(owner, {}).get(self.key, {}).items()):
            yield about, self.decode(parts)


AnyMark = Mark[Any] | StructMark[Any]

Marks = Mapping[tuple[str, str], AnyMark]
"""The kinds of marks of a rule system, by their keys and topics; the topic is empty if it varies."""


def collect_marks(*modules: ModuleType) -> Marks:
    """Return the kinds of marks that these modules declare, by their keys and topics."""
    found = [one for module in modules for one in vars(module).values()]
    return index_marks(one for one in found if isinstance(one, Mark | StructMark))


def index_marks(marks: Iterable[AnyMark]) -> Marks:
    """Return kinds of marks by their keys and topics."""
    return {(one.key, one.topic): one for one in marks}


NO_MARKS: Marks = {}
"""The marks of a fight without a rule system."""


def holds_words(marks: Marks, key: str, about: str, parts: Mapping[str, object]) -> bool:
    """Tell whether a mark, or a field of its struct, is free text."""
    known = find_mark(marks, key, about)
    if isinstance(known, StructMark) and any(parts.get(field) for field in known.list_fields(WORDS)):
        return True
    return known is not None and known.names == WORDS


def is_list(marks: Marks, key: str) -> bool:
    """Tell whether marks of a key list combatants."""
    known = find_mark(marks, key, "")
    return known is not None and known.lists


def find_mark(marks: Marks, key: str, about: str) -> AnyMark | None:
    """Return the kind of a mark in the log; ``None`` for one that is not declared."""
    return marks.get((key, about)) or marks.get((key, ""))
