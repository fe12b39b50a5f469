"""Events that show only that time passes."""

from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.marks import INITIATIVE, ROLLED, SIDE_DUE
from affray.events import Event, MarkSet, Rolled, topic_of

NOTES = frozenset({INITIATIVE.key, ROLLED.key, SIDE_DUE.key})
"""Notes on the initiative roll and the order of turns."""


def is_passing(table: Table, event: Event) -> bool:
    """Tell whether an event is an initiative roll, or a note on the order of turns."""
    if isinstance(event, Rolled):
        return topic_of(event.purpose) == "initiative"
    return isinstance(event, MarkSet) and event.key in NOTES
