"""The record as a tree of lanes: the events that count after undo and amendments.

Nothing is ever erased. ``Rewound``, ``Restored`` and ``Amended`` only move the effective head; the effective log is
the head's ancestors. An event's parent is the effective head at the moment it was recorded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import TypeVar

from affray import events as facts
from affray.engine.errors import Refused
from affray.engine.visibility import OPENS, Openings
from affray.events import ABOUT_THE_RECORD, FORMAT, GENESIS, STARTS, VOIDING, Event, Recorded, Senseless
from affray.events.vocabulary import split_before

T = TypeVar("T")

MOST_BROUGHT, A_LINE = 10_000_000, 100
"""The maximum of events in restored lanes, and its growth for each recorded event; far beyond any real fight."""

WATCHED = ABOUT_THE_RECORD | {facts.FightOpened}
"""The events that are checked against the history before they are added."""


class History:
    """The whole record of one fight.

    Attributes:
        recorded: Every event; position ``n`` is at index ``n - 1``.
        opening: The first of them; not set before an event was added.
        path: The positions of the effective events, in order.
        commands: The position of each command's first event, by command id.
        version: The version of the rules at its end.
        undone: Positions of the lanes that ``redo`` restores, the last one first.
        floor: In a fork, the effective head at which it left its parent; earlier events cannot be taken back.
        forked: The position of the fork; every later die falls under another seed. 0 if this is no fork.
        request: The position of the player's undo request that waits for the game master; 0 for none.
        closed: The position at which the record ended; 0 while it is open.
        opened: The position of the event that opened each sealed line that all viewers may read by now, by line.
    """

    def __init__(self, recorded: Iterable[Recorded] = ()) -> None:
        self.recorded: list[Recorded] = []
        self.opening: facts.FightOpened
        self.path: list[int] = []
        self.commands: dict[str, int] = {}
        self.undone: list[int] = []
        self.floor = 0
        self.forked = 0
        self.request = 0
        self.closed = 0
        self._openings = Openings()
        self.opened = self._openings.by
        self._parents: list[int] = []
        self._brought = 0
        self.version = ""
        self._formats: list[tuple[int, int]] = []
        self.add(recorded)

    @property
    def head(self) -> int:
        """The last position."""
        return len(self.recorded)

    @property
    def format(self) -> int:
        """The format that the log is written in at its end."""
        return self._formats[-1][1] if self._formats else FORMAT

    @property
    def beginning(self) -> str:
        """The hash of the event that began the fight under its name.

        For a fork it is ``Forked``, not its parent's first event.
        """
        return self.at(self.forked or 1).hash

    def format_at(self, position: int) -> int:
        """Return the format that a position is written in."""
        return self._formats[bisect_left(self._formats, (position, 0)) - 1][1]

    @property
    def head_hash(self) -> str:
        """The hash at the last position."""
        return self.recorded[-1].hash if self.recorded else GENESIS

    def add(self, recorded: Iterable[Recorded]) -> None:
        """Append recorded events, and move the effective head accordingly.

        Raises:
            Senseless: an impossible event about the record; the events before it were appended.
        """
        path, parents, commands, store = self.path, self._parents, self.commands, self.recorded
        for one in recorded:
            event = one.event
            watched = type(event) in WATCHED
            if watched or self.closed:
                self._must_be_possible(event, one.position)
            if one.audience is not None or one.known_to is not None or type(event) in OPENS:
                self._openings.add(one, store)
            store.append(one)
            if one.cause not in commands:
                commands[one.cause] = one.position
            if watched and not isinstance(event, facts.FightOpened):
                self._note(event, one.position)
                parents.append(path[-1] if path else 0)
                continue
            parents.append(path[-1] if path else 0)
            path.append(one.position)
            if watched and isinstance(event, facts.FightOpened):
                self.opening, self.version = event, event.version
                self._formats.append((0, event.format))
            if self.undone or self.request:
                self._move_on(store[commands[one.cause] - 1].event)

    def _move_on(self, first: Event) -> None:
        """Clear the redo list and the open undo request behind a new command."""
        if type(first) not in (facts.Rewound, facts.Restored):
            self.undone.clear()
        if not is_sent_pass(first):
            self.request = 0

    def _must_be_possible(self, event: Event, position: int) -> None:
        """Refuse an event that cannot follow the record.

        Such an event points to a position that does not exist, or comes after the end of the record. The audit checks
        whether its command should have led to it.
        """

        def must(holds: bool, fault: str) -> None:
            if not holds:
                raise Senseless(f"{type(event).__name__}: {fault}", position)

        if isinstance(event, facts.FightOpened):
            must(not self.path, "the fight was opened at position 1")
            return
        counts, head = self.is_effective, self.path[-1] if self.path else 0
        must(not self.closed, f"the record ended at position {self.closed}")
        if isinstance(event, facts.Rewound | facts.Amended | facts.UndoRequested):
            must(counts(event.to), f"position {event.to} does not count, so nothing can go on from there")
            must(event.lane == head, f"it leaves position {event.lane}, and the head is {head}")
        if isinstance(event, facts.Restored):
            there = 1 <= event.lane < position and type(self.at(event.lane).event) not in ABOUT_THE_RECORD
            must(there and not counts(event.lane), f"position {event.lane} was never taken back")
            must(event.left == head, f"it leaves position {event.left}, and the head is {head}")
        if isinstance(event, facts.Amended | facts.Previewed | facts.Forked):
            must(1 <= event.position < position, f"there is no position {event.position} before it")
        if isinstance(event, facts.UndoDeclined):
            must(1 <= event.request < position, f"there is no request at position {event.request}")
        if isinstance(event, facts.Amended):
            must(all(1 <= one < position for one in event.dropped), "it drops what is not there")
        if isinstance(event, facts.Closed):
            must(is_hex(event.seed), "its seed is no hexadecimal number")

    def _note(self, event: Event, position: int) -> None:
        """Move the effective head as an event about the record says."""
        if type(event) in VOIDING:
            self.request = position if isinstance(event, facts.UndoRequested) else 0
        if isinstance(event, facts.Rewound):
            self._cut(event.to)
            self.undone.append(event.lane)
        elif isinstance(event, facts.Restored):
            self._bring(event.lane)
            if self.undone and self.undone[-1] == event.lane:
                self.undone.pop()
            elif event.commands:
                self.undone.append(event.left)
        elif isinstance(event, facts.Amended):
            self._cut(event.to)
            self.undone.clear()
        elif isinstance(event, facts.Forked):
            self.floor, self.forked = self.path[-1], position
            self.undone.clear()
        elif isinstance(event, facts.RulesetAdopted):
            self.version = event.version
        elif isinstance(event, facts.FormatRaised):
            self._formats.append((position, event.format))
        elif isinstance(event, facts.Closed):
            self.closed = position

    def at(self, position: int) -> Recorded:
        """Return the event at a position."""
        return self.recorded[position - 1]

    def effective(self, after: int = 0, to: int | None = None) -> Iterator[Recorded]:
        """Yield the effective events behind position ``after``, up to position ``to``."""
        recorded = self.recorded
        start = bisect_right(self.path, after)
        end = len(self.path) if to is None else bisect_right(self.path, to)
        for index in range(start, end):
            yield recorded[self.path[index] - 1]

    def is_effective(self, position: int) -> bool:
        """Tell whether an event counts."""
        index = bisect_right(self.path, position) - 1
        return index >= 0 and self.path[index] == position

    def ends_a_command(self, position: int) -> bool:
        """Tell whether an event ends a command, or one that an amendment decided again."""
        one = self.at(position)
        return not one.more or type(self.at(position + 1).event) in STARTS

    def before_last(self, commands: int) -> int:
        """Return the position before the last ``commands`` commands.

        Before an amendment, that is the lane it replaced.

        Raises:
            Refused: there are not that many, the opening of the fight not counted.
        """
        tip = self.path[-1]
        for _ in range(commands):
            first = self.at(self.commands[self.at(tip).cause])
            if isinstance(first.event, facts.Amended):
                tip = first.event.lane
                continue
            while tip and self.at(tip).cause == first.cause:
                tip = self._parents[tip - 1]
            if not tip:
                raise Refused("nothing_to_undo", "", "there is nothing before this that could be taken back")
        return tip

    def list_ancestors(self, position: int) -> list[int]:
        """Return the positions that counted once ``position`` was recorded, in order."""
        line: list[int] = []
        if type(self.at(position).event) in ABOUT_THE_RECORD:
            position = self._parents[position - 1]
        while position:
            line.append(position)
            position = self._parents[position - 1]
        line.reverse()
        return line

    def free_command_id(self, cause: str, other: str = "") -> str:
        """Return a free command id for an event that the engine records itself.

        Args:
            cause: The id wanted; dashes are appended until it is free.
            other: An id that is about to be used.
        """
        while cause in self.commands or cause == other:
            cause += "-"
        return cause

    def commands_since(self, position: int) -> int:
        """Count the effective commands behind a position."""
        return len({one.cause for one in self.effective(after=position)})

    def lane(self, tip: int) -> list[int]:
        """Return a lane's positions, from the effective path up to its tip."""
        lane = []
        while tip and not self.is_effective(tip):
            lane.append(tip)
            tip = self._parents[tip - 1]
        lane.reverse()
        return lane

    def _cut(self, to: int) -> None:
        del self.path[bisect_right(self.path, to) :]

    def _bring(self, tip: int) -> None:
        lane = self.lane(tip)
        self._brought += len(lane)
        if self._brought > MOST_BROUGHT + A_LINE * len(self.recorded):
            raise Senseless("Restored: the record goes back and forth too often to be followed", len(self.recorded))
        self._cut(self._parents[lane[0] - 1])
        self.path.extend(lane)


def is_sent_pass(event: Event) -> bool:
    """Tell whether an event is a pass that the table sent for a combatant."""
    return isinstance(event, facts.Passed) and bool(event.why)


def head_left(event: Event) -> int:
    """Return the head that an undo, redo or amendment left; 0 for other events."""
    if isinstance(event, facts.Rewound | facts.Amended):
        return event.lane
    return event.left if isinstance(event, facts.Restored) else 0


def is_hex(text: str) -> bool:
    """Tell whether a text is bytes in hexadecimal digits; an empty one is."""
    try:
        bytes.fromhex(text)
    except ValueError:
        return False
    return True


def split_by_input(recorded: Iterable[Recorded]) -> Iterator[list[Recorded]]:
    """Group recorded events by input: the input itself and the events it led to.

    A command is one segment. An amendment has one for each input that it decided again, and renewed dice have their
    own.
    """
    return split_before(recorded, lambda one: type(one.event) in STARTS)
