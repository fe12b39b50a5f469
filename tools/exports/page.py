"""A report as one page that needs nothing else: no script, no address, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from affray.engine.fight import Fight
from affray.engine.integrity.audit import Report as Audited
from affray.tools.printing import markup
from affray.tools.receipts.page import STYLE

from .report import Chapter, Counter, Dice, Fighter, Report, Said, reported
from .words import HOW_TO_VERIFY, dice_meaning, record_said, subtitle

OWN_STYLE = """\
h1 { font-size: 1.9rem; line-height: 1.15; text-wrap: balance; }
h2 { border-top: 1px solid var(--line); padding-top: 1.25rem; font-size: 1.2rem; }
.outcome { border-left: .25rem solid var(--mark); background: var(--card); padding: .75rem 1rem; margin: 1rem 0 0;
  font-size: 1.15rem; font-weight: 600; }
.scroll { overflow-x: auto; }
.scroll table { overflow-wrap: normal; }
th.number { text-align: right; }
.fighters th[scope=row] { min-width: 7rem; }
tbody th { font-weight: 600; }
th[colspan] { background: var(--paper); border-left: 0; border-right: 0; padding-top: .9rem; }
.counter { display: block; white-space: nowrap; }
.bar { display: inline-block; width: 4.5rem; height: .6rem; margin-right: .5rem; border: 1px solid var(--dim);
  background: linear-gradient(var(--mark), var(--mark)) left / var(--share) 100% no-repeat; }
