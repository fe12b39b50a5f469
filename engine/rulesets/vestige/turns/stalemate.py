"""The stalemate test: events that only mark the passing of time."""

from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import ACTED, CUT_SHORT, DONE, LATE
from affray.events import Event, MarkSet, Rolled, topic_of

NOTES = frozenset({ACTED.key, CUT_SHORT.key, DONE.key, LATE.key})
"""The keys of marks that matter only in their round."""


def is_passing(table: Table, event: Event) -> bool:
    """Return whether an event is an initiative roll, or a note of a turn."""
    if isinstance(event, Rolled):
        return topic_of(event.purpose) == "initiative"
    return isinstance(event, MarkSet) and event.key in NOTES
