"""Group the events of a fight by cause.

A thread begins with a declaration, a ruling, an interrupt or a phase that the flow runs. It holds the events of that
resolution. Answers, passes and entered dice belong to the thread that waited for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import get_args

from msgspec import Struct

from affray import events as facts
from affray.engine.history.timeline import History, head_left
from affray.events import STARTS, Event, Id, Recorded


class Thread(Struct, eq=False):
    """The events of one resolution.

    Attributes:
        positions: Its events in order. The first one started it.
        below: The thread that it came from or interrupted; ``None`` for a separate command.
        item: Its id on the stack, if it was ever on the stack.
        above: The threads that interrupted it or began during it.
    """

    positions: list[int]
    below: Thread | None = None
    item: Id = ""
    above: list[Thread] = []


class Path(Struct, frozen=True):
    """The positions that are effective together with an event.

    Attributes:
        positions: The positions, in order.
        undone_by: The position that took the event back; 0 if none did.
    """

    positions: list[int]
    undone_by: int = 0


def find_path(history: History, position: int) -> Path:
    """Return the effective path of an event.

    For an event that was taken back, it is the path that was effective until then.
    """
    if history.is_effective(position):
        return Path(history.path)
    for one in reversed(history.recorded[position:]):
        if left := head_left(one.event):
            line = history.list_ancestors(left)
            if position in line:
                return Path(line, one.position)
    return Path(history.list_ancestors(position))


def build_threads(recorded: Sequence[Recorded], line: Sequence[int], procedures: Collection[str]) -> dict[int, Thread]:
    """Return the thread of every event of a path.

    Args:
        line: The positions of the path.
        procedures: The phases that the flow runs.
    """
    weaver = _ThreadBuilder(procedures)
    for position in line:
        weaver.add(recorded[position - 1].event, position)
    return weaver.found


class _ThreadBuilder:
    """Builds threads along a path by tracking the stack."""

    def __init__(self, procedures: Collection[str]) -> None:
        self.found: dict[int, Thread] = {}
        self._procedures = procedures
        self._now: Thread = Thread([])
        self._waiting: dict[Id, Thread] = {}
        self._stack: list[Thread] = []
        self._declared: facts.Declared | None = None

    def add(self, event: Event, position: int) -> None:
        """Add an event to its thread."""
        if type(event) in _LEADING or not self._now.positions:
            self._follow(event, position)
        self._now.positions.append(position)
        self.found[position] = self._now

    def _follow(self, event: Event, position: int) -> None:
        """Switch to the thread that an event belongs to."""
        if isinstance(event, facts.Stacked):
            self._push(event, position)
        elif isinstance(event, facts.PhaseEntered):
            self._enter(event, position)
        elif isinstance(event, facts.Answered | facts.DiceEntered | facts.Passed):
            self._now = self._waiting.get(_find_awaited(event), self._now)
        elif type(event) in STARTS or not self._now.positions:
            self._start(event)
        elif isinstance(event, facts.Resolved | facts.Fizzled | facts.Dropped):
            self._pop(event)
        if isinstance(event, facts.Asked | facts.DiceAwaited | facts.WindowOpened):
            self._waiting[_find_awaited(event)] = self._now

    def _start(self, event: Event) -> None:
        """Start a thread for a command.

        A declaration during pending actions interrupts them.
        """
        self._declared = event if isinstance(event, facts.Declared) else None
        if self._declared and self._stack:
            self._now = self._stack[-1]
            self._begin()
        else:
            self._now = Thread([])

    def _push(self, event: facts.Stacked, position: int) -> None:
        """Put the thread of a declaration or an interrupt on the stack."""
        if not self._declared or (self._declared.actor, self._declared.kind) != (event.actor, event.kind):
            self._begin()
        self._declared = None
        self._now.item = event.item
        self._stack.insert(event.at, self._now)

    def _enter(self, event: facts.PhaseEntered, position: int) -> None:
        """Continue the pending action that entered a phase, or start a thread of the flow."""
        mine = next((one for one in self._stack if one.item == event.item), None) if event.item else None
        if mine is not None:
            self._now = mine
        elif event.phase in self._procedures:
            self._begin()

    def _begin(self) -> None:
        below = self._now if self._now.positions else None
        self._now = Thread([], below)
        if below is not None:
            below.above.append(self._now)

    def _pop(self, event: facts.Resolved | facts.Fizzled | facts.Dropped) -> None:
        """Take a thread off the stack. Later events belong to it, unless it was dropped."""
        mine = next((one for one in self._stack if one.item == event.item), None)
        if mine is not None:
            self._stack = [one for one in self._stack if one is not mine]
            if not isinstance(event, facts.Dropped):
                self._now = mine


Waiting = facts.Asked | facts.DiceAwaited | facts.WindowOpened | facts.Answered | facts.DiceEntered | facts.Passed
"""Events that wait for an input, and the inputs that answer them."""

_LEADING = frozenset(
    (*STARTS, *get_args(Waiting), facts.Stacked, facts.PhaseEntered, facts.Resolved, facts.Fizzled, facts.Dropped)
)
"""Events that switch to another thread, or that later events switch back to."""


def _find_awaited(event: Waiting) -> Id:
    if isinstance(event, facts.Asked | facts.Answered):
        return event.question
    return event.roll if isinstance(event, facts.DiceAwaited | facts.DiceEntered) else event.window
