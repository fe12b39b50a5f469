"""The stalemate test: events that only mark the passing of time."""

from affray.engine.kit.turn_order import is_turn_bookkeeping
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import ACTED, CUT_SHORT, DONE, LATE
from affray.events import Event

NOTES = frozenset({ACTED.key, CUT_SHORT.key, DONE.key, LATE.key})
"""The keys of marks that matter only in their round."""


def is_passing(table: Table, event: Event) -> bool:
    """Return whether an event is an initiative roll, or a note of a turn."""
    return is_turn_bookkeeping(event, NOTES)
