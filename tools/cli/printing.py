"""Safe output: no text of a fight can control the terminal.

Texts of users (names, reasons, answers, file names) may hold escape sequences, line breaks or marks that reverse the
direction of writing. A terminal would obey them. Here each line is printed as one line with such characters escaped. On
a narrow terminal its continuation is indented.
"""

import os
import sys
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import TextIO

import click

from affray.tools.text.isolates import isolate
from affray.tools.text.printable import json_text, printable, wrap_to_width


def _lines(line: str, stream: TextIO) -> list[str]:
    """Make a line printable, and wrap it if the stream is a terminal."""
    text = isolate(printable(line))
    return wrap_to_width(text, get_terminal_size().columns) if stream.isatty() else [text]


def say(line: str = "", *, bold: bool = False, colour: str | None = None) -> None:
    """Print a line on standard output, on a terminal bold or in a colour."""
    for part in _lines(line, sys.stdout):
        click.secho(part, file=sys.stdout, bold=bold or None, fg=colour)


WIDEST = 100
"""The greatest width of a paragraph, in characters."""


def wrap_below(text: str) -> list[str]:
    """Wrap a text to indented lines."""
    width = min(get_terminal_size().columns, WIDEST)
    return wrap(" ".join(text.split()), width, initial_indent="  ", subsequent_indent="  ")


def bold(text: str) -> str:
    """Return a printable text in click's style for bold."""
    return click.style(isolate(printable(text)), bold=True)


def say_json(value: object) -> None:
    """Print a value as one line of JSON, always in UTF-8."""
    click.echo(json_text(value).encode(), file=sys.stdout)


def say_document(text: str) -> None:
    """Print a whole document as a file would hold it.

    The caller has made its values printable.
    """
    click.echo(text.encode(), file=sys.stdout, nl=False)


def complain(line: str) -> None:
    """Print a line on standard error; ignore a stream that cannot be written."""
    try:
        for part in _lines(line, sys.stderr):
            click.echo(part, file=sys.stderr)
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Redirect a broken stream to the null device, so that Python exits cleanly."""
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
