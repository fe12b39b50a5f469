"""How chances and numbers that were counted are told."""

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
"""The columns that lines fit into."""


def percent(one: ShareEstimate) -> str:
    """Return a share with its interval: ``71.4 % (68.4 to 74.2)``."""
    return f"{one.value * 100:.1f} % ({one.low * 100:.1f} to {one.high * 100:.1f})"


def spread(counted: Counter[int]) -> str:
    """Return the mean and where four of five lie: ``6.2, mostly 4 to 9``."""
    low, high = find_counted_quantile(counted, 0.1), find_counted_quantile(counted, 0.9)
    return (
        f"{find_counted_mean(counted):.1f}"
        if low == high
        else f"{find_counted_mean(counted):.1f}, mostly {low} to {high}"
    )


def wrapped(head: str, parts: Iterable[str], joined: str, below: str) -> list[str]:
    """Return parts behind a head as lines; no line ends within a part.

    Args:
        joined: What stands between two parts.
        below: What further lines begin with.
    """
    bound = f"{joined} ".join([part.replace(" ", "\u00a0") for part in parts])
    wide = max(WIDE, len(below) + WIDE // 2)
    lines = wrap(bound, wide, initial_indent=head, subsequent_indent=below, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines]


def many(trials: int) -> str:
    """Return how many fights there were."""
    return f"{trials:,} fight{'' if trials == 1 else 's'}"


def stopped_early(half: float, wanted: Precision, *, interrupted: bool) -> str:
    """Return why less is known than was wanted.

    Args:
        half: To how much on either side the least certain chance is known, from 0 to 1.
        interrupted: Whether somebody did not want to wait; if not, all the trials are fought that there may be.
    """
    why = "Interrupted" if interrupted else f"That is as many fights as --trials allows ({wanted.most:,})"
    known = f"chances are known to {half * 100:.1f} points on either side"
    return f"{why}: {known}, not to {wanted.within * 100:g} (--within)."


def why_not(why: Unended, most: int = MOST) -> str:
    """Return what is said of fights that did not end.

    Args:
        most: How many commands they might take.
    """
    return _WHY_NOT[why].format(most=most)


_WHY_NOT: dict[Unended, str] = {
    "stalemate": "came to a stalemate: nobody does anything in two rounds on end, or a hundred leave all as it was",
    "stuck": "got stuck: nobody found anything to do",
    "limit": "did not end in {most:,} commands",
}
