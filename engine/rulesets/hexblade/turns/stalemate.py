"""The stalemate test: events that only mark the passing of time."""

from affray.engine.kit.turn_order import is_turn_bookkeeping
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.marks import BEATEN, INITIATIVE
from affray.engine.rulesets.hexblade.sheet import SECONDS, has_timed_state
from affray.events import ClockSet, Event

NOTES = frozenset({BEATEN.key, INITIATIVE.key})
"""The keys of marks about initiative rolls."""


def is_passing(table: Table, event: Event) -> bool:
    """Return whether an event is an initiative roll, or the time of an uneventful round."""
    if isinstance(event, ClockSet):
        return event.clock == SECONDS and not has_timed_state(table)
    return is_turn_bookkeeping(event, NOTES)
