"""How much an audit does for a log of some size, so that no log can keep it busy without end."""

from __future__ import annotations

FREE = 200_000
"""How many events may be folded or decided again, whatever the size of the log."""

A_LINE = 50
"""How many more for each line. Of every log that was honestly recorded the audit needs fewer than two."""


class Exhausted(Exception):
    """The record goes back so often, and so far, that to follow it would take too long."""


class Effort:
    """Counts what going back in a record costs: events that are folded, or inputs decided, a second time."""

    def __init__(self) -> None:
        self._left = FREE

    def allow_line(self) -> None:
        """Allow for one more line."""
        self._left += A_LINE

    def spend(self, events: int) -> None:
        """Count some events.

        Raises:
            Exhausted: they are too many.
        """
        self._left -= events
        if self._left < 0:
            raise Exhausted
