"""The lines of one fight as they are sent: recent ones encoded in memory, older ones from the record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Raw

from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, knows_sender, opened_at_close, visible, wire_line
from affray.events import FORMAT, Closed, Recorded, read_line

from .sending import encode

RECENT = 2_000
"""How many lines are kept encoded, at least."""

PART = 500
"""About how many lines are sent at once to somebody who catches up; a command is never split."""


class Written:
    """A line, encoded once for all who may see the same of it.

    Args:
        one: The event with its envelope.
        format: The one it is written in.
        payload: Its bytes as the log has them, if they are not those of the present format.
        closed: Whether the record is closed, which opens secret rolls.
    """

    __slots__ = ("_closed", "_encoded", "_format", "_payload", "one")

    def __init__(self, one: Recorded, format: int, payload: Raw | None = None, *, closed: bool = False) -> None:
        self.one = one
        self._format = format
        self._closed = closed
        self._payload = payload
        self._encoded: dict[tuple[bool, bool], bytes] = {}

    def to(self, viewer: Viewer) -> bytes:
        """Return the line as this viewer gets it."""
        one, closed = self.one, self._closed
        key = visible(viewer, one, closed=closed), knows_sender(viewer, one, closed=closed)
        if key not in self._encoded:
            payload = Raw(encode(one.event)) if self._payload is None else self._payload
            self._encoded[key] = encode(wire_line(viewer, one, payload, closed=closed, format=self._format))
        return self._encoded[key]


class Lines:
    """The lines of a fight.

    Args:
        since: Reads what is written behind a position.
        history: Everything so far.

    Attributes:
        head: The position of the last one.
        closed: Whether it ends the record.
    """

    def __init__(self, since: Callable[[int], Awaitable[list[bytes]]], history: History) -> None:
        self._since = since
        self._format_at = history.format_at
        self.head = history.head
        self._present = history.format_at(1) == FORMAT
        self.closed = False
        self._opened: tuple[Recorded, ...] = ()
        self._recent: list[Written] = []
        self._keep(history.recorded)

    def add(self, history: History) -> None:
        """Keep what is new in the whole record, and forget what is old."""
        recorded, self._format_at = history.recorded, history.format_at
        new = recorded[self.head :]
        self.head = history.head
        if isinstance(recorded[-1].event, Closed):
            self._keep(recorded)
        else:
            self._recent.extend(Written(one, self._format_at(one.position)) for one in new)
        if len(self._recent) > 2 * RECENT:
            del self._recent[:-RECENT]

    def _keep(self, recorded: Sequence[Recorded]) -> None:
        self.closed = isinstance(recorded[-1].event, Closed)
        self._opened = opened_at_close(recorded)
        self._recent = self._written(recorded[-RECENT:]) if self._present else []

    def _written(self, part: Sequence[Recorded]) -> list[Written]:
        return [Written(one, self._format_at(one.position), closed=self.closed) for one in part]

    def behind(self, after: int, to: int | None = None) -> Sequence[Written] | None:
        """Return the lines behind a position, of whole commands; about one part of them, if ``to`` is not given.

        Nothing is returned if they are not kept any more.
        """
        start = after - self.head + len(self._recent)
        if start < 0:
            return None
        if to is None:
            end = start + PART
            while end < len(self._recent) and self._recent[end - 1].one.more:
                end += 1
        else:
            end = start + to - after
        return self._recent[start:end]

    async def older(self, after: int, recorded: Sequence[Recorded]) -> Sequence[Written]:
        """Return about one part of the lines behind a position from the whole record, of whole commands."""
        end = after + PART
        while end < len(recorded) and recorded[end - 1].more:
            end += 1
        part = recorded[after:end]
        if self._present:
            return self._written(part)
        return [self._as_stored(one, line) for one, line in zip(part, await self._since(after), strict=False)]

    async def opened(self, to: int) -> Sequence[Written]:
        """Return the lines up to a position that the end of the record opened."""
        opened = [one for one in self._opened if one.position <= to]
        if self._present or not opened:
            return self._written(opened)
        first = opened[0].position
        lines = await self._since(first - 1)
        return [self._as_stored(one, lines[one.position - first]) for one in opened]

    def _as_stored(self, one: Recorded, line: bytes) -> Written:
        return Written(one, self._format_at(one.position), read_line(line).event, closed=self.closed)


__all__ = ["Lines", "Written"]
