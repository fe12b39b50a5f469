"""Cache for lines over a map. Short lines are cached, long ones recalculated."""

from collections.abc import Callable
from functools import lru_cache, wraps

from affray.events import Id

SHORT = 100
"""The most squares or hexes in a cached line. A function's cache then stays below about 100 MB on a map of any size."""

Line = Callable[[Id, Id], tuple[Id, ...]]


def keep_short(draw: Line) -> Line:
    """Cache the short lines that a function returns."""

    @lru_cache(maxsize=16384)
    def draw_short(one: Id, other: Id) -> tuple[Id, ...] | None:
        line = draw(one, other)
        return line if len(line) <= SHORT else None

    @wraps(draw)
    def draw_or_remember(one: Id, other: Id) -> tuple[Id, ...]:
        line = draw_short(one, other)
        return draw(one, other) if line is None else line

    return draw_or_remember
