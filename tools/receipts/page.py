"""An explanation as one page that needs nothing else: no script, no address, everything escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from affray.events import Clause
from affray.tools.printing import markup

from .teller import Row
from .told import Number, Slip, Told

_QUOTED, _CODE = re.compile(r"`([^`]+)`"), r"<code>\1</code>"

STYLE = """\
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fbfaf7; --dim: #5d6675; --line: #d9d6cd; --mark: #8a3b12;
  --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e4dc; --paper: #16181d; --dim: #a0a7b4; --line: #353a44; --mark: #f0a36b; --card: #1d2027; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 1.25rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
.dim, .rules, dt small { color: var(--dim); font-size: .875rem; }
.what { border-left: .25rem solid var(--mark); background: var(--card); padding: .75rem 1rem; margin: 1rem 0; }
.what p { margin: 0; }
.what .undone { color: var(--mark); }
a { color: inherit; text-decoration-color: var(--dim); white-space: nowrap; }
ol { list-style: none; margin: 0; padding: 0; }
ol li { border-top: 1px solid var(--line); padding: .35rem 0 .35rem 3.5rem; position: relative; }
ol b { position: absolute; left: 0; width: 3rem; text-align: right; color: var(--dim); font-weight: 400;
  font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; background: var(--card); }
caption { text-align: left; font-weight: 600; padding: .5rem 0; background: var(--paper); }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
table + table { margin-top: .75rem; }
thead th { font-size: .875rem; color: var(--dim); font-weight: 600; overflow-wrap: normal; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.total { font-size: 1.15rem; font-weight: 600; margin: 1rem 0 0; }
dt { font-weight: 600; margin-top: .9rem; }
dd { margin: .1rem 0 0; }
@media (max-width: 34rem) {
  body { padding: .9rem; }
  ol li { padding-left: 3rem; }
  ol b { width: 2.5rem; }
  th, td { padding: .3rem .4rem; font-size: .9rem; }
}
"""


def html(told: Told, book: str = "") -> str:
    """Return the page.

    Args:
        told: What it says.
        book: The address of the system's book, as seen from the page; without one its clauses are not linked.
    """
    return "\n".join(_page(told, book)) + "\n"


def _page(told: Told, book: str) -> Iterator[str]:
    title = f"{told.fight}: why event {told.what.position} is what it is"
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup(title)}</title>"
    yield f"<style>\n{STYLE}</style>"
    yield "</head>"
    yield "<body>"
    yield "<header>"
    yield f"<h1>{markup(title)}</h1>"
    yield '<div class="what">'
    yield f"<p>{markup(told.what.text)}{_cited(told.what.rules)}</p>"
    yield f'<p class="dim">sent by {markup(told.sent)}</p>'
    if told.again:
        again = f"decided again because of {told.again.position} {told.again.text}"
        yield f'<p class="dim">{markup(again)}</p>'
    if told.undone:
        undone = f"it does not count any more: {told.undone.position} {told.undone.text}"
        yield f'<p class="undone">{markup(undone)}</p>'
    yield "</div>"
    yield "</header>"
    yield "<main>"
    yield from _section("How it came about", _list(told.chain))
    yield from _section("The roll", _slip(told.slip) if told.slip else ())
    yield from _section("The damage", (line for row, parts in told.damage for line in _damage(row, parts)))
    yield from _section("What followed", _list(told.consequences))
    yield from _section("The rules", _clauses(told, book))
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _section(title: str, content: Iterable[str]) -> Iterator[str]:
    """Yield a section, or nothing where there is nothing in it."""
    inside = list(content)
    if inside:
        yield from ("<section>", f"<h2>{title}</h2>", *inside, "</section>")


def _cited(rules: Sequence[Clause]) -> str:
    linked = ", ".join(_clause(rule) for rule in rules)
    return f' <span class="rules">({linked})</span>' if rules else ""


def _clause(rule: Clause) -> str:
    return f'<a href="#{markup(rule)}">{markup(rule)}</a>' if rule else ""


def _list(rows: Sequence[Row]) -> Iterator[str]:
    if rows:
        yield "<ol>"
        for row in rows:
            yield f"<li><b>{row.position}</b> {markup(row.text)}{_cited(row.rules)}</li>"
        yield "</ol>"


def _slip(slip: Slip) -> Iterator[str]:
    yield f"<p>{markup(slip.whose)}; part of {slip.belongs.position} {markup(slip.belongs.text)}</p>"
    if slip.dice:
        yield from _table("Dice", ("dice", "show", "where they came from"), map(_die, slip.dice))
    yield from _numbers("What the dice come from", slip.pool)
    yield from _numbers("What was added", slip.modifiers)
    yield f'<p class="total">Total {markup(slip.came_to)}</p>'
    for row in slip.judged:
        yield f"<p>{row.position} {markup(row.text)}{_cited(row.rules)}</p>"


def _die(line: tuple[str, str, str]) -> str:
    what, shown, origin = map(markup, line)
    return f'<th scope="row">{what}</th><td>{shown}</td><td>{origin}</td>'


def _numbers(title: str, numbers: Sequence[Number]) -> Iterator[str]:
    if numbers:
        yield from _table(title, ("value", "what", "clause", "granted by"), map(_number, numbers))


def _number(one: Number) -> str:
    what, granted = markup(one.label), markup(one.granted)
    return (
        f'<td class="number">{markup(one.value)}</td><th scope="row">{what}</th>'
        f"<td>{_clause(one.rule)}</td><td>{granted}</td>"
    )


def _table(title: str, heads: Sequence[str], rows: Iterable[str]) -> Iterator[str]:
    yield "<table>"
    yield f"<caption>{title}</caption>"
    columns = "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield f"<thead><tr>{columns}</tr></thead>"
    yield "<tbody>"
    for row in rows:
        yield f"<tr>{row}</tr>"
    yield "</tbody>"
    yield "</table>"


def _damage(row: Row, parts: Sequence[Number]) -> Iterator[str]:
    yield f"<h3>{row.position} {markup(row.text)}</h3>"
    yield from _numbers("What it is made of", parts)


def _clauses(told: Told, book: str) -> Iterator[str]:
    if told.clauses:
        yield "<dl>"
        for name, text in told.clauses.items():
            shown = markup(name)
            if book:
                shown = f'<a href="{markup(f"{book}#{name}")}">{shown}</a>'
            yield f'<dt id="{markup(name)}">{shown} {markup(text.title)}</dt>'
            says = markup(" ".join(text.says.split()))
            yield f"<dd>{_QUOTED.sub(_CODE, says)}</dd>"
        yield "</dl>"
