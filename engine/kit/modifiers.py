"""Modifiers that a game master adds to a pending action or a next roll."""

import re

from affray.engine.core.changes import set_mark
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id, MarkSet, Modifier

GRANTED = "modifier"
"""The key of the marks that hold modifiers. Each is about its label, and from the second modifier on a number."""

_NTH = re.compile(r"#\d+$")


def grant_modifier(
    table: Table, owner: Id, label: str, value: int, *rules: Clause, until: str = "that roll"
) -> MarkSet:
    """Return the mark that adds a modifier to an action or a combatant.

    Earlier modifiers stay, even under the same label.
    """
    held = table.draft.marks.get(owner, {}).get(GRANTED, ())
    about, nth = label, 1
    while about in held:
        nth += 1
        about = f"{label}#{nth}"
    return set_mark(owner, GRANTED, value, *rules, about=about, until=until)


def list_granted(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return the modifiers for the roll that a combatant is about to make.

    These are the combatant's own, and those of the pending action.

    Args:
        rule: The clause that each modifier cites.
    """
    return tuple([_make_modifier(*mark, rule) for mark in _list_marks(table, *_list_owners(table, who))])


def list_granted_to(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return the modifiers for a combatant's own next roll, without the action's."""
    return tuple([_make_modifier(*mark, rule) for mark in _list_marks(table, who)])


def use_up_granted(table: Table, who: Id) -> Rule[None]:
    """Remove the modifiers that ``list_granted`` returned, after the roll."""
    for owner, about, _ in _list_marks(table, *_list_owners(table, who)):
        yield set_mark(owner, GRANTED, None, about=about)


def _list_owners(table: Table, who: Id) -> tuple[Id, ...]:
    stack = table.draft.stack
    return (who, stack[-1].id) if stack else (who,)


def _list_marks(table: Table, *owners: Id) -> list[tuple[Id, str, int]]:
    marks = table.draft.marks
    return [
        (owner, about, int(value))  # a forged log may hold a boolean, which must be written as a number
        for owner in owners
        if owner in marks
        for about, value in marks[owner].get(GRANTED, {}).items()
        if isinstance(value, int)
    ]


def _make_modifier(owner: Id, about: str, value: int, rule: Clause) -> Modifier:
    return Modifier(value=value, label=_NTH.sub("", about), source=f"{owner}/{GRANTED}/{about}", rule=rule)
