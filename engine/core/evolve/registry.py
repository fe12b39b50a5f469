"""The table of handlers: which function folds which type of event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.engine.core.draft import Draft
from affray.events import Event

Handler = Callable[[Draft, Any], None]

HANDLERS: dict[type[Event], Handler] = {}
"""The handler of each type of event."""


def on(*types: type[Event]) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of these types."""

    def register(handler: Handler) -> Handler:
        for type_ in types:
            HANDLERS[type_] = handler
        return handler

    return register
