"""Limit the work of an audit by the size of the log."""

from collections.abc import Mapping, Sized

from affray.engine.core.state import State

FREE = 200_000
"""How much may be done a second time, and how much be kept for that at once, whatever the size of the log."""

A_LINE = 100
"""How much more for each line; a fight of a thousand people that is taken back at every fifth line needs less."""

CHEAP = 50
"""So many combatants, things and rolls are kept in less time than one event is decided in."""


class Exhausted(Exception):
    """The record goes back so often, and so far, that to follow it would take too long."""


class Effort:
    """Counts what going back costs: events to fold or decide again; combatants, things and rolls kept until then."""

    def __init__(self) -> None:
        self._left = self._room = FREE

    def allow_line(self) -> None:
        """Allow for one more line."""
        self._left += A_LINE
        self._room += A_LINE

    def spend(self, much: int) -> None:
        """Count some of them.

        Raises:
            Exhausted: they are too many.
        """
        self._left -= much
        if self._left < 0:
            raise Exhausted

    def keep(self, much: int) -> None:
        """Count what is kept until the record goes back there for the last time.

        Raises:
            Exhausted: it is too much.
        """
        self._room -= much
        if self._room < 0:
            raise Exhausted
        self.copy(much)

    def copy(self, much: int) -> None:
        """Count the time it takes to put something aside, or to take it up again.

        Raises:
            Exhausted: it is too much.
        """
        self.spend(much // CHEAP)

    def drop(self, much: int) -> None:
        """Count no longer what was kept."""
        self._room += much


def size_of(state: State) -> int:
    """Return how much a state holds that it may not share with the one before: entries of all tables, and in them."""
    tables = [table for name in state.__struct_fields__ if isinstance(table := getattr(state, name), Mapping)]
    inner: list[Sized] = [*state.marks.values(), *state.veiled.values(), state.slots, state.acting, state.stack]
    inner += (item.counters for item in state.items.values())
    for one in state.combatants.values():
        inner += (one.stats, one.pools, one.conditions, *one.conditions.values())
    return sum(map(len, tables)) + sum(map(len, inner))
