"""Events that show only that time passes."""

from affray.engine.kit.turn_order import is_turn_bookkeeping
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.marks import INITIATIVE, ROLLED, SIDE_DUE
from affray.events import Event

NOTES = frozenset({INITIATIVE.key, ROLLED.key, SIDE_DUE.key})
"""Notes on the initiative roll and the order of turns."""


def is_passing(table: Table, event: Event) -> bool:
    """Tell whether an event is an initiative roll, or a note on the order of turns."""
    return is_turn_bookkeeping(event, NOTES)
