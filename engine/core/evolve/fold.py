"""The fold of events into a state, by the table of handlers."""

from collections.abc import Callable, Iterable
from typing import Any

from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.errors import describe_error
from affray.events import Event, Recorded, Senseless

Handler = Callable[[Draft, Any], None]

HANDLERS: dict[type[Event], Handler] = {}
"""The handler of each type of event."""

_MISFIT = (LookupError, ValueError, OverflowError)
"""The errors that handlers raise for an event about a thing that is not there."""


def on(*types: type[Event]) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of these types."""

    def register(handler: Handler) -> Handler:
        for type_ in types:
            HANDLERS[type_] = handler
        return handler

    return register


def evolve(draft: Draft, event: Event) -> None:
    """Apply one event to the draft."""
    HANDLERS[type(event)](draft, event)


def fold(recorded: Iterable[Recorded], onto: State | None = None) -> State:
    """Compute the state after these events.

    Args:
        recorded: Effective events in order; a log with taken-back lanes goes through ``History.effective`` first.
        onto: The state before them; the empty state by default.

    Raises:
        Senseless: an event does not fit the state that the events before it lead to.
    """
    draft = Draft(onto or State())
    fold_into(draft, recorded)
    return draft.freeze()


def fold_into(draft: Draft, recorded: Iterable[Recorded]) -> None:
    """Apply recorded events to the draft, in order.

    Raises:
        Senseless: an event does not fit; the draft is then as it was before it.
    """
    handlers = HANDLERS
    one = None
    try:
        for one in recorded:
            event = one.event
            handlers[type(event)](draft, event)
    except _MISFIT as error:
        if one is None:
            raise
        raise Senseless(f"{type(one.event).__name__}: {describe_error(error)}", one.position) from None
