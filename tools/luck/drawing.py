"""The curve of a fight as an SVG picture, its turning points marked."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from affray.engine.analysis.luck import Curve, Move
from affray.engine.fight import Fight
from affray.tools.documents import document
from affray.tools.story.words import Names

from .telling import turning_points, turning_said

ACROSS, TALL, MARGIN, TOP = 760, 240, 48, 56
"""The width of the picture in pixels, the height of the curve, its margin, and what is above it."""

ROW = 20
"""How tall a line of text is."""

LONG = 100
"""A longer text does not fit the picture."""


class Mark(Struct, frozen=True, kw_only=True):
    """A turning point as it is drawn: where, its number, and what is said of it."""

    x: float
    y: float
    number: int
    says: str
    up: bool


def svg(fight: Fight, found: Curve, names: Names, turning: int) -> str:
    """Return a picture of the curve."""
    spots = _spots(found)
    turned = turning_points(found, turning)
    marks = [_mark(nth, one, spots, turning_said(fight, one, names)) for nth, one in enumerate(turned, 1)]
    says = f"The chance of {found.side} to win, from {found.of} moments of the fight, {found.trials} fights from each."
    return document(
        "luck/curve.svg",
        name=f"The chance of {found.side} to win",
        says=says,
        across=ACROSS,
        tall=TOP + TALL + MARGIN + ROW * len(marks) + 16,
        margin=MARGIN,
        top=TOP,
        floor=TOP + TALL,
        line=" ".join(f"{x:.1f},{y:.1f}" for x, y in _steps(list(spots.values()))),
        lines=[(TOP + TALL * (1 - part / 100), f"{part} %") for part in (0, 25, 50, 75, 100)],
        marks=marks,
        texts=[(TOP + TALL + MARGIN + ROW * nth, _short(f"{one.number}  {one.says}")) for nth, one in enumerate(marks)],
    )


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def _spots(found: Curve) -> dict[int, tuple[float, float]]:
    """Return where each moment lies: its position across, its chance from the floor up."""
    counts = {0: found.opening} | {one.position: one.after for one in found.moves}
    first, last = min(one.position for one in found.moves) if found.moves else 1, max(counts)
    span = max(1, last - first)
    across = ACROSS - 2 * MARGIN
    return {
        position: (
            MARGIN + across * max(0, position - first) / span,
            TOP + TALL * (1 - count / found.trials),
        )
        for position, count in counts.items()
    }


def _steps(spots: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a line that stays level until the next moment."""
    found = spots[:1]
    for (_, before), (x, y) in pairwise(spots):
        found += [(x, before), (x, y)]
    return found


def _mark(number: int, move: Move, spots: dict[int, tuple[float, float]], says: str) -> Mark:
    x, y = spots[move.position]
    return Mark(x=x, y=y, number=number, says=says, up=move.value > 0)
