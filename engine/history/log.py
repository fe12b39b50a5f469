"""The decoding of a log's lines to recorded events."""

from collections.abc import Sequence

from affray.events import (
    FORMAT,
    GENESIS,
    FormatRaised,
    Malformed,
    Recorded,
    check_raise,
    choose_decoder,
    format_behind,
    format_of,
    read_line,
    verify,
)

from .timeline import History


def read_log(lines: Sequence[bytes], *, verified: bool = True) -> list[Recorded]:
    """Decode a whole log in any known format.

    Args:
        lines: Each without its newline.
        verified: Whether the hash chain is checked too.

    Raises:
        Malformed: a line is not an event, or the last command is not whole.
        UnknownFormat: the log was written by a later version.
        ChainBroken: a line, its place or its order was altered.
    """
    if not lines:
        raise Malformed("the log is empty")
    format = format_of(lines[0])
    recorded = _decode(lines, 1, format)
    if verified:
        _verify(lines, recorded, 1, format, GENESIS)
    for number, one in enumerate(recorded, 1):
        if one.position != number:
            raise Malformed(f"position {one.position} where {number} was due", number)
    _must_be_whole(recorded, len(lines))
    return recorded


def _decode(lines: Sequence[bytes], first: int, format: int) -> list[Recorded]:
    """Decode lines from a number and a format on."""
    decode = choose_decoder(format)
    recorded = []
    for number, line in enumerate(lines, first):
        _must_be_text(line, number)
        one = decode(line, number)
        recorded.append(one)
        if type(one.event) is FormatRaised:
            format = check_raise(one.event.format, format, number)
            decode = choose_decoder(format)
    return recorded


def _must_be_text(line: bytes, number: int) -> None:
    """Refuse a line that is not UTF-8, even in parts that are not decoded.

    Raises:
        Malformed: says where.
    """
    if line.isascii():
        return
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"is not UTF-8 text from byte {error.start} on", number) from None


def _must_be_whole(recorded: Sequence[Recorded], last: int) -> None:
    """Refuse to read a part of a command."""
    if recorded and recorded[-1].more:
        raise Malformed(f"{recorded[-1].more} more events of its command are missing", last)


def _verify(lines: Sequence[bytes], recorded: Sequence[Recorded], first: int, format: int, previous: str) -> None:
    """Check the hash chain of lines that were decoded already, from a number, a format and a hash on."""
    for number, (line, one) in enumerate(zip(lines, recorded, strict=True), first):
        previous = verify(read_line(line, number), after=number - 1, previous=previous, number=number, format=format)
        if type(one.event) is FormatRaised:
            format = one.event.format


def read_on(history: History, lines: Sequence[bytes]) -> list[Recorded]:
    """Decode new lines of a log, and check that they continue the known history.

    Raises:
        Malformed, UnknownFormat, ChainBroken: as in ``read_log``.
    """
    first, format = history.head + 1, history.format
    recorded = _decode(lines, first, format)
    _verify(lines, recorded, first, format, history.head_hash)
    _must_be_whole(recorded, history.head + len(lines))
    return recorded


def verify_chain(lines: Sequence[bytes], format: int | None = None) -> str:
    """Check the hash chain of a whole log and return the hash of its head.

    Args:
        lines: The lines of the log, each without its newline.
        format: The format of the first line; by default it is read from the opening.

    Raises:
        Malformed, UnknownFormat: as in ``read_log``.
        ChainBroken: at the first line that breaks the chain.
    """
    previous = GENESIS
    if format is None:
        format = format_of(lines[0]) if lines else FORMAT
    for number, line in enumerate(lines, 1):
        written = read_line(line, number)
        previous = verify(written, after=number - 1, previous=previous, number=number, format=format)
        format = format_behind(written, format, number)
    return previous
