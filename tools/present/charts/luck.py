"""The curve of a fight as an SVG chart, its turning points marked."""

from __future__ import annotations

from itertools import pairwise

from affray.tools.present.luck import Luck
from affray.tools.present.story.words import side_said

from .chart import Shape, circle, draw_chart, group, line, shorten, text

ACROSS, TALL, MARGIN, TOP = 760, 240, 48, 56
"""Width of the picture, height of the curve, margin, and height above the curve, in pixels."""

ROW = 20
"""Height of a line of text, in pixels."""

LONG = 100
"""A longer text does not fit the picture."""


def draw_luck(luck: Luck) -> str:
    """Return a picture of the curve."""
    spots = _spots(luck)
    rose = {one.position: one.after > one.before for one in luck.moves}
    until = "" if luck.ended else ", which goes on"
    name = f"The chance of {side_said(luck.side)} to win"
    says = f"From {len(luck.moves) + 1} moments of the fight{until}, {luck.trials} fights from each."
    below = TOP + TALL + MARGIN
    shapes = [text("head", MARGIN, 24, name), text("small", MARGIN, 42, says)]
    for part in (0, 25, 50, 75, 100):
        y = TOP + TALL * (1 - part / 100)
        shapes.append(line("grid", (MARGIN, y), (ACROSS - MARGIN, y)))
        shapes.append(text("small", ACROSS - MARGIN + 4, y + 4, f"{part} %"))
    steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in _steps(list(spots.values())))
    shapes.append(Shape("polyline", {"points": steps}, "curve blue"))
    for nth, one in enumerate(luck.turning, 1):
        x, y = spots[one.position]
        dot = circle("green" if rose[one.position] else "orange turning", x, y, 9)
        shapes.append(group(one.says, dot, text("number", x, y + 4, str(nth))))
    for nth, one in enumerate(luck.turning):
        shapes.append(text("", MARGIN, below + ROW * nth, shorten(f"{nth + 1}  {one.says}", LONG)))
    return draw_chart(name, says, ACROSS, below + ROW * len(luck.turning) + 16, shapes)


def _spots(found: Luck) -> dict[int, tuple[float, float]]:
    """Return the position of each moment: its x, and its chance as height."""
    counts = {0: found.opening} | {one.position: one.after for one in found.moves}
    first, last = min(one.position for one in found.moves) if found.moves else 1, max(counts)
    span = max(1, last - first)
    across = ACROSS - 2 * MARGIN
    return {
        position: (MARGIN + across * max(0, position - first) / span, TOP + TALL * (1 - count / found.trials))
        for position, count in counts.items()
    }


def _steps(spots: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a line that stays level until the next moment."""
    found = spots[:1]
    for (_, before), (x, y) in pairwise(spots):
        found += [(x, before), (x, y)]
    return found
