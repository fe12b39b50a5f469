"""What a game master grants for a roll to come: to a pending action, or to somebody's next roll."""

from __future__ import annotations

from collections.abc import Iterator

from affray.events import Clause, Id, Modifier

from .facts import marked
from .rule import Rule
from .table import Table

PREFIX = "modifier/"
"""Begins the key of a mark that holds such a number; the label follows."""


def granted(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return what was granted to the roll that ``who`` is about to make, under the clause that lets it count."""
    return tuple(
        [
            Modifier(value=value, label=key.removeprefix(PREFIX), source=f"{owner}/{key}", rule=rule)
            for owner, key, value in _marks(table, who)
        ]
    )


def used_up(table: Table, who: Id) -> Rule[None]:
    """Strike out what ``granted`` gave, once it has counted."""
    for owner, key, _ in list(_marks(table, who)):
        yield marked(owner, key, None)


def _marks(table: Table, who: Id) -> Iterator[tuple[Id, str, int]]:
    marks = table.draft.marks
    pending = table.pending()
    for owner in (who, pending.id if pending else ""):
        for key, value in marks.get(owner, {}).items():
            if key.startswith(PREFIX) and isinstance(value, int):
                yield owner, key, value