.turns li { padding-left: 5.5rem; }
.turns b { width: 5rem; text-align: left; white-space: nowrap; }
.story h3 { margin: 1rem 0 .15rem; }
.story ul { margin: 0; padding-left: 1.1rem; }
.story li { margin: .1rem 0; }
summary { cursor: pointer; font-weight: 600; margin: 2rem 0 .5rem; }
dt + dd { font-family: ui-monospace, monospace; font-size: .875rem; }
@media (max-width: 34rem) {
  .turns li { padding-left: 5rem; }
  .turns b { width: 4.5rem; }
  .fighters thead { display: none; }
  .fighters tr { display: block; border-top: 1px solid var(--line); padding: .35rem .5rem; }
  .fighters th, .fighters td { display: block; border: 0; padding: .1rem 0; }
  .fighters td:empty { display: none; }
  .fighters tr:has([colspan]) { background: var(--paper); border: 0; padding: .9rem .5rem .35rem; }
  .fighters th[colspan] { padding: 0; }
  .fighters td.number { display: inline-block; margin-right: 1rem; color: var(--dim); }
  .fighters td.number::before { content: attr(data-label) " "; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --card: #fff; --dim: #444; --line: #bbb; --mark: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .story h3, h2, tr, li { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .bar { print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""
"""What a report needs besides the style of a receipt."""


KIND = {False: "", True: ' class="number"'}


def page(fight: Fight, audited: Audited | None = None) -> str:
    """Return a battle report as one page of HTML.

    Args:
        fight: As it stands. Nothing is left out: this is for whoever may see everything.
        audited: What an audit of its log came to.
    """
    return "\n".join(_page(reported(fight, audited))) + "\n"


def _page(report: Report) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup(report.name)}</title>"
    yield f"<style>\n{STYLE}{OWN_STYLE}</style>"
    yield "</head>"
    yield "<body>"
    yield "<header>"
    yield f"<h1>{markup(report.name)}</h1>"
    yield f'<p class="dim">{markup(subtitle(report))}</p>'
    yield f'<p class="outcome">{markup(report.outcome)}</p>'
    yield "</header>"
    yield "<main>"
    yield from _section("Who fought", _fighters(report.fighters))
    points = [(f"Round {one.round}" if one.round else "", one.text) for one in report.turns]
    yield from _section("Turning points", _list("turns", points))
    setting, *rounds = report.chapters
    yield from ("<details>", "<summary>The setting</summary>", *_story(setting), "</details>")
    for chapter in rounds:
        yield from _section(chapter.title, _story(chapter))
    yield from _section("Rulings", _list("said", map(_said, report.rulings)))
    yield from _section("Taken back and corrected", _list("said", map(_said, report.corrections)))
    yield from _section("The dice", _dice(report) if report.dice else ())
    yield from _section("The record", _record(report))
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _section(title: str, content: Iterable[str]) -> Iterator[str]:
    """Yield a section, or nothing where there is nothing in it."""
    inside = list(content)
    if inside:
        yield from ("<section>", f"<h2>{markup(title)}</h2>", *inside, "</section>")


def _fighters(fighters: Sequence[Fighter]) -> Iterator[str]:
    yield from ('<div class="scroll">', '<table class="fighters">')
    yield from _heads("who", "start → end", "at the end", "dealt", "taken", "felled", numbers=3)
    yield "<tbody>"
    for side, group in groupby(fighters, key=lambda one: one.side):
        yield f'<tr><th colspan="6">The {markup(side)}</th></tr>'
        yield from map(_fighter, group)
    yield from ("</tbody>", "</table>", "</div>")


def _fighter(one: Fighter) -> str:
    counters = "".join(map(_counter, one.counters))
    numbers = {"dealt": one.dealt, "taken": one.taken, "felled": one.felled}
    deeds = "".join(f'<td class="number" data-label="{name}">{value or "·"}</td>' for name, value in numbers.items())
    name, conditions = markup(one.name), markup(one.conditions)
    return f'<tr><th scope="row">{name}</th><td>{counters}</td><td>{conditions}</td>{deeds}</tr>'


def _counter(one: Counter) -> str:
    """Return a counter with a bar where its most is known."""
    bar = ""
    if one.most > 0:
        share = max(0, min(100, 100 * one.after // one.most))
        bar = f'<span class="bar" style="--share: {share}%" role="presentation"></span>'
    return f'<span class="counter">{bar}{markup(str(one))}</span>'


def _heads(*heads: str, numbers: int) -> Iterator[str]:
    """Yield the heads of a table; so many of its last columns are numbers."""
    words = len(heads) - numbers
    columns = "".join(f'<th scope="col"{KIND[nth >= words]}>{head}</th>' for nth, head in enumerate(heads))
    yield f"<thead><tr>{columns}</tr></thead>"


def _list(kind: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    items = [f"<li><b>{markup(label)}</b> {markup(text)}</li>" for label, text in rows]
    if items:
        yield from (f'<ol class="{kind}">', *items, "</ol>")


def _said(one: Said) -> tuple[str, str]:
    return f"{one.position}", f"{one.who}: {one.text}"


def _story(chapter: Chapter) -> Iterator[str]:
    yield '<div class="story">'
    for heading, acts in chapter.turns:
        if heading:
            yield f"<h3>{markup(heading)}</h3>"
        if acts:
            yield from ("<ul>", *(f"<li>{markup(act)}</li>" for act in acts), "</ul>")
    yield "</div>"


def _dice(report: Report) -> Iterator[str]:
    yield from ('<div class="scroll">', "<table>", *_heads("", "dice", "mean", "fair", "p", numbers=4), "<tbody>")
    yield from map(_group, report.dice)
    yield from ("</tbody>", "</table>", "</div>")
    yield f'<p class="dim">{markup(dice_meaning(report))}</p>'


def _group(one: Dice) -> str:
    numbers = "".join(f'<td class="number">{value}</td>' for value in (one.throws, one.mean, one.fair, markup(one.p)))
    return f'<tr><th scope="row">{markup(one.title)}</th>{numbers}</tr>'


def _record(report: Report) -> Iterator[str]:
    yield "<dl>"
    for name, text in record_said(report):
        yield f"<dt>{name}</dt><dd>{markup(text)}</dd>"
    yield "</dl>"
    yield f'<p class="dim">{markup(HOW_TO_VERIFY)}</p>'


__all__ = ["page"]
