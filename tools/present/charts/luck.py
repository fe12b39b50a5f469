"""The curve of a fight as an SVG picture, its turning points marked."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from affray.tools.present.documents import document
from affray.tools.present.luck import Luck
from affray.tools.present.story.words import side_said

ACROSS, TALL, MARGIN, TOP = 760, 240, 48, 56
"""Width of the picture, height of the curve, margin, and height above the curve, in pixels."""

ROW = 20
"""Height of a line of text, in pixels."""

LONG = 100
"""A longer text does not fit the picture."""


class ChartMark(Struct, frozen=True, kw_only=True):
    """A turning point as it is drawn: its place, its number and its text."""

    x: float
    y: float
    number: int
    says: str
    up: bool


def draw_luck(luck: Luck) -> str:
    """Return a picture of the curve."""
    spots = _spots(luck)
    rose = {one.position: one.after > one.before for one in luck.moves}
    marks = [
        ChartMark(x=spots[one.position][0], y=spots[one.position][1], number=nth, says=one.says, up=rose[one.position])
        for nth, one in enumerate(luck.turning, 1)
    ]
    many = len(luck.moves) + 1
    until = "" if luck.ended else ", which goes on"
    return document(
        "present/charts/luck.svg",
        name=f"The chance of {side_said(luck.side)} to win",
        says=f"From {many} moments of the fight{until}, {luck.trials} fights from each.",
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


def _spots(found: Luck) -> dict[int, tuple[float, float]]:
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
