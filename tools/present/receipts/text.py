"""An explanation as text."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from affray.engine.core.catalogue import ClauseText
from affray.engine.texts import quote
from affray.events import Clause

from .explanation import Explained, NumberLine, Slip
from .teller import Row

MANY = 24
"""Longer lists are cut to this number of lines."""


def receipt_lines(explained: Explained, width: int) -> Iterator[str]:
    """Yield an explanation line by line."""
    yield f"{quote(explained.fight)}: why event {explained.what.position} is what it is"
    yield ""
    yield row_line(explained.what)
    yield f"       sent by {explained.sent}"
    if explained.again:
        yield f"       decided again because of {explained.again.position} {explained.again.text}"
    if explained.undone:
        yield f"       it does not count any more: {explained.undone.position} {explained.undone.text}"
    if explained.chain:
        yield from _with_heading("How it came about", _rows(explained.chain))
    if explained.slip:
        yield from _with_heading("The roll", _slip(explained.slip))
    if explained.damage:
        yield from _with_heading(
            "The damage", (line for row, parts in explained.damage for line in _damage(row, parts))
        )
    if explained.consequences:
        yield from _with_heading("What followed", _rows(explained.consequences))
    if explained.clauses:
        yield from _with_heading("The rules", clause_lines(explained.clauses, width))


def _with_heading(title: str, below: Iterator[str]) -> Iterator[str]:
    yield ""
    yield title
    yield from below


def row_line(row: Row) -> str:
    """Return an event as a line: its position, its sentence and its clauses."""
    cited = f" ({', '.join(row.rules)})" if row.rules else ""
    return f"{row.position:>6} {row.text}{cited}"


def _rows(rows: Sequence[Row]) -> Iterator[str]:
    shown = rows[:MANY]
    yield from map(row_line, shown)
    if len(shown) < len(rows):
        yield f"       … and {len(rows) - len(shown)} more, up to position {rows[-1].position}"


def _slip(slip: Slip) -> Iterator[str]:
    yield f"  whose      {slip.whose}"
    yield f"  part of    {slip.belongs.position} {slip.belongs.text}"
    for nth, (what, shown, origin) in enumerate(slip.dice):
        yield f"  {'' if nth else 'dice':<10} {what}: {shown} – {origin}"
    yield from _numbers("pool", slip.pool)
    yield from _numbers("added", slip.modifiers)
    yield f"  total      {slip.came_to}"
    for row in slip.judged:
        yield f"  judged     {row_line(row).lstrip()}"


def _numbers(title: str, numbers: Sequence[NumberLine]) -> Iterator[str]:
    for nth, one in enumerate(numbers):
        rule = f" ({one.rule})" if one.rule else ""
        yield f"  {'' if nth else title:<10} {one.value} {one.label}{rule} ← {one.granted}"


def _damage(row: Row, parts: Sequence[NumberLine]) -> Iterator[str]:
    yield row_line(row)
    yield from _numbers("", parts)


def clause_lines(cited: Mapping[Clause, ClauseText], width: int) -> Iterator[str]:
    """Yield the texts of clauses."""
    for name, text in cited.items():
        yield f"  {name}  {text.title}"
        yield from wrap(" ".join(text.says.split()), width, initial_indent="    ", subsequent_indent="    ")
