"""The sheet of a combatant: its numbers, and the conditions that take it out of action."""

from collections.abc import Callable

from affray.engine.core.table import Table
from affray.events import Clause, Id, Modifier


def stat(table: Table, who: Id, name: str) -> int:
    """Return a number of the sheet; 0 if the sheet lacks it."""
    return table[who].stats.get(name, 0)


def sheet_modifier(who: Id, name: str, value: int, rule: Clause) -> Modifier:
    """Return the modifier that a number of the sheet adds to a roll."""
    return Modifier(value=value, label=name, source=f"{who}.{name}", rule=rule)


def is_pc(table: Table, who: Id) -> bool:
    """Tell whether a combatant is a player character."""
    return "pc" in table[who].traits


def make_absence_check(conditions: frozenset[str]) -> Callable[[Table, Id], bool]:
    """Return a function that tells whether a combatant is there and has none of the conditions.

    The function is asked often, so the conditions are bound to it and no call lies in between.
    """

    def has_none(table: Table, who: Id) -> bool:
        one = table.draft.combatants.get(who)
        return one is not None and (not one.conditions or conditions.isdisjoint(one.conditions))

    return has_none
