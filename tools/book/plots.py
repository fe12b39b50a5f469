"""Small SVG plots of exact chances.

They grow with the page while their letters keep their size. Horizontal lengths are in percent of the width, vertical
ones in pixels.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from affray.engine.kit.odds import OddsRow, OddsTable
from affray.tools.present.charts.chart import Shape, circle, line, rect, text

ROW, BAR, LABEL = 42, 20, 15
"""Height of a row, height of its bar, and baseline of its label."""

THIN = 14
"""Height of a bar that shares its row with others."""

TALL, ABOVE, BELOW = 170, 10, 24
"""Height of a plot of lines, and the space above and below it."""

LEFT, RIGHT = 9.0, 97.0
"""Left and right end of a plot of lines."""

WIDE_ENOUGH = 0.09
"""Smallest share whose percentage fits into its part of a bar."""

MOST_BARS = 3
"""With more columns than this, independent chances are drawn as lines."""

SHADES = {1: "a", 2: "ae", 3: "ace", 4: "abde", 5: "abcde", 6: "abcdef"}
"""Colours of the parts of a whole, by the number of parts."""

BESIDE_NOTHING = {1: "a", 2: "ae", 3: "abe", 4: "abde", 5: "abdef"}
"""Colours of the other parts if one part is ``nothing``, which has the quietest colour."""

LINES = "123456789"
"""Colours of lines."""

LONG_LABEL = 4
"""A last label of more letters than this is aligned to the end of the plot."""


class Plot(Struct, frozen=True, kw_only=True):
    """The plot of a table: bars or lines.

    Attributes:
        says: Alternative text; the table beside the plot has the numbers.
        tall: Height.
        legend: Meaning and colour.
        lined: Whether it has lines.
    """

    says: str
    tall: int
    legend: tuple[tuple[str, str], ...]
    shapes: tuple[Shape, ...]
    lined: bool


def draw_plot(table: OddsTable) -> Plot:
    """Draw the plot of a table.

    Chances that sum to 1 are parts of one bar. Other chances get bars below each other, or lines over the columns.
    """
    says = f"{table.title}: {len(table.rows)} cases; the numbers are in the table"
    if table.shape == "curves" and len(table.columns) > MOST_BARS:
        legend = tuple((row.case, shade) for shade, row in zip(LINES, table.rows, strict=False))
        return Plot(says=says, tall=ABOVE + TALL + BELOW, legend=legend, shapes=tuple(_lines(table)), lined=True)
    whole = table.shape == "shares"
    shades = shades_of(table.columns) if whole else SHADES[len(table.columns)]
    each = ROW if whole else LABEL + 7 + len(shades) * (THIN + 2) + 4
    rows = tuple(
        Shape(
            "svg",
            {"y": nth * each, "width": "100%", "height": each},
            parts=(text("case", 0, LABEL, row.case), *(_parts(row, shades) if whole else _thin(row, shades))),
        )
        for nth, row in enumerate(table.rows)
    )
    legend = tuple(zip(table.columns, shades, strict=True))
    return Plot(says=says, tall=each * len(rows), legend=legend, shapes=rows, lined=False)


def shades_of(columns: Sequence[str]) -> str:
    """Return the colour of each part of a whole.

    The part ``nothing`` gets a quiet colour.
    """
    if "nothing" not in columns:
        return SHADES[len(columns)]
    others = iter(BESIDE_NOTHING[len(columns) - 1])
    return "".join("c" if column == "nothing" else next(others) for column in columns)


def _parts(row: OddsRow, shades: str) -> Iterator[Shape]:
    """Yield the parts of one bar, with percentages where there is room."""
    left, top = Fraction(0), LABEL + 5
    for share, shade in zip(row.chances, shades, strict=True):
        if share:
            x, wide = float(100 * left), float(100 * share)
            yield rect(f"s{shade}", f"{x:.3f}%", top, f"{wide:.3f}%", BAR)
            if share >= WIDE_ENOUGH:
                yield text(f"on{shade}", f"{x + wide / 2:.3f}%", top + 14, _whole_percent(share))
        left += share


def _thin(row: OddsRow, shades: str) -> Iterator[Shape]:
    """Yield a bar for each chance, with its percentage behind it."""
    for nth, (share, shade) in enumerate(zip(row.chances, shades, strict=True)):
        top, wide = LABEL + 5 + nth * (THIN + 2), float(88 * share)
        yield rect(f"s{shade}", 0, top, f"{wide:.3f}%", THIN)
        yield text("end", f"{wide + 1:.3f}%", top + 11, _whole_percent(share))


def _whole_percent(share: Fraction) -> str:
    """Format a share as a whole percentage."""
    return f"{round(float(100 * share))}%"


def _lines(table: OddsTable) -> Iterator[Shape]:
    """Yield a line for each case over the columns."""
    for share in (0, 25, 50, 75, 100):
        y = ABOVE + TALL - TALL * share / 100
        yield line("grid", (f"{LEFT}%", y), (f"{RIGHT}%", y))
        if share % 50 == 0:
            yield text("axis end", f"{LEFT - 1}%", y + 4, f"{share}%")
    most = len(table.columns) - 1
    across = [f"{LEFT + (RIGHT - LEFT) * nth / most:.2f}%" for nth in range(most + 1)]
    for nth in range(0, most + 1, 1 + most // 11):
        at_the_end = nth == most and len(table.columns[nth]) > LONG_LABEL
        style, x = ("axis end", "100%") if at_the_end else ("axis mid", across[nth])
        yield text(style, x, ABOVE + TALL + 18, table.columns[nth])
    for shade, row in zip(LINES, table.rows, strict=False):
        points = [(x, ABOVE + TALL - TALL * float(share)) for x, share in zip(across, row.chances, strict=True)]
        yield from (line(f"l{shade}", one, two) for one, two in pairwise(points))
        yield from (circle(f"s{shade}", x, y, 3) for x, y in points)
