"""SVG chart of reliability: forecast across, result upwards, a panel a system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from affray.tools.present.charts.chart import Shape, circle, draw_chart, group, line, text

from .measurement import Bin, Position, bins, brier

SIDE, GAP, MARGIN, TOP, BELOW = 150, 22, 52, 92, 58
"""Side of a panel, gap between panels, margin, and space above and below, in pixels."""

RADIUS = 7.0
"""Radius of the dot of a range that holds a quarter of all positions, in pixels."""

PARTS = (0, 25, 50, 75, 100)
NAME = "What was given, and what was won"
AXES = (
    "Across: the chance that was given, in per cent. Upwards: how many were won. On the broken line both are the same."
)


def draw_calibration(found: Mapping[str, Sequence[Position]], trials: int) -> str:
    """Draw how often forecasts came true."""
    many = max(map(len, found.values()))
    says = f"A moment of each of {many:,} fresh fights, its odds from {trials} trials; bars are 95 % intervals."
    shapes = [text("head", MARGIN, 26, NAME), text("small fine", MARGIN, 44, says)]
    shapes += (text("small fine end", MARGIN - 8, _height(part / 100) + 4, f"{part} %") for part in PARTS)
    for nth, (system, theirs) in enumerate(found.items()):
        shapes += _panel(MARGIN + nth * (SIDE + GAP), system, theirs)
    shapes.append(text("small fine", MARGIN, TOP + SIDE + 40, AXES))
    return draw_chart(NAME, says, 2 * MARGIN + len(found) * (SIDE + GAP) - GAP, TOP + SIDE + BELOW, shapes)


def _panel(left: int, system: str, found: Sequence[Position]) -> Iterator[Shape]:
    """Draw the panel of a system."""
    right, floor = left + SIDE, TOP + SIDE
    yield text("", left, TOP - 24, system)
    yield text("small fine", left, TOP - 9, f"Brier score {brier(found):.3f}")
    for part in PARTS:
        x, y = left + SIDE * part / 100, TOP + SIDE * part / 100
        yield line("grid crisp", (x, TOP), (x, floor))
        yield line("grid crisp", (left, y), (right, y))
    for part in (0, 50, 100):
        yield text("small fine middle", left + SIDE * part / 100, floor + 16, str(part))
    yield line("even", (left, floor), (right, TOP))
    for one in bins(found):
        yield _dot(left, one, len(found))


def _dot(left: int, part: Bin, of: int) -> Shape:
    """Draw the dot of a range and its interval."""
    won, x, colour = part.won, left + SIDE * part.given, "blue" if part.true else "orange"
    return group(
        f"Given {part.given * 100:.0f} %: {won.value * 100:.0f} % of {won.of} won"
        f" ({won.low * 100:.0f} to {won.high * 100:.0f})",
        line(f"span {colour}", (x, _height(won.low)), (x, _height(won.high))),
        circle(f"dot {colour}", x, _height(won.value), max(2.0, RADIUS * sqrt(4 * won.of / of))),
    )


def _height(value: float) -> float:
    """Return the vertical position of a share."""
    return TOP + SIDE * (1 - value)
