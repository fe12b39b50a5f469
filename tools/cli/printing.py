"""Print: the one place that writes to the terminal, so that no text of a fight can control it.

What people wrote (names, reasons, answers, file names) may hold escape sequences, line breaks or marks that turn
writing around, and a terminal would obey them. A line that is printed is one line whatever is in it; where a terminal
is too narrow for it, its rest is indented.
"""

import os
import sys
from contextlib import suppress
from shutil import get_terminal_size
from typing import TextIO

import click

from affray.tools.text.isolates import isolate
from affray.tools.text.printable import hung, json_text, printable


def _lines(line: str, stream: TextIO) -> list[str]:
    text = isolate(printable(line))
    return hung(text, get_terminal_size().columns) if stream.isatty() else [text]


def say(line: str = "", *, bold: bool = False, colour: str | None = None) -> None:
    """Print a line; bold or in a colour where there is a terminal."""
    for part in _lines(line, sys.stdout):
        click.secho(part, file=sys.stdout, bold=bold or None, fg=colour)


def bold(text: str) -> str:
    """Return a text that is bold where click prints it on a terminal."""
    return click.style(isolate(printable(text)), bold=True)


def say_json(value: object) -> None:
    """Print an answer for machines on one line; JSON is UTF-8 whatever the encoding of the output."""
    click.echo(json_text(value).encode(), file=sys.stdout)


def say_document(text: str) -> None:
    """Print a whole document as it would stand in a file; whoever made it has made its values printable."""
    click.echo(text.encode(), file=sys.stdout, nl=False)


def complain(line: str) -> None:
    """Print a line on standard error; ignore that it cannot be written."""
    try:
        for part in _lines(line, sys.stderr):
            click.echo(part, file=sys.stderr)
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Redirect a broken stream to nowhere, so that nothing fails when Python exits."""
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
