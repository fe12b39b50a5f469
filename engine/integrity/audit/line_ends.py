"""The line ends of a log, which editors may change without changing its content."""

from collections.abc import Iterable, Iterator
from itertools import repeat

from affray.engine.stores.lines import BLANKS, BYTE_ORDER_MARK, Torn, strip_line_end

from .findings import Findings


class LineEnds:
    """Strips what editors add around lines, and reports it as one finding.

    Attributes:
        torn: The expected end of the log, and the part found and left out; ``None`` if the end is right.
    """

    def __init__(self) -> None:
        self.torn: tuple[str, str] | None = None
        self._first = 0
        self._ended = 0
        self._blank = 0
        self._empty = 0
        self._marked = False

    def strip(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield each whole line without blanks around it and without a byte order mark.

        An empty line is yielded as no bytes; empty lines behind the last one are not yielded.
        """
        empty = 0
        for number, line in enumerate(lines, 1):
            if not line:
                empty += 1
                continue
            if isinstance(line, Torn):
                self.torn = "a line that ends with a newline", "the end of the log within a line, so it is left out"
                return
            bare = strip_line_end(line, number)
            stripped = bare.strip(BLANKS)
            if not stripped:
                empty += 1
                continue
            if empty:
                self._empty += empty
                self._first = self._first or number - empty
                yield from repeat(b"", empty)
                empty = 0
            if stripped is not line:
                self._blank += len(stripped) < len(bare)
                self._ended += line.endswith(b"\r")
                self._marked |= number == 1 and line.startswith(BYTE_ORDER_MARK)
                self._first = self._first or number
            yield stripped
        if empty:
            found = f"{empty} empty lines, so they are left out" if empty > 1 else "an empty line, so it is left out"
            self.torn = "nothing behind the last command", found

    def note(self, found: Findings) -> None:
        """Report one finding if any line was stripped.

        If nothing else was found, it says that the content is untouched.
        """
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
