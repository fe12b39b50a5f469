"""What tells of nothing but that time passes."""

from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.marks import INITIATIVE, ROLLED, SIDE_DUE
from affray.events import Event, MarkSet, Rolled, topic_of

NOTES = frozenset({INITIATIVE.key, ROLLED.key, SIDE_DUE.key})
"""Notes of who rolls, and whose turn it is."""


def is_passing(table: Table, event: Event) -> bool:
    """Tell whether an event is an initiative roll, or notes whose turn it is."""
    if isinstance(event, Rolled):
        return topic_of(event.purpose) == "initiative"
    return isinstance(event, MarkSet) and event.key in NOTES
