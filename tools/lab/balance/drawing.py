"""SVG picture of the chances of all variants, with the aim."""

from __future__ import annotations

from msgspec import Struct

from affray.tools.present.documents import document
from affray.tools.present.story.words import side_said

from .balance_text import Found, VariantRow

LETTER = 8.0
"""Average width of a letter at most, in pixels."""

LONG = 44
"""Longest name of a variant that fits the picture, in letters."""

PLOT, MARGIN, TOP, ROW = 440, 24, 76, 26
"""Width of the scale, margin, top of the first row, and height of a row, in pixels."""


class Bar(Struct, frozen=True, kw_only=True):
    """A drawn variant: name, position of chance and interval, and label."""

    y: float
    name: str
    low: float
    x: float
    high: float
    says: str
    best: bool


def svg(found: Found) -> str:
    """Draw a picture with a row for each variant."""
    side, names = found.rows[0].side, [_short(row.name) for row in found.rows]
    left = MARGIN + LETTER * max(map(len, names)) + 16
    floor = TOP + ROW * len(found.rows)
    says = "A dot is the chance in the fights fought; its line holds the true one in 95 of 100 cases."
    return document(
        "lab/balance/variants.svg",
        name=f"The chance of {side_said(side)} to win",
        says=says,
        across=max(left + PLOT + 150, 2 * MARGIN + LETTER * len(says)),
        tall=floor + 48,
        margin=MARGIN,
        left=left,
        floor=floor,
        top=TOP - 8,
        lines=[(left + PLOT * part / 100, f"{part} %") for part in (0, 25, 50, 75, 100)],
        end=left + PLOT + 14,
        bars=[
            _bar(row, name, TOP + ROW * (nth + 0.5), left, found)
            for nth, (row, name) in enumerate(zip(found.rows, names, strict=True))
        ],
        aim=None if found.aim is None else left + PLOT * found.aim / 100,
        aim_says="" if found.aim is None else f"wished for: {found.aim:g} %",
    )


def _bar(row: VariantRow, name: str, y: float, left: float, found: Found) -> Bar:
    """Lay out the row of a variant."""
    chance = row.chance
    return Bar(
        y=y,
        name=name,
        low=left + PLOT * chance.low,
        x=left + PLOT * chance.value,
        high=left + PLOT * chance.high,
        says=f"{chance.value * 100:.0f} % ({chance.low * 100:.0f} to {chance.high * 100:.0f})",
        best=len(found.rows) > 1 and row is found.nearest,
    )


def _short(text: str) -> str:
    """Shorten a name that does not fit."""
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"
