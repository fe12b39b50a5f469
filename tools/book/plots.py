"""Small plots of exact chances as SVG: they grow with the page, while their letters keep their size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from affray.engine.kit.odds import OddsRow, OddsTable
from affray.tools.printing import markup

ROW, BAR, LABEL = 42, 20, 15
"""The height of a row in pixels, of its bar, and where the letters of its label stand."""

THIN = 14
"""The height of a bar that is one of several in a row."""

TALL, ABOVE, BELOW = 170, 10, 24
"""The height of a plot of lines, and what is left above and below it."""

LEFT, RIGHT = 9.0, 97.0
"""Where a plot of lines begins and ends, in percent of its width."""

WIDE_ENOUGH = 0.09
"""A share from which on its percentage has room in its part of a bar."""

MOST_BARS = 3
"""With more columns than these, chances that stand each for itself are drawn as lines."""

SHADES = {1: "a", 2: "ae", 3: "ace", 4: "abde", 5: "abcde", 6: "abcdef"}
"""The colours of so many parts of a whole, from the first to the last."""

BESIDE_NOTHING = {1: "a", 2: "ae", 3: "abe", 4: "abde", 5: "abdef"}
"""Those of the parts beside one that is nothing, which has the quietest colour of all."""

LONG_LABEL = 4
"""A last label of more letters than these ends where the plot does."""


def plot(table: OddsTable) -> Iterator[str]:
    """Yield the plot of a table, with its legend."""
    if table.shape == "shares":
        shades = shades_of(table.columns)
        yield from _legend(table.columns, shades)
        yield from _bars(table, [_shares(row, shades) for row in table.rows], ROW)
    elif len(table.columns) <= MOST_BARS:
        shades = SHADES[len(table.columns)]
        yield from _legend(table.columns, shades)
        rows = [_beside(row, shades) for row in table.rows]
        yield from _bars(table, rows, LABEL + 7 + len(table.columns) * (THIN + 2) + 4)
    else:
        yield from _legend([row.case for row in table.rows], "123456789", lines=True)
        yield from _lines(table)


def shades_of(columns: Sequence[str]) -> str:
    """Return the colour of each part of a whole; that of nothing does not catch the eye."""
    if "nothing" not in columns:
        return SHADES[len(columns)]
    others = iter(BESIDE_NOTHING[len(columns) - 1])
    return "".join("c" if column == "nothing" else next(others) for column in columns)


def percent(share: Fraction) -> str:
    """Return a chance in percent: to a tenth, and never as nothing or all where it is not."""
    if share in (0, 1):
        return f"{100 * int(share)} %"
    shown = f"{float(100 * share):.1f}"
    return f"{'<0.1' if shown == '0.0' else '>99.9' if shown == '100.0' else shown} %"


def _legend(names: Sequence[str], shades: str, *, lines: bool = False) -> Iterator[str]:
    """Yield what each colour means; lines also differ in their dashes."""
    yield '<ul class="legend">'
    for name, shade in zip(names, shades, strict=False):
        sample = f'<rect class="s{shade}" width="12" height="12" rx="2"/>'
        if lines:
            sample = (
                f'<line class="l{shade}" x1="1" x2="37" y1="6" y2="6"/><circle class="s{shade}" cx="19" cy="6" r="3"/>'
            )
        wide = 38 if lines else 12
        kind = ' class="sample"' if lines else ""
        yield f'<li><svg{kind} width="{wide}" height="12" aria-hidden="true">{sample}</svg>{markup(name)}</li>'
    yield "</ul>"


def _bars(table: OddsTable, rows: list[list[str]], height: int) -> Iterator[str]:
    """Yield rows of bars, each with its label above it."""
    yield _frame(table, height * len(rows))
    for nth, (row, bars) in enumerate(zip(table.rows, rows, strict=True)):
        yield f'<svg y="{nth * height}" width="100%" height="{height}">'
        yield f'<text class="case" x="0" y="{LABEL}">{markup(row.case)}</text>'
        yield from bars
        yield "</svg>"
    yield "</svg>"


def _shares(row: OddsRow, shades: str) -> list[str]:
    """Return the parts of one bar, each with its percentage where there is room."""
    found, left, top = [], Fraction(0), LABEL + 5
    for share, shade in zip(row.chances, shades, strict=True):
        if share:
            x, wide = float(100 * left), float(100 * share)
            found.append(f'<rect class="s{shade}" x="{x:.3f}%" y="{top}" width="{wide:.3f}%" height="{BAR}"/>')
            if share >= WIDE_ENOUGH:
                text = f"{round(float(100 * share))}%"
                found.append(f'<text class="on{shade}" x="{x + wide / 2:.3f}%" y="{top + 14}">{text}</text>')
        left += share
    return found


def _beside(row: OddsRow, shades: str) -> list[str]:
    """Return several bars below each other, of chances that stand each for itself."""
    found = []
    for nth, (share, shade) in enumerate(zip(row.chances, shades, strict=True)):
        top, wide = LABEL + 5 + nth * (THIN + 2), float(88 * share)
        found.append(f'<rect class="s{shade}" x="0" y="{top}" width="{wide:.3f}%" height="{THIN}"/>')
        found.append(f'<text class="end" x="{wide + 1:.3f}%" y="{top + 11}">{round(float(100 * share))}%</text>')
    return found


def _lines(table: OddsTable) -> Iterator[str]:
    """Yield a line for each row over the columns."""
    most = len(table.columns) - 1
    yield _frame(table, ABOVE + TALL + BELOW)
    for share in (0, 25, 50, 75, 100):
        y = ABOVE + TALL - TALL * share / 100
        yield f'<line class="grid" x1="{LEFT}%" x2="{RIGHT}%" y1="{y}" y2="{y}"/>'
        if share % 50 == 0:
            yield f'<text class="axis end" x="{LEFT - 1}%" y="{y + 4}">{share}%</text>'
    across = [LEFT + (RIGHT - LEFT) * nth / most for nth in range(most + 1)]
    every = 1 + most // 11
    for nth, (x, column) in enumerate(zip(across, table.columns, strict=True)):
        if nth % every == 0:
            at_the_end = nth == most and len(column) > LONG_LABEL
            place = 'class="axis end" x="100%"' if at_the_end else f'class="axis mid" x="{x:.2f}%"'
            yield f'<text {place} y="{ABOVE + TALL + 18}">{markup(column)}</text>'
    for shade, row in zip("123456789", table.rows, strict=False):
        down = [ABOVE + TALL - TALL * float(share) for share in row.chances]
        for nth in range(most):
            ends = f'x1="{across[nth]:.2f}%" x2="{across[nth + 1]:.2f}%" y1="{down[nth]:.1f}" y2="{down[nth + 1]:.1f}"'
            yield f'<line class="l{shade}" {ends}/>'
        for x, y in zip(across, down, strict=True):
            yield f'<circle class="s{shade}" cx="{x:.2f}%" cy="{y:.1f}" r="3"/>'
    yield "</svg>"


def _frame(table: OddsTable, height: int) -> str:
    return f'<svg class="plot" width="100%" height="{height}" role="img" aria-label="{markup(_said(table))}">'


def _said(table: OddsTable) -> str:
    """Return what a plot shows to somebody who does not see it; the table beside it has the numbers."""
    return f"{table.title}: {len(table.rows)} cases; the numbers are in the table"
