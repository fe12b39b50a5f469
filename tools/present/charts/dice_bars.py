"""Dice as bars in a terminal."""

from collections.abc import Iterator

from msgspec import Struct

from affray.engine.analysis.stats import Summary, find_binomial_band

WIDTH = 50
"""The longest bar in columns."""

MOST, FEWER = 20, 10
"""A die with more faces than the first number is plotted in bands, at most as many as the second number."""


class DiceBar(Struct, frozen=True):
    """A bar of a chart of dice: a face or a range of faces.

    Attributes:
        label: The face, or the first and last of several.
        count: The number of times it fell.
        expected: The number of times it falls on average.
        low, high: The range of counts in which fair dice lie in 95 of 100 cases.
    """

    label: str
    count: int
    expected: float
    low: int
    high: int

    @property
    def usual(self) -> bool:
        """Tell whether fair dice fall this often in 95 of 100 cases."""
        return self.low <= self.count <= self.high


def bars_of(group: Summary) -> list[DiceBar]:
    """List the bars of a group: one per face, or one per range if there are too many faces."""
    width = 1 if group.sides <= MOST else -(-group.sides // FEWER)
    found = []
    for first in range(1, group.sides + 1, width):
        last = min(first + width - 1, group.sides)
        share = (last - first + 1) / group.sides
        low, high = find_binomial_band(group.throws, share)
        count = sum(group.counts[first - 1 : last])
        label = str(first) if first == last else f"{first}–{last}"
        found.append(DiceBar(label, count, group.throws * share, low, high))
    return found


def bars(group: Summary) -> Iterator[str]:
    """Yield a bar per face with its count.

    A line marks the expected count, a star a count that fair dice rarely show.
    """
    shown = bars_of(group)
    most = max(max(bar.count, bar.expected) for bar in shown)
    wide = max(len(bar.label) for bar in shown)
    for bar in shown:
        length, mark = (round(WIDTH * value / most) for value in (bar.count, bar.expected))
        row = list("█" * length + " " * (WIDTH + 1 - length))
        row[mark] = "│"
        yield f"  {bar.label:>{wide}}  {''.join(row)} {bar.count:>4}{'' if bar.usual else '*'}"
    one = shown[0]
    seldom = (
        ""
        if all(bar.usual for bar in shown)
        else f"   * outside {one.low} to {one.high}, where 95 of 100 fair counts lie"
    )
    yield f"  {'':{wide}}  │ expected {one.expected:.1f}{seldom}"


def thrown_said(group: Summary) -> str:
    """Return the number of dice in a group."""
    return "1 die" if group.throws == 1 else f"{group.throws} dice"


def chance(p: float) -> str:
    """Format a chance with three digits, never as zero."""
    return f"{p:.3f}" if p >= 0.0005 else "<0.001"
