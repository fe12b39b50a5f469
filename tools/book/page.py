"""The book as one page that needs nothing else: to be read, searched, linked to and printed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby

from affray.engine.core.ruleset import Ruleset
from affray.tools.printing import markup

from .book import Book, Entry, book
from .parts import Linked, anchor, chances, example, found_in, settings

ABOUT = (
    "Every clause in our own words, in the order of the rules; no text of the original is copied. The examples are "
    "scenarios that the program is tested with, the chances are exact, and the code is what decides."
)


@cache
def part(name: str) -> str:
    """Return the style or the script of the page."""
    return "\n" + (files("affray.tools.book") / name).read_text("utf-8")


@cache
def policy() -> str:
    """Return what a browser may do with the page where it is served: its own style, its own script, nothing else."""

    def named(name: str) -> str:
        return f"'sha256-{b64encode(sha256(part(name).encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; style-src {named('style.css')}; script-src {named('search.js')}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def html(ruleset: Ruleset) -> str:
    """Return the book of a system."""
    return "\n".join(_page(book(ruleset))) + "\n"


def _page(one: Book) -> Iterator[str]:
    linked = Linked(entry.clause for entry in one.entries)
    sections = [(name, tuple(group)) for name, group in groupby(one.entries, key=lambda entry: entry.text.section)]
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>The rules of {markup(one.title)}</title>"
    yield f"<style>{part('style.css')}</style>"
    yield "</head>"
    yield "<body>"
    yield from _bar(one)
    yield from _contents(sections)
    yield "<main>"
    yield from _opening(one)
    for number, (name, entries) in enumerate(sections, 1):
        yield f'<section class="part" id="part-{number}">'
        yield f"<h2>{markup(name)}</h2>"
        for entry in entries:
            yield from _clause(entry, linked)
        yield "</section>"
    yield from _code(one, linked)
    yield "</main>"
    yield f"<script>{part('search.js')}</script>"
    yield "</body>"
    yield "</html>"


def _bar(one: Book) -> Iterator[str]:
    yield '<header class="bar">'
    yield f'<a class="name" href="#top">{markup(one.title)}</a>'
    yield '<label class="find"><span>Search</span><input id="find" type="search" placeholder="Search the rules"'
    yield ' autocomplete="off" spellcheck="false"></label>'
    yield '<output id="count" for="find"></output>'
    yield '<button id="open" type="button" aria-expanded="false" aria-controls="contents">Contents</button>'
    yield "</header>"


def _contents(sections: list[tuple[str, tuple[Entry, ...]]]) -> Iterator[str]:
    yield '<nav id="contents" aria-label="Contents">'
    for number, (name, entries) in enumerate(sections, 1):
        yield f'<section><h2><a href="#part-{number}">{markup(name)}</a></h2><ol>'
        for entry in entries:
            clause, title = markup(entry.clause), markup(entry.text.title)
            short = markup(entry.clause.partition("-")[2])
            yield f'<li><a href="#{clause}"><small>{short}</small> {title}</a></li>'
        yield "</ol></section>"
    if sections:
        yield '<section><h2><a href="#code">The code that decides</a></h2></section>'
    yield "</nav>"


def _opening(one: Book) -> Iterator[str]:
    shown = sum(entry.example is not None for entry in one.entries)
    odds = sum(len(entry.tables) for entry in one.entries)
    fights = {counted.fight for entry in one.entries for counted in entry.counted}
    yield '<header class="opening" id="top">'
    yield f"<h1>The rules of {markup(one.title)}</h1>"
    yield (
        f'<p class="sum">Version {markup(one.version)}. {len(one.entries)} clauses, {shown} examples, {odds} tables of '
        f"chances, {len(fights)} recorded fights.</p>"
    )
    yield f"<p>{ABOUT}</p>"
    if fights:
        yield (
            f"<p>A position of a recorded fight is explained by <code>affray explain replays/{markup(one.system)}/"
            f"{markup(min(fights))}.jsonl N</code>.</p>"
        )
    yield "</header>"


def _clause(entry: Entry, linked: Linked) -> Iterator[str]:
    clause, text = markup(entry.clause), entry.text
    yield f'<article class="clause" id="{clause}">'
    yield f'<h3><a class="number" href="#{clause}">{clause}</a> {markup(text.title)}</h3>'
    yield f'<p class="says">{linked(text.says)}</p>'
    if text.discretion:
        yield f'<p class="gm"><b>The game master may rule</b> {linked(text.discretion)}</p>'
    if text.unobservable:
        yield f'<p class="gm"><b>Cannot be observed</b> {linked(text.unobservable)}</p>'
    yield from settings(entry.settings, linked)
    if entry.example:
        yield from example(entry.example, entry.clause, linked)
    for table in entry.tables:
        yield from chances(table, linked)
    if entry.elsewhere:
        yield f'<p class="elsewhere">Chances: see {linked(", ".join(entry.elsewhere))}.</p>'
    if entry.plain:
        yield f'<p class="elsewhere">Chances: {linked(entry.plain)}</p>'
    yield "<footer>"
    yield from found_in(entry)
    yield "</footer>"
    yield "</article>"


def _code(one: Book, linked: Linked) -> Iterator[str]:
    yield '<section class="code" id="code">'
    yield "<h2>The code that decides</h2>"
    yield f"<p>What cites a clause, from <code>engine/rulesets/{markup(one.system)}/</code>.</p>"
    for file, group in groupby(one.functions, key=lambda function: function.file):
        yield f"<details><summary><code>{markup(file)}</code></summary>"
        for function in group:
            yield f'<div id="{markup(anchor(function))}"><h3><code>{markup(function.name)}</code> <small>line '
            yield f"{function.line}</small></h3><pre><code>{linked.code(function.source)}</code></pre></div>"
        yield "</details>"
    yield "</section>"
