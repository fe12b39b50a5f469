"""The parts of a clause in the book: its example, its chances, its settings, where it is decided and counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from affray.engine.kit.odds import OddsRow, OddsTable
from affray.events import Clause
from affray.tools.printing import markup

from .book import Entry
from .code import Function
from .counted import Counted
from .plots import percent, plot
from .settings import Setting, written
from .telling import Act, Example, Sentence

_QUOTED, _CODE = re.compile(r"`([^`]+)`"), r"<code>\1</code>"
_DICE = re.compile(r"(d\d+)=([\d+]+)")

LONG = 13
"""A fraction of more characters than these is left to the percentage."""

NAMED = 4
"""So many functions are named at once."""


class Linked:
    """Texts of one book, in which the numbers of its clauses lead to them."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        known = sorted(clauses, key=len, reverse=True)
        self._clause = re.compile(rf"\b({'|'.join(map(re.escape, known))})\b")

    def __call__(self, text: str) -> str:
        """Return a text as markup."""
        shown = _QUOTED.sub(_CODE, markup(" ".join(text.split())))
        return self._clause.sub(r'<a href="#\1">\1</a>', shown)

    def code(self, text: str) -> str:
        """Return a program's text as markup, line by line."""
        return "\n".join(self._clause.sub(r'<a href="#\1">\1</a>', markup(line)) for line in text.splitlines())


def settings(some: Sequence[Setting], linked: Linked) -> Iterator[str]:
    """Yield the settings of a clause."""
    if some:
        yield '<dl class="settings">'
        for one in some:
            usual = one.usual.strip('"')
            ways = [way.strip('"') for way in one.choices] or [usual]
            shown = " <i>or</i> ".join(f"<b>{markup(way)}</b>" if way == usual else markup(way) for way in ways)
            yield f"<dt><code>{markup(one.key)}</code> <span>{shown}</span></dt><dd>{linked(one.says)}</dd>"
        yield "</dl>"


def example(one: Example, clause: Clause, linked: Linked) -> Iterator[str]:
    """Yield a scenario, told."""
    yield '<figure class="example">'
    yield f'<figcaption><span class="kind">Example</span>{linked(_capital(one.title))}</figcaption>'
    about = [*map(_capital, one.there), *map(_capital, one.ground)]
    if one.config:
        about.append("with " + ", ".join(f"{key} = {written(value)}" for key, value in one.config.items()))
    if one.before:
        about.append("before: " + "; ".join(one.before))
    yield f'<p class="there">{"<br>".join(linked(part) for part in about)}</p>'
    yield "<ol>"
    for act in one.acts:
        yield from _act(act, clause, linked)
    yield "</ol>"
    yield "</figure>"


def _act(act: Act, clause: Clause, linked: Linked) -> Iterator[str]:
    dice = "".join(
        f'<span class="die"><b>{face}</b><small>{die}</small></span>'
        for die, faces in _DICE.findall(act.dice)
        for face in faces.split("+")
    )
    did = f"<kbd>{markup(act.do)}</kbd>{dice}"
    if act.given:  # what led there is read by those who ask
        yield f'<li><details><summary class="do">{did}</summary>'
        yield from _came(act, clause, linked)
        yield "</details></li>"
        return
    yield f'<li><p class="do">{did}</p>'
    yield from _came(act, clause, linked)
    yield "</li>"


def _came(act: Act, clause: Clause, linked: Linked) -> Iterator[str]:
    if act.refused:
        here = ' class="here"' if act.rule == clause else ""
        why = f" ({act.rule})" if act.rule and act.rule not in act.refused else ""
        yield f"<ul><li{here}>Refused: {linked(act.refused + why)}</li></ul>"
    elif act.came:
        yield "<ul>"
        yield from (_sentence(line, clause, linked) for line in act.came)
        yield "</ul>"


def _sentence(line: Sentence, clause: Clause, linked: Linked) -> str:
    here = ' class="here"' if clause in line.rules else ""
    return f"<li{here}>{linked(line.text)}</li>"


def chances(table: OddsTable, linked: Linked) -> Iterator[str]:
    """Yield a table of exact chances with its plot."""
    yield '<figure class="odds">'
    yield f'<figcaption><span class="kind">Chances</span>{linked(table.title)}</figcaption>'
    yield from plot(table)
    if table.over:
        yield f'<p class="over">{linked(table.over)}</p>'
    if table.says:
        yield f'<p class="note">{linked(table.says)}</p>'
    yield "<details><summary>The exact numbers</summary>"
    yield from _numbers(table)
    yield "</details>"
    yield "</figure>"


def _numbers(table: OddsTable) -> Iterator[str]:
    heads = [*table.columns, *([table.averages] if table.averages else [])]
    yield '<div class="scroll"><table>'
    columns = "".join(f'<th scope="col">{markup(head)}</th>' for head in heads)
    yield f'<thead><tr><th scope="col">{markup(table.cases)}</th>{columns}</tr></thead>'
    yield "<tbody>"
    for row in table.rows:
        yield f'<tr><th scope="row">{markup(row.case)}</th>{"".join(_cells(row))}</tr>'
    yield "</tbody></table></div>"


def _cells(row: OddsRow) -> Iterator[str]:
    for share in row.chances:
        yield f"<td>{_exactly(percent(share), share)}</td>"
    if row.mean is not None:
        yield f"<td>{_exactly(f'{float(row.mean):.2f}', row.mean)}</td>"


def _exactly(shown: str, share: Fraction) -> str:
    """Return a number with its fraction, in small where it is short and for who asks where it is not."""
    exact = f"{share.numerator}/{share.denominator}"
    if share.denominator == 1:
        return shown.removesuffix(".00")
    return f"{shown}<small>{exact}</small>" if len(exact) <= LONG else f'<span title="{exact}">{shown}</span>'


def found_in(entry: Entry) -> Iterator[str]:
    """Yield where a clause is decided, and the recorded fights in which it counted."""
    if entry.functions:
        links = [_function(one) for one in entry.functions]
        more = len(links) - NAMED
        yield f'<p class="decided"><b>Decided by</b> {", ".join(links[:NAMED])}'
        if more > 0:
            yield f"<details><summary>and {more} more</summary>{', '.join(links[NAMED:])}</details>"
        yield "</p>"
    if entry.counted:
        times = sum(one.times for one in entry.counted)
        fights = "a recorded fight" if len(entry.counted) == 1 else f"{len(entry.counted)} recorded fights"
        yield f'<details class="counted"><summary>Counted {_times(times)} in {fights}</summary>'
        yield "<ul>"
        yield from map(_counted, entry.counted)
        yield "</ul></details>"


def anchor(one: Function) -> str:
    """Return where a piece of code stands in the book."""
    return f"code-{one.file.removesuffix('.py').replace('/', '.')}.{one.name}"


def _function(one: Function) -> str:
    return (
        f'<a href="#{markup(anchor(one))}"><code>{markup(one.name)}</code> '
        f"<small>{markup(one.file)}:{one.line}</small></a>"
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _counted(one: Counted) -> str:
    at = ", ".join(f"<b>{position}</b>" if position == one.at else str(position) for position in one.positions)
    more = " …" if one.times > len(one.positions) else ""
    return (
        f"<li><code>{markup(one.fight)}</code> {_times(one.times)}, at {at}{more}"
        f"<br><q>{one.at}: {markup(one.says)}</q></li>"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
