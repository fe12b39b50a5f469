"""Modifiers that a game master grants to a pending action or to somebody's next roll."""

import re
from collections.abc import Iterator

from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id, MarkSet, Modifier

PREFIX = "modifier/"
"""The prefix of the marks that hold such numbers; the label follows, with a count from the second one on."""

_NTH = re.compile(r"#\d+$")


def grant(table: Table, owner: Id, label: str, value: int, *rules: Clause, until: str = "that roll") -> MarkSet:
    """Grant a number to an action or to somebody, in addition to earlier ones, also under the same label."""
    held = table.draft.marks.get(owner, {})
    key, nth = PREFIX + label, 1
    while key in held:
        nth += 1
        key = f"{PREFIX}{label}#{nth}"
    return marked(owner, key, value, *rules, until=until)


def granted(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return what was granted to the roll that ``who`` is about to make, under the clause that lets it count."""
    return tuple([_modifier(*mark, rule) for mark in _marks(table, who)])


def granted_to(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return what was granted to a combatant's own next roll; not what was granted to an action under way."""
    return tuple([_modifier(*mark, rule) for mark in _marks_on(table, who)])


def used_up(table: Table, who: Id) -> Rule[None]:
    """Remove what ``granted`` returned, once it has counted."""
    for owner, key, _ in list(_marks(table, who)):
        yield marked(owner, key, None)


def _marks(table: Table, who: Id) -> Iterator[tuple[Id, str, int]]:
    pending = table.pending()
    yield from _marks_on(table, who)
    if pending:
        yield from _marks_on(table, pending.id)


def _marks_on(table: Table, owner: Id) -> Iterator[tuple[Id, str, int]]:
    for key, value in table.draft.marks.get(owner, {}).items():
        if key.startswith(PREFIX) and isinstance(value, int):
            yield owner, key, int(value)  # a truth, as a forged log may have it, is written as a number


def _modifier(owner: Id, key: str, value: int, rule: Clause) -> Modifier:
    return Modifier(value=value, label=_NTH.sub("", key.removeprefix(PREFIX)), source=f"{owner}/{key}", rule=rule)
