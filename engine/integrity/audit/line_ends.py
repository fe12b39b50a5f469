"""The line ends of a log, which editors and version control may change without touching what the lines say."""

from collections.abc import Iterable, Iterator

from affray.engine.stores.lines import BYTE_ORDER_MARK, Torn, strip_line_end

from .findings import Findings

BLANKS = b" \t\r"
"""What JSON allows around a line, and no log has there."""


class LineEnds:
    """Strips what editors put around lines, and notes it as one finding.

    Attributes:
        torn: Whether the last line has no newline.
    """

    def __init__(self) -> None:
        self.torn = False
        self._first = 0
        self._ended = 0
        self._blank = 0
        self._empty = 0
        self._marked = False

    def strip(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield each whole line without blanks around it, and without a byte order mark; nothing for an empty one."""
        for number, line in enumerate(lines, 1):
            if isinstance(line, Torn):
                self.torn = True
                return
            bare = strip_line_end(line, number)
            stripped = bare.strip(BLANKS)
            if stripped is not line or not stripped:
                self._empty += not stripped
                self._blank += len(stripped) < len(bare) if stripped else 0
                self._ended += line.endswith(b"\r")
                self._marked |= number == 1 and line.startswith(BYTE_ORDER_MARK)
                self._first = self._first or number
            yield stripped

    def note(self, found: Findings) -> None:
        """Note one finding if any line was stripped; say that the content is untouched where nothing else is found."""
        if not self._first:
            return
        marks = "a byte order mark stands before the first line" if self._marked else ""
        ends = f"line ends are those of Windows in {self._ended} line{'s' * (self._ended != 1)}" if self._ended else ""
        blanks = f"blanks stand around {self._blank} line{'s' * (self._blank != 1)}" if self._blank else ""
        empty = f"{self._empty} line{'s are' if self._empty != 1 else ' is'} empty" if self._empty else ""
        said = ", and ".join(one for one in (ends, blanks, empty, marks) if one)
        untouched = "" if found.all else "; the content is untouched"
        found.note(
            "record", self._first, self._first, "line_ends", "lines that end with a line feed alone", said + untouched
        )
