"""Lines of input as they come, however they are cut, none longer than we are willing to keep."""

import os
from select import select

from affray.engine.stores.lines import strip_line_end

LONGEST = 1 << 20
"""How many bytes a line may have, its end not counted."""

_PART = 1 << 16


class TooLong(Exception):
    """A line has more bytes than it may have; all of it was passed over."""


class Input:
    """Reads a file descriptor line by line."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._kept = bytearray()
        self._first = True
        self._searched = 0
        self._too_long = False
        self._ended = False

    def line(self, pause: float | None = None) -> bytes:
        """Return the next line without its end, as Unix or Windows writes it; the last one need not have any.

        Args:
            pause: How many seconds to wait for it; without end if not given.

        Raises:
            TimeoutError: nothing came.
            TooLong: there was one, but it is too long.
            EOFError: there is none any more.
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
            self._read(pause)
        line = strip_line_end(bytes(self._kept[:end]), 1 if self._first else 0)
        self._first = False
        del self._kept[: end + 1]
        self._searched = 0
        too_long, self._too_long = self._too_long or len(line) > LONGEST, False
        if too_long:
            raise TooLong
        return line

    def _read(self, pause: float | None) -> None:
        if pause is not None and not select([self._file], [], [], pause)[0]:
            raise TimeoutError
        part = os.read(self._file, _PART)
        self._kept += part
        self._ended = not part
