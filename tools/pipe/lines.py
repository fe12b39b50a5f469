"""Lines of input, however the input is cut into pieces, with a bounded length."""

import os
from select import select

from affray.engine.stores.lines import strip_line_end

LONGEST = 1 << 20
"""The longest line in bytes, without its end."""

_PART = 1 << 16


class LineTooLong(Exception):
    """A line is too long; all of it was skipped."""


class LineReader:
    """Reads a file descriptor line by line."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._kept = bytearray()
        self._first = True
        self._searched = 0
        self._too_long = False
        self._ended = False

    def read_line(self, pause: float | None = None) -> bytes:
        """Return the next line without its Unix or Windows line end; the last line need not have one.

        Args:
            pause: The seconds to wait for a line; ``None`` for no limit.

        Raises:
            TimeoutError: no line came in time.
            TooLong: the line is too long.
            EOFError: the input has ended.
        """
        while (end := self._kept.find(b"\n", self._searched)) < 0:
            if self._ended:
                if not self._kept and not self._too_long:
                    raise EOFError
                end = len(self._kept)
                break
            if len(self._kept) > LONGEST:
                self._kept.clear()
                self._too_long = True
            self._searched = len(self._kept)
            self._read_part(pause)
        line = strip_line_end(bytes(self._kept[:end]), 1 if self._first else 0)
        self._first = False
        del self._kept[: end + 1]
        self._searched = 0
        too_long, self._too_long = self._too_long or len(line) > LONGEST, False
        if too_long:
            raise LineTooLong
        return line

    def _read_part(self, pause: float | None) -> None:
        if pause is not None and not select([self._file], [], [], pause)[0]:
            raise TimeoutError
        part = os.read(self._file, _PART)
        self._kept += part
        self._ended = not part
