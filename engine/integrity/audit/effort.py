"""The limit on the work of an audit, by the size of the log."""

from collections.abc import Mapping, Sized

from affray.engine.core.state import State

FREE = 200_000
"""The work that may be repeated, and the data kept for it at once, for a log of any size."""

A_LINE = 100
"""Further work and data for each line; a fight of a thousand, taken back at every fifth line, needs less."""

CHEAP = 50
"""The number of combatants, things and rolls that are copied in less time than deciding one event."""


class Exhausted(Exception):
    """The record goes back so often, and so far, that following it takes too long."""


class Effort:
    """Counts the work of going back, and limits it.

    Work is events to fold or decide again. Data is combatants, things and rolls kept until then.
    """

    def __init__(self) -> None:
        self._left = self._room = FREE

    def allow_line(self) -> None:
        """Add the allowance for one more line."""
        self._left += A_LINE
        self._room += A_LINE

    def spend(self, much: int) -> None:
        """Count work.

        Raises:
            Exhausted: it exceeds the allowance.
        """
        self._left -= much
        if self._left < 0:
            raise Exhausted

    def keep(self, much: int) -> None:
        """Count data that is kept until the record goes back there for the last time.

        Raises:
            Exhausted: it exceeds the allowance.
        """
        self._room -= much
        if self._room < 0:
            raise Exhausted
        self.copy(much)

    def copy(self, much: int) -> None:
        """Count the work of saving or restoring data.

        Raises:
            Exhausted: it exceeds the allowance.
        """
        self.spend(much // CHEAP)

    def drop(self, much: int) -> None:
        """Release data that was kept."""
        self._room += much


def size_of(state: State) -> int:
    """Return the size of a state: the entries of all its tables, and within them.

    Only the parts count that it may not share with an earlier state.
    """
    tables = [table for name in state.__struct_fields__ if isinstance(table := getattr(state, name), Mapping)]
    inner: list[Sized] = [
        *(*state.distances.values(), *state.views.values()),
        *(by for held in (*state.marks.values(), *state.mark_parts.values()) for by in held.values()),
        *state.veiled.values(),
        state.slots,
        state.acting,
        state.stack,
    ]
    inner += (item.counters for item in state.items.values())
    for one in state.combatants.values():
        inner += (one.stats, one.pools, one.conditions, *one.conditions.values())
    return sum(map(len, tables)) + sum(map(len, inner))
