"""SVG picture of reliability: forecast across, result upwards, a panel a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from affray.tools.present.documents import document

from .measurement import Bin, Position, bins, brier

SIDE, GAP, MARGIN, TOP, BELOW = 150, 22, 52, 92, 58
"""Side of a panel, gap between panels, margin, and space above and below, in pixels."""

RADIUS = 7.0
"""Radius of the dot of a range that holds a quarter of all positions, in pixels."""


class Dot(NamedTuple):
    """A drawn range of forecasts: position, size and interval."""

    x: float
    y: float
    radius: float
    low: float
    high: float
    true: bool
    says: str


class Panel(NamedTuple):
    """The panel of a system: left edge, heading and dots."""

    left: float
    heading: str
    caption: str
    dots: list[Dot]


def svg(found: Mapping[str, Sequence[Position]], trials: int) -> str:
    """Draw how often forecasts came true."""
    panels = [_panel(MARGIN + nth * (SIDE + GAP), system, theirs) for nth, (system, theirs) in enumerate(found.items())]
    many = max(map(len, found.values()))
    return document(
        "lab/bench/calibration/calibration.svg",
        name="What was given, and what was won",
        says=f"A moment of each of {many:,} fresh fights, its odds from {trials} trials; bars are 95 % intervals.",
        across=2 * MARGIN + len(panels) * (SIDE + GAP) - GAP,
        tall=TOP + SIDE + BELOW,
        margin=MARGIN,
        top=TOP,
        side=SIDE,
        panels=panels,
        parts=(0, 25, 50, 75, 100),
    )


def _panel(left: float, system: str, found: Sequence[Position]) -> Panel:
    """Lay out the panel of a system."""
    dots = [_dot(left, part, len(found)) for part in bins(found)]
    return Panel(left, system, f"Brier score {brier(found):.3f}", dots)


def _dot(left: float, part: Bin, of: int) -> Dot:
    """Lay out the dot of a range."""
    won = part.won
    says = (
        f"Given {part.given * 100:.0f} %: {won.value * 100:.0f} % of {won.of} won"
        f" ({won.low * 100:.0f} to {won.high * 100:.0f})"
    )
    return Dot(
        x=left + SIDE * part.given,
        y=_height(won.value),
        radius=max(2.0, RADIUS * sqrt(4 * won.of / of)),
        low=_height(won.low),
        high=_height(won.high),
        true=part.true,
        says=says,
    )


def _height(value: float) -> float:
    """Return the vertical position of a share."""
    return TOP + SIDE * (1 - value)
