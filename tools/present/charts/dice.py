"""Dice as an SVG chart: counts per face, the expected count, and its 95 % band."""

from collections.abc import Iterator, Sequence

from affray.engine.analysis.stats import Summary

from .chart import Shape, draw_chart, group, line, rect, shorten, text
from .dice_bars import DiceBar, bars_of, chance, thrown_said

ACROSS, MARGIN, TOP = 720, 24, 56
"""Width of the picture, its margin, and the height above the first group, in pixels."""

HEAD, TALL, FOOT = 50, 120, 62
"""Heights above, in and below the bars of a group, in pixels."""

LONG = 76
"""A longer title does not fit the picture."""


def draw_dice(name: str, groups: Sequence[tuple[str, Summary]]) -> str:
    """Return a picture of groups with their titles."""
    says = "; ".join(f"{title}: {_caption(one)}" for title, one in groups) or "No die has been thrown yet."
    each = HEAD + TALL + FOOT
    shapes = [text("head", MARGIN, 32, shorten(name if groups else says, LONG))]
    for nth, (title, one) in enumerate(groups):
        shapes += _panel(title, one, TOP + nth * each)
    return draw_chart(name, says, ACROSS, TOP + len(groups) * each, shapes)


def _panel(title: str, dice: Summary, top: int) -> Iterator[Shape]:
    shown = bars_of(dice)
    most = max(max(bar.count, bar.high) for bar in shown)
    floor, step = top + HEAD + TALL, (ACROSS - 2 * MARGIN) / len(shown)
    yield text("head", MARGIN, top + 18, shorten(title, LONG))
    yield text("small", MARGIN, top + 36, _caption(dice))
    for nth, bar in enumerate(shown):
        yield _column(bar, MARGIN + nth * step, step, floor, TALL / most)
    yield line("floor", (MARGIN, floor), (ACROSS - MARGIN, floor))


def _column(bar: DiceBar, left: float, step: float, floor: int, scale: float) -> Shape:
    middle, tip, due = left + step / 2, floor - scale * bar.count, floor - scale * bar.expected
    return group(
        f"{bar.label}: {bar.count}, expected {bar.expected:.1f}, usually {bar.low} to {bar.high}",
        rect("band", left, floor - scale * bar.high, step, scale * (bar.high - bar.low)),
        rect("blue" if bar.usual else "orange", left + step * 0.2, tip, step * 0.6, floor - tip),
        line("expected", (left, due), (left + step, due)),
        text("middle", middle, floor + 16, bar.label),
        text("small middle", middle, floor + 31, f"×{bar.count}{'' if bar.usual else '*'}"),
    )


def _caption(dice: Summary) -> str:
    one = bars_of(dice)[0]
    return (
        f"{thrown_said(dice)}, mean {dice.mean:.2f} (fair {dice.fair_mean:.1f}), p {chance(dice.fairness.p)}; "
        f"expected {one.expected:.1f} each, usually {one.low} to {one.high} (the band, 95 of 100)"
    )
