"""States of a fight at earlier positions."""

from collections.abc import Sequence

from affray.engine.core.evolve import fold
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.history.timeline import History
from affray.events import Recorded


def state_after(recorded: Sequence[Recorded], position: int) -> State:
    """Return the state as it was when a position was the head of the record.

    Raises:
        Unusable: there is no such position.
    """
    if not 1 <= position <= len(recorded):
        raise Unusable(f"must be from 1 to {len(recorded)}", "at")
    history = History(recorded[:position])
    return fold(history.effective())
