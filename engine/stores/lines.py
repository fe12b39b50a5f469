"""The lines of a log, read part by part in bounded memory."""

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence

from affray.engine.errors import StoreFailed
from affray.events import LogError, Malformed, read_line

LONGEST_LINE = 1 << 24
"""The maximum size of a line in bytes; the longest known, with a thousand combatants, had some 60,000."""

SHORTEST_LINE = 64
"""The minimum size of a line in bytes: its hash alone has as many."""

_PART = 1 << 18
"""The number of bytes read at once."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The mark that some editors write before the first line of a text."""

BLANKS = b" \t\r"
"""The blanks that JSON allows around a line, and that no log has there."""

UTF_16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)

UTF_16 = "it is UTF-16 text; save it as UTF-8"


class Torn(bytes):
    """A last line without its newline.

    Its write was never finished, so no command is read from it.
    """


def strip_line_end(line: bytes, number: int) -> bytes:
    """Strip a Windows line end and, from line 1, the byte order mark.

    Editors and version control add both. Neither belongs to the recorded event.
    """
    line = line.removesuffix(b"\r")
    return line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def must_be_a_log(file: int) -> None:
    """Refuse a file if its first line is no event in its envelope.

    Raises:
        Malformed: it is no log of a fight.
    """
    _must_begin_a_log(next(iterate_lines(file, os.fstat(file).st_size, whatever=True), None))


def _must_begin_a_log(first: bytes | None) -> None:
    if first is None:
        raise Malformed("the log is empty")
    try:
        read_line(strip_line_end(first, 1))
    except LogError as error:
        reason = UTF_16 if first.startswith(UTF_16_MARKS) else error.reason
        raise Malformed(f"this is no log of a fight: {reason}", 1) from None


def split_log(log: bytes) -> list[bytes]:
    """Split the content of a log into the lines of its whole commands.

    Raises:
        Malformed: it is no log of a fight, or has a line that cannot be one of it.
    """
    _must_begin_a_log(log.split(b"\n", 1)[0] if log else None)
    *whole, _ = log[: _last_line_end(log, log.rfind(b"\n") + 1)].split(b"\n")
    lines = [strip_line_end(line, number) for number, line in enumerate(whole, 1)]
    while lines and not _ends_a_command(lines[-1]):
        del lines[-1]
    if not lines:
        raise Malformed("the log holds no whole command")
    _must_be_events(lines, len(lines))
    return lines


def iterate_lines(file: int, size: int, *, whatever: bool = False) -> Iterator[bytes]:
    """Yield the lines in the first bytes of a file.

    Args:
        file, size: The file's descriptor, and the number of bytes.
        whatever: Whether to yield every line unchanged: impossible ones, the beginning of a too long one, and a last
            line without its newline, as ``Torn``. Otherwise each line is stripped of its line end.

    Raises:
        Malformed: there is a line that cannot be an event.
    """
    pending = bytearray()  # the beginning of a line that has not ended yet
    at, number, over = 0, 0, False
    while at < size and (part := os.pread(file, min(size - at, _PART), at)):
        at += len(part)
        *whole, rest = part.split(b"\n")
        if whole and pending:
            whole[0] = bytes(pending + whole[0])
            pending.clear()
        pending += rest
        if over and whole:  # the rest of a line that is too long
            del whole[0]
            over = False
        if not whatever:
            whole = [strip_line_end(line, nth) for nth, line in enumerate(whole, number + 1)]
            _must_be_events(whole, number + len(whole))
        elif whole and len(whole[0]) > LONGEST_LINE:  # other lines cannot be too long: a part has fewer bytes
            whole[0] = whole[0][: LONGEST_LINE + 1]
        number += len(whole)
        yield from whole
        if len(pending) > LONGEST_LINE or over:
            if not whatever:
                raise Malformed(_TOO_LONG, number + 1)
            if not over:
                number += 1
                del pending[LONGEST_LINE + 1 :]
                yield bytes(pending)
            pending, over = bytearray(), True
    if pending and whatever:
        torn = bytes(pending)
        pending.clear()
        yield Torn(torn)


def must_be_readable(lines: Sequence[bytes]) -> None:
    """Refuse to write lines that could not be read again.

    Raises:
        StoreFailed: a line is too long.
    """
    if max(map(len, lines)) > LONGEST_LINE:
        raise StoreFailed(f"{_TOO_LONG}; nothing was written")


def _must_be_events(lines: list[bytes], number: int) -> None:
    """Refuse lines that are too short or too long for an event.

    Args:
        number: The number of the last line.
    """
    if lines and (min(map(len, lines)) < SHORTEST_LINE or max(map(len, lines)) > LONGEST_LINE):
        for nth, line in enumerate(lines, number - len(lines) + 1):
            if len(line) > LONGEST_LINE:
                raise Malformed(_TOO_LONG, nth)
            if len(line) < SHORTEST_LINE:
                raise Malformed("the line is too short for an event", nth)


_TOO_LONG = f"a line may have at most {LONGEST_LINE} bytes"


def read_range(file: int, start: int, end: int) -> bytes:
    """Read a range of bytes of a file."""
    parts = []
    while start < end and (part := os.pread(file, end - start, start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def find_last_command_end(file: int, size: int) -> tuple[int, bytes]:
    """Return the length in bytes of the whole commands, and their last line.

    Empty lines behind the last command belong to none. A line that cannot be read is left to the reader. The file is
    read from its end, as far as needed.
    """
    reach = _PART
    while True:
        start = max(0, size - reach)
        tail = read_range(file, start, size)
        at = _last_line_end(tail, tail.rfind(b"\n") + 1)
        while at:
            begin = tail.rfind(b"\n", 0, at - 1) + 1
            if start and not begin:
                break
            line = strip_line_end(tail[begin : at - 1], 0 if start + begin else 1)
            if _ends_a_command(line):
                return start + at, line
            at = _last_line_end(tail, begin)
        if not start:
            return 0, b""
        reach *= 4


def _last_line_end(text: bytes, at: int) -> int:
    """Return the end of the last non-empty line before a position; 0 if there is none.

    The step doubles, so that the time grows in proportion to the number of empty lines.

    Args:
        at: The position, at the start of a line.
    """
    step = 1
    while at:
        begin = max(0, at - step)
        filled = text[begin:at].rstrip(BLANKS + b"\n")
        if filled:
            return text.index(b"\n", begin + len(filled)) + 1
        at, step = begin, 2 * step
    return 0


def _ends_a_command(line: bytes) -> bool:
    """Tell whether a command may end with a line.

    It may not end with an empty line. A line that cannot be read is left to the reader.
    """
    if not line.strip(BLANKS):
        return False
    try:
        return read_line(line).more == 0
    except LogError:
        return True
