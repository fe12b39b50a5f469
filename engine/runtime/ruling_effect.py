"""The effect of a ruling: whether it changed the state, and whether the rules that follow left that change alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from affray.engine.core.actions import Ruling
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Event

NOTHING = object()
"""Stands for an entry that a table does not have."""


def is_undone(before: Any, ruled: Any, after: Any) -> bool:
    """Tell whether everything that a ruling changed is as before; also where it changed nothing.

    Args:
        before, ruled, after: The same part of the state before the ruling, after it, and after the rules that follow.
    """
    if before is after or before == ruled:
        return True
    parts = before, ruled, after
    if all(isinstance(one, Mapping) for one in parts):
        return all(is_undone(*[one.get(key, NOTHING) for one in parts]) for key in {**before, **ruled})
    if isinstance(before, Struct) and type(before) is type(ruled) is type(after):
        return all(is_undone(*[getattr(one, name) for one in parts]) for name in before.__struct_fields__)
    return bool(before == after)


def refusal_without_effect(
    ruling: Ruling, table: Table, before: State, ruled: State, events: Sequence[Event], own: int
) -> Refused:
    """Return the refusal of a ruling without effect: what is so already, or which clause would undo it.

    What is so already is refused by the clause that the ruling cites.

    Args:
        table: The state as it was before.
        before, ruled: The state before the ruling, and after it.
        events: The events that it led to; the first ``own`` of them are its own.
    """
    line = ruling.instead(table)
    way_out = f"; say: {line}" if line else ""
    source = str(getattr(ruling, "who", ""))
    if before == ruled:
        rule = next((event.rules[0] for event in events[:own] if event.rules), "")
        return Refused("no_change", rule, f"{ruling.already(table)}{way_out}", source=source)
    message = f"the rules would undo it at once{way_out}"
    return Refused("undone", _clause_of_undoing(events[:own], events[own:]), message, source=source)


def _clause_of_undoing(own: Iterable[Event], later: Sequence[Event]) -> Clause:
    """Return the clause of the event that undid a ruling: the last one of a type that the ruling recorded, if any."""
    types = {type(event) for event in own}
    citing = [event for event in later if event.rules]
    undid = [event for event in citing if type(event) in types] or citing
    return undid[-1].rules[0] if undid else ""
