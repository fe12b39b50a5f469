"""Text of chances and of counted numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from textwrap import wrap

from affray.engine.analysis.odds import (
    MOST,
    Precision,
    ShareEstimate,
    Unended,
    find_counted_mean,
    find_counted_quantile,
)

WIDE = 100
"""Width of a line, in columns."""


def format_share(one: ShareEstimate) -> str:
    """Format a share with its interval: ``71.4 % (68.4 to 74.2)``."""
    return f"{one.value * 100:.1f} % ({one.low * 100:.1f} to {one.high * 100:.1f})"


def spread(counted: Counter[int]) -> str:
    """Format a mean and the range of four fifths: ``6.2, mostly 4 to 9``."""
    low, high = find_counted_quantile(counted, 0.1), find_counted_quantile(counted, 0.9)
    return (
        f"{find_counted_mean(counted):.1f}"
        if low == high
        else f"{find_counted_mean(counted):.1f}, mostly {low} to {high}"
    )


def wrap_parts(head: str, parts: Iterable[str], joined: str, below: str) -> list[str]:
    """Wrap parts to lines after a head; no line ends within a part.

    Args:
        joined: Mark between two parts.
        below: Beginning of continuation lines.
    """
    bound = f"{joined} ".join([part.replace(" ", "\u00a0") for part in parts])
    wide = max(WIDE, len(below) + WIDE // 2)
    lines = wrap(bound, wide, initial_indent=head, subsequent_indent=below, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines]


def many(trials: int) -> str:
    """Format a number of fights."""
    return f"{trials:,} fight{'' if trials == 1 else 's'}"


def stopped_early(half: float, wanted: Precision, *, interrupted: bool) -> str:
    """Explain why the precision that was asked for was not reached.

    Args:
        half: Half-width of the widest interval, from 0 to 1.
        interrupted: Whether the user interrupted the trials. Otherwise the limit of trials was reached.
    """
    why = "Interrupted" if interrupted else f"That is as many fights as --trials allows ({wanted.most:,})"
    known = f"chances are known to {half * 100:.1f} points on either side"
    return f"{why}: {known}, not to {wanted.within * 100:g} (--within)."


def why_not(why: Unended, most: int = MOST) -> str:
    """Describe the fights that did not end, by their reason.

    Args:
        most: Limit of commands of a fight.
    """
    return _WHY_NOT[why].format(most=most)


_WHY_NOT: dict[Unended, str] = {
    "stalemate": "came to a stalemate: nobody does anything in two rounds on end, or a hundred leave all as it was",
    "stuck": "got stuck: nobody found anything to do",
    "limit": "did not end in {most:,} commands",
}
