"""Saying no: the clause that refuses is the code, and the game master may waive a refusal for a turn."""

from __future__ import annotations

from typing import TypeVar

from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Id

ALLOWED = "allowed/"
"""Begins the key of a mark that waives a refusal; the clause follows."""

FORBIDDEN = "forbidden/"
"""Begins the key of a mark that forbids a kind of action; it holds the round."""


T = TypeVar("T")


def no(code: Clause, message: str, source: Id = "") -> Refused:
    """Return the refusal by a clause."""
    return Refused(code, code, message, source=source)


def unless_allowed(code: Clause, table: Table, who: Id, message: str, source: Id = "") -> None:
    """Refuse by a clause, unless the game master allowed it."""
    if table.mark(who, ALLOWED + code) is None:
        raise no(code, message, source or who)


def not_forbidden(table: Table, who: Id, kind: str, rule: Clause) -> None:
    """Refuse what the game master vetoed for this round."""
    if who in table.draft.marks and table.mark(who, FORBIDDEN + kind) == table.draft.round:
        raise no(rule, f"the game master does not let {who} {kind} this round", who)


def if_there(rule: Rule[T]) -> Rule[T | None]:
    """Follow a rule as long as what it rests on is there; come to nothing where that is gone."""
    try:
        return (yield from rule)
    except Refused:
        return None


def permissions_over(table: Table, who: Id) -> Rule[None]:
    """Strike out what the game master allowed, at the end of a turn."""
    for key in [key for key in table.draft.marks.get(who, ()) if key.startswith(ALLOWED)]:
        yield marked(who, key, None)
