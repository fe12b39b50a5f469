"""Marks: values that a rule system stores about a subject, declared with a type."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from affray.events import Clause, Id, MarkSet

from .naming import JOINED, listed_in
from .table import Table

V = TypeVar("V", bound=bool | int | str)


class Mark(Generic[V]):
    """A kind of mark.

    Args:
        key: Its name in the log. Where a subject can have several of the kind, such as one for each waived clause, a
            ``/`` and the topic follow.
        default: The value if there is no mark; its type is the type of all such marks.
        until: The moment when it stops to matter, as a text for people.
    """

    __slots__ = ("default", "key", "type", "until")

    def __init__(self, key: str, default: V, until: str = "") -> None:
        self.key, self.default, self.until = key, default, until
        self.type: type[V] = type(default)

    def of(self, table: Table, owner: Id, about: str = "") -> V:
        """Return the value of a subject's mark; true counts as 1 for numbers.

        Raises:
            TypeError: the log holds a value of another type.
        """
        held = table.draft.marks.get(owner)
        if held is None:
            return self.default
        value = held.get(f"{self.key}/{about}" if about else self.key)
        if value is None:
            return self.default
        if type(value) is self.type:
            return value
        if self.type is int and type(value) is bool:  # earlier rules recorded some numbers as booleans
            return self.type(value)
        raise TypeError(f"{self.name(about)} of {owner} is no {self.type.__name__}")

    def is_on(self, table: Table, owner: Id, about: str = "") -> bool:
        """Tell whether a subject has the mark."""
        return (f"{self.key}/{about}" if about else self.key) in table.draft.marks.get(owner, ())

    def set_on(self, owner: Id, value: V, *rules: Clause, about: str = "") -> MarkSet:
        """Build the event that sets a subject's mark."""
        return MarkSet(owner=owner, key=self.name(about), value=value, until=self.until, rules=rules)

    def clear_on(self, owner: Id, *rules: Clause, about: str = "") -> MarkSet:
        """Build the event that removes a subject's mark."""
        return MarkSet(owner=owner, key=self.name(about), value=None, rules=rules)

    def name(self, about: str = "") -> str:
        """Return the mark's key in the log."""
        return f"{self.key}/{about}" if about else self.key

    def list_on(self, table: Table, owner: Id) -> Iterator[tuple[str, V]]:
        """Yield the topics of a subject's marks of this kind, with their values."""
        for key in table.draft.marks.get(owner, ()):
            name, _, about = key.partition("/")
            if name == self.key:
                yield about, self.of(table, owner, about)


class ListMark(Mark[str]):
    """A kind of mark that lists combatants, in order.

    A rule system declares it as ``combatants``: concealed combatants in it are sealed, the others are open.
    """

    __slots__ = ()

    def __init__(self, key: str, until: str = "") -> None:
        super().__init__(key, "", until)

    def list_ids(self, table: Table, owner: Id) -> tuple[Id, ...]:
        """Return the ids of the listed combatants."""
        return listed_in(self.of(table, owner))

    def note_list(self, owner: Id, who: Iterable[Id], *rules: Clause) -> MarkSet:
        """Build the event that lists these combatants, and no others."""
        return self.set_on(owner, JOINED.join(who), *rules)

    def note_rest(self, owner: Id, who: Iterable[Id], *rules: Clause) -> MarkSet:
        """Build the event that lists these combatants; with none, the mark is removed."""
        left = tuple(who)
        return self.note_list(owner, left, *rules) if left else self.clear_on(owner, *rules)
