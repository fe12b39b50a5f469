"""Lines of one fight as they are sent: recent ones encoded in memory, older ones from the record."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Raw

from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, can_read, knows_sender, wire_line
from affray.events import FORMAT, Recorded, read_line
from affray.tools.present.story.line_sentences import LineSentences

from .fight_size import LONG
from .messages import encode

RECENT = 2_000
"""The fewest recent lines that stay encoded, once so many came."""

PART = 100
"""About how many lines are sent at once to a follower who catches up. Only a long command is split."""

LONGEST_PART = 200
"""The most lines that are sent at once: a request of another fight waits for a few parts."""


NOTHING: Mapping[int, int] = {}
"""The value for a fight without opened lines."""


class EncodedLine:
    """A line, encoded once for all viewers who may see the same of it.

    Args:
        payload: Its stored bytes, if they have an earlier format.
        opened: The position of the event that opened each sealed line that is open by now, by line.
    """

    __slots__ = ("_encoded", "_format", "_opened", "_payload", "_says", "one")

    def __init__(
        self,
        one: Recorded,
        format: int,
        says: str = "",
        payload: Raw | None = None,
        opened: Mapping[int, int] = NOTHING,
    ) -> None:
        self.one = one
        self._says = says
        self._format = format
        self._opened = opened
        self._payload = payload
        self._encoded: dict[tuple[bool, bool], bytes] = {}

    def encode_for(self, viewer: Viewer) -> bytes:
        """Return the encoded line for a viewer."""
        one, opened = self.one, self._opened
        key = can_read(viewer, one, opened), knows_sender(viewer, one, opened)
        if key not in self._encoded:
            payload = Raw(encode(one.event)) if self._payload is None else self._payload
            self._encoded[key] = encode(wire_line(viewer, one, payload, self._says, opened=opened, format=self._format))
        return self._encoded[key]


class LineCache:
    """The lines of a fight.

    Args:
        since: Reads the stored lines behind a position.
        history: The record so far.

    Attributes:
        head: The position of the last line.
        closed: Whether that line ends the record.
    """

    def __init__(self, since: Callable[[int], Awaitable[list[bytes]]], history: History) -> None:
        self._since = since
        self._format_at = history.format_at
        self.head = history.head
        self._present = history.format_at(1) == FORMAT
        self.closed = False
        self._opened: Mapping[int, int] = NOTHING
        self._recorded: Sequence[Recorded] = ()
        self._recent: list[EncodedLine] = []
        self._ahead = history.head, LineSentences(history)
        self._reset(history)

    def add(self, history: History) -> None:
        """Add the new lines of the record, and drop old encoded ones."""
        if len(history.opened) != self._opened_before:
            self._reset(history)
            return
        new = history.recorded[self.head :]
        if self._ahead[0] == history.head:
            self._sentences = self._ahead[1]
        else:
            self._sentences.learn(new)
        self._recorded, self._format_at = history.recorded, history.format_at
        if len(new) > RECENT:  # of so many new lines the first ones are encoded when they are sent
            self._recent.clear()
        self._recent.extend(self._wrap_all(new[-RECENT:]))
        self.head, self.closed = history.head, bool(history.closed)
        if len(self._recent) > 2 * RECENT:
            del self._recent[:-RECENT]

    def is_slow_add(self, history: History) -> bool:
        """Tell whether ``add`` takes long unless it was prepared: for many new lines, or if all names change."""
        anew = len(history.opened) != self._opened_before and history.head > LONG
        return anew or history.head - self.head > LONGEST_PART

    def prepare(self, history: History) -> None:
        """Learn the names in the lines ahead of ``add``, while no other request uses the fight; a thread may do so."""
        self._ahead = history.head, LineSentences(history)

    def _reset(self, history: History) -> None:
        self._recorded, self._format_at = history.recorded, history.format_at
        self.head, self.closed, self._opened = history.head, bool(history.closed), history.opened
        self._opened_before = len(history.opened)
        self._sentences = self._ahead[1] if self._ahead[0] == history.head else LineSentences(history)
        self._recent = self._wrap_all(history.recorded[-PART:]) if self._present else []  # all of them would take long

    def _wrap_all(self, part: Sequence[Recorded]) -> list[EncodedLine]:
        return [self._wrap(one) for one in part]

    def list_recent(self, after: int, to: int | None = None) -> Sequence[EncodedLine] | None:
        """Return the encoded lines behind a position; about one part of them if ``to`` is not given.

        Returns None if they are no longer in memory.
        """
        start = after - self.head + len(self._recent)
        if start < 0:
            return None
        if to is None:
            end = start + PART
            while end < len(self._recent) and end - start < LONGEST_PART and self._recent[end - 1].one.more:
                end += 1
        else:
            end = start + to - after
        return self._recent[start:end]

    async def read_older(self, after: int, recorded: Sequence[Recorded]) -> Sequence[EncodedLine]:
        """Return about one part of the lines behind a position, read from the whole record."""
        end = after + PART
        while end < len(recorded) and end - after < LONGEST_PART and recorded[end - 1].more:
            end += 1
        part = recorded[after:end]
        if self._present:
            return self._wrap_all(part)
        return [self._wrap(one, line) for one, line in zip(part, await self._since(after), strict=False)]

    async def list_opened(self, after: int, to: int) -> Sequence[EncodedLine]:
        """Return the lines up to ``after`` that lines behind it, up to ``to``, opened."""
        opened = [self._recorded[at - 1] for at, by in sorted(self._opened.items()) if at <= after < by <= to]
        if self._present or not opened:
            return self._wrap_all(opened)
        first = opened[0].position
        lines = await self._since(first - 1)
        return [self._wrap(one, lines[one.position - first]) for one in opened]

    def _wrap(self, one: Recorded, line: bytes | None = None) -> EncodedLine:
        """Wrap a recorded line, with its payload as stored if that is given."""
        payload = None if line is None else read_line(line).event
        return EncodedLine(one, self._format_at(one.position), self._sentences.of(one), payload, self._opened)
