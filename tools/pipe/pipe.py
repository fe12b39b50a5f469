"""Command ``pipe``: fights over standard input and output, a request a line, an answer a line."""

import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

from affray.tools.api.problem_details import Problem, problem, problem_of
from affray.tools.api.store_url import place_of, store_of
from affray.tools.cli.completion import values
from affray.tools.cli.options import who_option
from affray.tools.parse.faults import KNOWN

from .handlers import handle_request
from .lines import LONGEST, LineReader, LineTooLong
from .requests import read_id, read_request
from .session import PipeSession

PAUSE = 0.25
"""Seconds of silence between two looks for other processes' changes of followed fights."""

_encode = msgspec.json.Encoder().encode


@click.command()
@click.argument("said", metavar="[FIGHT]", required=False, shell_complete=values.fights)
@click.option(
    "--store",
    "where",
    metavar="WHERE",
    shell_complete=values.stores,
    help="Where fights are kept: a folder or a database; here if not said.",
)
@who_option
def pipe(said: str | None, where: str | None, who: str) -> None:
    """Serve fights over standard input and output: a request a line, an answer a line, all of it JSON.

    With FIGHT, that one is open from the start. See docs/pipe.md.
    """
    if said is not None and where is not None:
        raise click.UsageError("say either FIGHT or --store")
    if said is None:
        session = PipeSession(store_of(where or "."), who)
    else:
        place = place_of(said)
        session = PipeSession(place.store, who)
        session.open(place.name)
    answer_requests(session, LineReader(sys.stdin.fileno()))


def answer_requests(session: PipeSession, given: LineReader) -> None:
    """Answer requests line by line until the input ends."""
    number = 0
    while True:
        try:
            line = given.read_line(PAUSE if session.is_following else None)
        except TimeoutError:
            _say(session.read_news())
            continue
        except EOFError:
            return
        except LineTooLong:
            number += 1
            too_big = problem("too_big", f"a line has at most {LONGEST} bytes", line=number)
            _say([{"id": None, "problem": too_big}])
            continue
        number += 1
        if line.strip():
            _respond(session, line, number)


def _respond(session: PipeSession, line: bytes, number: int) -> None:
    """Answer one line; news of followed fights come first, so that the client knows them with the answer."""
    try:
        asked = read_request(line)
    except KNOWN as error:
        _say([{"id": read_id(line), "problem": msgspec.structs.replace(problem_of(error), line=number)}])
        return
    behind: Iterable[dict[str, Any]] = ()
    said: dict[str, Any]
    try:
        said, behind = handle_request(session, asked)
    except KNOWN as error:
        said = {"id": asked.id, "problem": problem_of(error)}
    _say(session.read_news())
    _say([said, *behind])


def _say(lines: Iterable[dict[str, Any] | Problem]) -> None:
    """Write lines, and flush them."""
    for line in lines:
        sys.stdout.buffer.write(_encode(line) + b"\n")
    sys.stdout.buffer.flush()
