"""Shared parts of the database stores: rows of a command, and the integrity check."""

from collections.abc import Callable, Iterable

from affray.engine.errors import Altered
from affray.events import LogError, read_line


def split_rows_behind(after: int, rows: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Return the lines behind a position, from rows of an end position and lines."""
    found: list[bytes] = []
    for last, content in rows:
        lines = content.split(b"\n")
        found += lines[max(0, after - last + len(lines)) :]
    return found


def read_behind_known(fight: str, after: int, hash: str, read: Callable[[int], list[bytes]]) -> list[bytes]:
    """Read the lines behind a position, if the event there is the known one.

    Args:
        hash: The hash of the event there; empty to compare none.
        read: Returns the lines behind a position.

    Raises:
        Altered: it is another one.
    """
    if not hash or not after:
        return read(after)
    found = read(after - 1)
    if not found or not has_hash(found[0], hash):
        raise Altered(fight, after)
    return found[1:]


def has_hash(line: bytes, hash: str) -> bool:
    """Tell whether a line is that of a known event."""
    try:
        return read_line(line).hash == hash
    except LogError:
        return False
