"""What a rule system notes for itself about somebody or something: each kind is declared once, with its type."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from affray.events import Clause, Id, MarkSet

from .naming import JOINED, listed_in
from .table import Table

V = TypeVar("V", bound=bool | int | str)


class Mark(Generic[V]):
    """A kind of note.

    Args:
        key: Its name in the log. Where there is one for each of several things, such as every clause that the game
            master may waive, what it is about follows behind ``/``.
        default: What stands for it where nothing is noted; its type is the type of all such notes.
        until: When it stops to matter, for people.
    """

    __slots__ = ("default", "key", "type", "until")

    def __init__(self, key: str, default: V, until: str = "") -> None:
        self.key, self.default, self.until = key, default, until
        self.type: type[V] = type(default)

    def of(self, table: Table, owner: Id, about: str = "") -> V:
        """Return the value noted about a combatant or thing; true counts as 1 where a number is meant.

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
        if self.type is int and type(value) is bool:  # as rules of old noted some
            return self.type(value)
        raise TypeError(f"{self.name(about)} of {owner} is no {self.type.__name__}")

    def is_on(self, table: Table, owner: Id, about: str = "") -> bool:
        """Tell whether anything is noted about somebody."""
        return (f"{self.key}/{about}" if about else self.key) in table.draft.marks.get(owner, ())

    def noted(self, owner: Id, value: V, *rules: Clause, about: str = "") -> MarkSet:
        """Note something about somebody."""
        return MarkSet(owner=owner, key=self.name(about), value=value, until=self.until, rules=rules)

    def struck(self, owner: Id, *rules: Clause, about: str = "") -> MarkSet:
        """Strike the note out."""
        return MarkSet(owner=owner, key=self.name(about), value=None, rules=rules)

    def name(self, about: str = "") -> str:
        """Return the key under which it stands in the log."""
        return f"{self.key}/{about}" if about else self.key

    def held(self, table: Table, owner: Id) -> Iterator[tuple[str, V]]:
        """Yield what such notes about somebody are about, with their values."""
        for key in table.draft.marks.get(owner, ()):
            name, _, about = key.partition("/")
            if name == self.key:
                yield about, self.of(table, owner, about)


class ListMark(Mark[str]):
    """A kind of note that lists combatants, in order.

    A rule system declares it as ``combatants``: concealed combatants in it are sealed, the others are open.
    """

    __slots__ = ()

    def __init__(self, key: str, until: str = "") -> None:
        super().__init__(key, "", until)

    def list_ids(self, table: Table, owner: Id) -> tuple[Id, ...]:
        """Return the combatants that are listed."""
        return listed_in(self.of(table, owner))

    def note_list(self, owner: Id, who: Iterable[Id], *rules: Clause) -> MarkSet:
        """List these combatants, and no others."""
        return self.noted(owner, JOINED.join(who), *rules)

    def note_rest(self, owner: Id, who: Iterable[Id], *rules: Clause) -> MarkSet:
        """List these combatants; strike the note out if there is none."""
        left = tuple(who)
        return self.note_list(owner, left, *rules) if left else self.struck(owner, *rules)
