"""The cache of lines over a map: short ones are kept, long ones are drawn each time."""

from collections.abc import Callable
from functools import lru_cache, wraps

from affray.events import Id

SHORT = 100
"""A line that is kept has so many squares or hexes at most. A map of any size then fills about 100 MB a function."""

Line = Callable[[Id, Id], tuple[Id, ...]]


def keep_short(draw: Line) -> Line:
    """Keep the short lines that a function draws between two places."""

    @lru_cache(maxsize=16384)
    def draw_short(one: Id, other: Id) -> tuple[Id, ...] | None:
        line = draw(one, other)
        return line if len(line) <= SHORT else None

    @wraps(draw)
    def draw_or_remember(one: Id, other: Id) -> tuple[Id, ...]:
        line = draw_short(one, other)
        return draw(one, other) if line is None else line

    return draw_or_remember
