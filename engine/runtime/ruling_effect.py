"""The check that a ruling changed the state, and that no rule undid the change."""

from collections.abc import Iterable, Sequence

from affray.engine.core.actions import Ruling
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Event


def refusal_without_effect(
    ruling: Ruling, table: Table, events: Sequence[Event], own: int, *, changed: bool
) -> Refused:
    """Return the refusal of a ruling without effect.

    If it changed nothing, the refusal cites the ruling's own clause; else the clause that would undo the change.

    Args:
        table: The state as it was before.
        events: The events that the ruling led to; the first ``own`` of them are its own.
        changed: Whether its own events changed the state.
    """
    example = ruling.instead(table)
    source = str(getattr(ruling, "who", ""))
    if not changed:
        rule = next((event.rules[0] for event in events[:own] if event.rules), "")
        return Refused("no_change", rule, ruling.already(table), source, example=example)
    rule = _clause_of_undoing(events[:own], events[own:])
    return Refused("undone", rule, "the rules would undo it at once", source, example=example)


def _clause_of_undoing(own: Iterable[Event], later: Sequence[Event]) -> Clause:
    """Return the clause of the event that undid a ruling.

    It is the last event of a type that the ruling recorded, or else the last one with a clause.
    """
    types = {type(event) for event in own}
    citing = [event for event in later if event.rules]
    undid = [event for event in citing if type(event) in types] or citing
    return undid[-1].rules[0] if undid else ""
