"""What stores that keep a row for each command do alike."""

from __future__ import annotations

from collections.abc import Iterable


def behind(after: int, rows: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Return the lines behind a position, of commands given as the position they end at and their joined lines."""
    found: list[bytes] = []
    for last, content in rows:
        lines = content.split(b"\n")
        found += lines[max(0, after - last + len(lines)) :]
    return found
