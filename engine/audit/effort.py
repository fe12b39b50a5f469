"""How much an audit does for a log of some size, so that no log can keep it busy without end."""

from __future__ import annotations

FREE = 200_000
"""How much may be done a second time, or kept for that, whatever the size of the log."""

A_LINE = 100
"""How much more for each line; a fight of a hundred people that is taken back at every tenth line needs less."""


class Exhausted(Exception):
    """The record goes back so often, and so far, that to follow it would take too long."""


class Effort:
    """Counts what going back costs: events to fold or decide again, and combatants, things and rolls to keep."""

    def __init__(self) -> None:
        self._left = FREE

    def allow_line(self) -> None:
        """Allow for one more line."""
        self._left += A_LINE

    def spend(self, much: int) -> None:
        """Count some of them.

        Raises:
            Exhausted: they are too many.
        """
        self._left -= much
        if self._left < 0:
            raise Exhausted
