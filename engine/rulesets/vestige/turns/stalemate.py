"""What tells of nothing but that time passes."""

from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import ACTED, CUT_SHORT, DONE, LATE
from affray.events import Event, MarkSet, Rolled, topic_of

NOTES = frozenset({ACTED.key, CUT_SHORT.key, DONE.key, LATE.key})
"""Notes that matter in their round alone."""


def is_passing(table: Table, event: Event) -> bool:
    """Tell whether an event is an initiative roll, or notes who had a turn."""
    if isinstance(event, Rolled):
        return topic_of(event.purpose) == "initiative"
    return isinstance(event, MarkSet) and event.key in NOTES
