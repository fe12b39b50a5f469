"""Layout of small plots of exact chances.

They grow with the page while their letters keep their size. Horizontal lengths are in percent of the width, vertical
ones in pixels.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from affray.engine.kit.odds import OddsRow, OddsTable

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


class PlotBar(Struct, frozen=True, kw_only=True):
    """A bar, or a part of one.

    Attributes:
        shade: Colour.
        left, wide, top, tall: Position and size.
        says: Percentage; empty if there is no room for it.
    """

    shade: str
    left: float
    wide: float
    top: int
    tall: int
    says: str


class Bars(Struct, frozen=True, kw_only=True):
    """Rows of bars.

    Attributes:
        legend: Meaning and colour.
        each: Height of a row.
        rows: Label and bars of each row.
        inside: Whether percentages stand inside the bars, or after them.
    """

    legend: tuple[tuple[str, str], ...]
    each: int
    rows: tuple[tuple[str, tuple[PlotBar, ...]], ...]
    inside: bool


class Tick(Struct, frozen=True, kw_only=True):
    """A label below a plot of lines. The last one may be aligned to the end."""

    x: float
    says: str
    at_the_end: bool


class Lines(Struct, frozen=True, kw_only=True):
    """A line for each row over the columns.

    Attributes:
        legend: Meaning and colour.
        grid: Horizontal lines: position and share in percent.
        ticks: Labels below the plot.
        curves: Colour and points of each line.
    """

    legend: tuple[tuple[str, str], ...]
    grid: tuple[tuple[float, int], ...]
    ticks: tuple[Tick, ...]
    curves: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]


class Plot(Struct, frozen=True, kw_only=True):
    """The plot of a table: bars or lines.

    Attributes:
        says: Alternative text; the table beside the plot has the numbers.
        tall: Height.
    """

    says: str
    tall: int
    bars: Bars | None = None
    lines: Lines | None = None


def lay_out_plot(table: OddsTable) -> Plot:
    """Lay out the plot of a table."""
    says = f"{table.title}: {len(table.rows)} cases; the numbers are in the table"
    if table.shape == "curves" and len(table.columns) > MOST_BARS:
        return Plot(says=says, tall=ABOVE + TALL + BELOW, lines=_lines(table))
    bars = _bars(table)
    return Plot(says=says, tall=bars.each * len(bars.rows), bars=bars)


def shades_of(columns: Sequence[str]) -> str:
    """Return the colour of each part of a whole.

    The part ``nothing`` gets a quiet colour.
    """
    if "nothing" not in columns:
        return SHADES[len(columns)]
    others = iter(BESIDE_NOTHING[len(columns) - 1])
    return "".join("c" if column == "nothing" else next(others) for column in columns)


def _bars(table: OddsTable) -> Bars:
    """Lay out a row of bars for each case.

    Chances that sum to 1 are parts of one bar. Other chances get bars below each other.
    """
    whole = table.shape == "shares"
    shades = shades_of(table.columns) if whole else SHADES[len(table.columns)]
    return Bars(
        legend=tuple(zip(table.columns, shades, strict=True)),
        each=ROW if whole else LABEL + 7 + len(shades) * (THIN + 2) + 4,
        rows=tuple((row.case, tuple(_parts(row, shades) if whole else _thin(row, shades))) for row in table.rows),
        inside=whole,
    )


def _parts(row: OddsRow, shades: str) -> list[PlotBar]:
    """Lay out the parts of one bar, with percentages where there is room."""
    found, left = [], Fraction(0)
    for share, shade in zip(row.chances, shades, strict=True):
        if share:
            says = _whole_percent(share) if share >= WIDE_ENOUGH else ""
            x, wide = float(100 * left), float(100 * share)
            found.append(PlotBar(shade=shade, left=x, wide=wide, top=LABEL + 5, tall=BAR, says=says))
        left += share
    return found


def _thin(row: OddsRow, shades: str) -> Iterator[PlotBar]:
    """Yield a bar for each chance."""
    for nth, (share, shade) in enumerate(zip(row.chances, shades, strict=True)):
        top, wide = LABEL + 5 + nth * (THIN + 2), float(88 * share)
        yield PlotBar(shade=shade, left=0, wide=wide, top=top, tall=THIN, says=_whole_percent(share))


def _whole_percent(share: Fraction) -> str:
    """Format a share as a whole percentage."""
    return f"{round(float(100 * share))}%"


def _lines(table: OddsTable) -> Lines:
    """Lay out a line for each case over the columns."""
    most = len(table.columns) - 1
    across = [LEFT + (RIGHT - LEFT) * nth / most for nth in range(most + 1)]
    every = 1 + most // 11
    ticks = [
        Tick(x=x, says=column, at_the_end=nth == most and len(column) > LONG_LABEL)
        for nth, (x, column) in enumerate(zip(across, table.columns, strict=True))
        if nth % every == 0
    ]
    curves = [
        (shade, tuple((x, ABOVE + TALL - TALL * float(share)) for x, share in zip(across, row.chances, strict=True)))
        for shade, row in zip(LINES, table.rows, strict=False)
    ]
    return Lines(
        legend=tuple((row.case, shade) for shade, row in zip(LINES, table.rows, strict=False)),
        grid=tuple((ABOVE + TALL - TALL * share / 100, share) for share in (0, 25, 50, 75, 100)),
        ticks=tuple(ticks),
        curves=tuple(curves),
    )
