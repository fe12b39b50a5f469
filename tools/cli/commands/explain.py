"""The command ``explain``: the causes of an event, or of a refusal."""

import os
from pathlib import Path
from shutil import get_terminal_size
from urllib.parse import quote

import click

from affray.engine.analysis.explain import explain_event, explain_refusal, rebuild_fight_at
from affray.engine.errors import Unusable
from affray.tools.api.schemas import receipts
from affray.tools.api.store_url import looking_at
from affray.tools.cli.command_output import deliver
from affray.tools.cli.completion import values
from affray.tools.cli.options import FREE_WORDS, fight_argument, force_option, json_option
from affray.tools.cli.printing import complain, say, say_json
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_names import words_of
from affray.tools.present.receipts import page, refusal, text
from affray.tools.present.receipts.explanation import tell_explanation

WIDEST = 100


@click.command(context_settings=FREE_WORDS)
@fight_argument
@click.argument("number", metavar="[N]", required=False)
@click.option(
    "--why-not",
    "tried",
    metavar="TEXT",
    shell_complete=values.tried_line,
    help="Instead of N: say why this is refused, if it is.",
)
@click.option("--at", type=int, metavar="POSITION", help="With --why-not: at this position of the fight.")
@click.option("--html", metavar="FILE", help="Write one self-contained page; - for standard output.")
@click.option("--book", metavar="FILE", help="With --html: link its clauses to the book that rules --book wrote there.")
@force_option
@json_option
def explain(
    said: str,
    number: str | None,
    tried: str | None,
    at: int | None,
    html: str | None,
    book: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Explain event N: causes, dice, numbers, consequences and clauses.

    With --why-not, name the clause that forbids a declaration, and the event that is the cause. Type the declaration as
    for do, or an answer as for answer, after the word "answer".
    """
    if (number is None) == (tried is None):
        raise click.UsageError("say N, the position of an event, or --why-not TEXT")
    if book is not None and html is None:
        raise click.UsageError("--book goes with --html")
    if tried is not None:
        if html is not None:
            raise click.UsageError("--html goes with N")
        _why_not(said, tried, at, as_json=as_json)
        return
    if at is not None:
        raise click.UsageError("--at goes with --why-not")
    if as_json and html is not None:
        raise click.UsageError("say either --json or --html")
    _why(said, _position(number or ""), html, book or "", force=force, as_json=as_json)


def _position(number: str) -> int:
    """Parse a position."""
    try:
        return int(number)
    except ValueError:
        raise Unusable(f"{number} is no position; it is a whole number, such as 12", "N") from None


def _why(said: str, position: int, html: str | None, book: str, *, force: bool, as_json: bool) -> None:
    """Print the explanation of an event."""
    seen_from = _from_page(book, html) if html is not None else ""
    with looking_at(said, whole=as_json) as fight:
        found = explain_event(fight, position)
        if as_json:
            say_json(receipts.explanation(said, fight, found))
        elif html is not None:
            deliver(
                html, page.receipt_html(tell_explanation(fight, found), seen_from), f"written to {html}", force=force
            )
        else:
            for line in text.receipt_lines(tell_explanation(fight, found), min(get_terminal_size().columns, WIDEST)):
                say(line)


def _from_page(book: str, html: str) -> str:
    """Return the address of a book relative to the page; warn if there is no book.

    A web address stays as it is. A page for standard output is taken to be in the current folder.
    """
    if not book or "://" in book:
        return book
    file = Path(book)
    if not _is_book(file):
        complain(
            f"{book}: there is no such book; its links lead nowhere until affray rules SYSTEM --book writes it there"
        )
    here = Path() if html == "-" else Path(html).parent
    return quote(os.path.relpath(file, here).replace(os.sep, "/"))


def _is_book(file: Path) -> bool:
    """Tell whether a file is a book that ``rules --book`` wrote."""
    try:
        return file.is_file() and 'id="code"' in file.read_text("utf-8")
    except (OSError, ValueError):
        return False


def _why_not(said: str, tried: str, at: int | None, *, as_json: bool) -> None:
    """Print why a declaration or an answer is refused."""
    with looking_at(said, whole=as_json) as fight:
        then = rebuild_fight_at(fight, at)
        intent = intent_parser.parse_question(then, words_of(tried))
        verdict = explain_refusal(then, intent)
        if as_json:
            say_json(receipts.verdict(said, fight, intent, verdict))
        else:
            for line in refusal.refusal_lines(fight, intent, verdict, min(get_terminal_size().columns, WIDEST)):
                say(line)
    if not verdict.allowed:
        raise click.exceptions.Exit(1)
