"""What a game master grants for a roll to come: to a pending action, or to somebody's next roll."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id, MarkSet, Modifier

PREFIX = "modifier/"
"""Begins the key of a mark that holds such a number; its label follows, with a count from the second one on."""

_NTH = re.compile(r"#\d+$")


def grant(table: Table, owner: Id, label: str, value: int, *rules: Clause, until: str = "that roll") -> MarkSet:
    """Grant a number to an action or to somebody, beside what was granted already, be it under the same label."""
    held = table.draft.marks.get(owner, {})
    key, nth = PREFIX + label, 1
    while key in held:
        nth += 1
        key = f"{PREFIX}{label}#{nth}"
    return marked(owner, key, value, *rules, until=until)


def granted(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return what was granted to the roll that ``who`` is about to make, under the clause that lets it count."""
    return tuple(
        [
            Modifier(value=value, label=_NTH.sub("", key.removeprefix(PREFIX)), source=f"{owner}/{key}", rule=rule)
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
