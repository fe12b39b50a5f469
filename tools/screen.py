"""Print lines and tables, in colour on a terminal and plain elsewhere; see ``printing``."""

import errno
import sys
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from .printing import printable

PLAIN_WIDTH = 110
"""The width of a picture without a terminal."""

Piece = str | tuple[str, str]
"""A text, or a text and its style."""


class Screen(Console):
    """A console that prints only what is printable, and leaves it to the program to say what a closed pipe means."""

    def render_str(self, text: str, *args: Any, **more: Any) -> Text:
        """Make a bare text printable; all others were ``shown`` so."""
        return super().render_str(printable(text), *args, **more)

    def on_broken_pipe(self) -> None:
        """Let the error go on."""
        raise BrokenPipeError(errno.EPIPE, "nobody reads this any more")


def console(file: TextIO | None = None) -> Console:
    """Return what prints lines and pictures."""
    file = file or sys.stdout
    width = None if file.isatty() else PLAIN_WIDTH
    return Screen(file=file, highlight=False, markup=False, emoji=False, width=width)


def shown(*pieces: Piece, style: str = "", no_wrap: bool | None = None) -> Text:
    """Return one line to print, whatever its pieces hold."""
    text = Text(style=style, no_wrap=no_wrap)
    for piece in pieces:
        said, own = (piece, "") if isinstance(piece, str) else piece
        text.append(printable(said), own)
    return text
