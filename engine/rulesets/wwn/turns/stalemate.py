"""Events that show only that time passes."""

from affray.engine.kit.turn_order import is_turn_bookkeeping
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import TURN
from affray.events import Event


def is_passing(table: Table, event: Event) -> bool:
    """Tell whether an event is an initiative roll, or a note on a mount's turn."""
    return is_turn_bookkeeping(event, (TURN.key,))
