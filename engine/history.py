"""The record as a tree: which events count, and what taking back and restoring does to that.

Nothing is ever erased. ``Rewound`` and ``Restored`` only move the effective head; the effective log is the head's
ancestors. An event's parent is whatever was the effective head when it was recorded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from affray.events import FORMAT, GENESIS, FightOpened, FormatRaised, Recorded, Restored, Rewound

from .errors import Refused


class History:
    """All that is recorded of one fight.

    Attributes:
        recorded: Every event; position ``n`` is at index ``n - 1``.
        path: The positions of the effective events, in order.
        commands: Per command id the position of its first event.
        format: The format the log is written in at its end.
        undone: Positions of the lanes that ``redo`` brings back, the last one first.
    """

    def __init__(self) -> None:
        self.recorded: list[Recorded] = []
        self.path: list[int] = []
        self.commands: dict[str, int] = {}
        self.undone: list[int] = []
        self._parents: list[int] = []
        self.format = FORMAT

    @property
    def head(self) -> int:
        """The last position."""
        return len(self.recorded)

    @property
    def head_hash(self) -> str:
        """The hash at the last position."""
        return self.recorded[-1].hash if self.recorded else GENESIS

    def add(self, recorded: Iterable[Recorded]) -> None:
        """Append what was recorded, and move the effective head accordingly."""
        path, parents, commands, store = self.path, self._parents, self.commands, self.recorded
        for one in recorded:
            store.append(one)
            if one.cause not in commands:
                commands[one.cause] = one.position
            kind = type(one.event)
            if kind is Rewound:
                parents.append(0)
                self._cut(one.event.to)  # type: ignore[attr-defined]
                self.undone.append(one.event.lane)  # type: ignore[attr-defined]
            elif kind is Restored:
                parents.append(0)
                self._bring(one.event.lane)  # type: ignore[attr-defined]
            elif kind is FormatRaised:
                parents.append(0)
                self.format = one.event.format  # type: ignore[attr-defined]
            else:
                parents.append(path[-1] if path else 0)
                path.append(one.position)
                if kind is FightOpened:
                    self.format = one.event.format  # type: ignore[attr-defined]
                if self.undone and type(store[commands[one.cause] - 1].event) is not Rewound:
                    self.undone.clear()

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

    def before_last(self, commands: int) -> int:
        """Return the effective position before the last so many commands.

        Raises:
            Refused: there are not that many, the opening of the fight not counted.
        """
        index = len(self.path) - 1
        for _ in range(commands):
            cause = self.at(self.path[index]).cause
            while index >= 0 and self.at(self.path[index]).cause == cause:
                index -= 1
            if index < 0:
                raise Refused("nothing_to_undo", "", "there is nothing before this that could be taken back")
        return self.path[index]

    def commands_since(self, position: int) -> int:
        """Count the effective commands behind a position."""
        return len({one.cause for one in self.effective(after=position)})

    def lane(self, tip: int) -> list[int]:
        """Return the positions from where a lane leaves the effective path up to its tip."""
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
        if lane:
            self._cut(self._parents[lane[0] - 1])
            self.path.extend(lane)
        else:
            self._cut(tip)
        if self.undone and self.undone[-1] == tip:
            self.undone.pop()
