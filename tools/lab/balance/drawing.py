"""SVG chart of the chances of all variants, with the aim."""

from __future__ import annotations

from affray.tools.present.charts.chart import Shape, circle, draw_chart, group, line, shorten, text
from affray.tools.present.story.words import side_said

from .balance_text import Found, VariantRow

LETTER = 8
"""Average width of a letter at most, in pixels."""

LONG = 44
"""Longest name of a variant that fits the picture, in letters."""

PLOT, MARGIN, TOP, ROW = 440, 24, 76, 26
"""Width of the scale, margin, top of the first row, and height of a row, in pixels."""

SAYS = "A dot is the chance in the fights fought; its line holds the true one in 95 of 100 cases."


def draw_balance(found: Found) -> str:
    """Draw a picture with a row for each variant."""
    name = f"The chance of {side_said(found.rows[0].side)} to win"
    left = MARGIN + LETTER * max(len(shorten(row.name, LONG)) for row in found.rows) + 16
    top, floor = TOP - 8, TOP + ROW * len(found.rows)
    shapes = [text("head", MARGIN, 24, name), text("small", MARGIN, 42, SAYS)]
    for part in (0, 25, 50, 75, 100):
        x = left + PLOT * part / 100
        shapes += line("grid", (x, top), (x, floor)), text("small middle", x, floor + 18, f"{part} %")
    if found.aim is not None:
        x = left + PLOT * found.aim / 100
        shapes.append(line("aim", (x, top), (x, floor)))
        shapes.append(text("small middle orange", x, top - 5, f"wished for: {found.aim:g} %"))
    shapes += (_row(row, TOP + ROW * (nth + 0.5), left, found) for nth, row in enumerate(found.rows))
    return draw_chart(name, SAYS, max(left + PLOT + 150, 2 * MARGIN + LETTER * len(SAYS)), floor + 48, shapes)


def _row(row: VariantRow, y: float, left: float, found: Found) -> Shape:
    """Draw the row of a variant."""
    chance, name, best = row.chance, shorten(row.name, LONG), len(found.rows) > 1 and row is found.nearest
    says = f"{chance.value * 100:.0f} % ({chance.low * 100:.0f} to {chance.high * 100:.0f})"
    colour = "green" if best else "blue"
    return group(
        f"{name}: {says}",
        text("", MARGIN, y + 4, name),
        line(f"range {colour}", (left + PLOT * chance.low, y), (left + PLOT * chance.high, y)),
        circle(f"chance {colour}", left + PLOT * chance.value, y, 5),
        text("", left + PLOT + 14, y + 4, says),
        style="best" if best else "",
    )
