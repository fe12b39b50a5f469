"""Events that show only that time passes."""

from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import TURN
from affray.events import Event, MarkSet, Rolled, topic_of


def is_passing(table: Table, event: Event) -> bool:
    """Tell whether an event is an initiative roll, or a note on a mount's turn."""
    if isinstance(event, Rolled):
        return topic_of(event.purpose) == "initiative"
    return isinstance(event, MarkSet) and event.key == TURN.key
