"""From events to a state."""

from __future__ import annotations

from collections.abc import Iterable

from affray.engine.draft import Draft
from affray.engine.state import State
from affray.events import Event, Recorded

from .registry import HANDLERS


def evolve(draft: Draft, event: Event) -> None:
    """Apply one fact to the draft."""
    HANDLERS[type(event)](draft, event)


def fold(recorded: Iterable[Recorded], onto: State | None = None) -> State:
    """Return the state after these events, which must be effective ones in order.

    Args:
        recorded: What happened; a log with taken-back lanes goes through ``History.effective`` first.
        onto: The state before them; the empty state if not given.
    """
    draft = Draft(onto or State())
    handlers = HANDLERS
    for one in recorded:
        event = one.event
        handlers[type(event)](draft, event)
    return draft.freeze()
