"""Lines and tables for rich, in colour on a terminal and plain elsewhere."""

import errno
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from affray.tools.text.isolates import isolate, split_isolated
from affray.tools.text.printable import cut_to_width, indent_of, printable, width_of

PLAIN_WIDTH = 120
"""Width of output without a terminal, in columns."""

Piece = str | tuple[str, str]
"""A text, or a text and its style."""


MOST_SHOWN = 4_000
"""The most characters of one text in a picture; to wrap a text takes the square of its length."""


class Screen(Console):
    """A console that escapes unprintable characters and raises on a closed pipe."""

    def render_str(self, text: str, *args: Any, **more: Any) -> Text:
        """Make a plain text printable; ``shown`` has done so for all others."""
        return super().render_str(isolate(printable(text)), *args, **more)

    def print(self, *objects: Any, **more: Any) -> None:
        """Print lines; a plain text is one line, as all others are."""
        super().print(*(join_pieces(one) if isinstance(one, str) else one for one in objects), **more)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render an object; keep the lines of a table within its width."""
        found = super().render(renderable, options)
        return _narrow(found) if isinstance(renderable, Table) else found

    def on_broken_pipe(self) -> None:
        """Raise the error instead of exiting."""
        raise BrokenPipeError(errno.EPIPE, "nobody reads this any more")


def console(file: TextIO | None = None) -> Console:
    """Return a console that prints lines and pictures to a file."""
    file = file or sys.stdout
    width = None if file.isatty() else PLAIN_WIDTH
    return Screen(file=file, highlight=False, markup=False, emoji=False, width=width)


def _narrow(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Remove blanks after texts that may be wider on a terminal than the table counts."""
    more = 0
    for text, style, control in segments:
        said = text.rstrip(" ")
        more = 0 if "\n" in text else more + width_of(said) - cell_len(said)
        taken = max(0, min(more, len(text) - len(said)))
        more -= taken
        yield Segment(text[: len(text) - taken], style, control)


class Hanging:
    """A line of text with an indented continuation.

    The indent keeps any text in it from looking like another line.
    """

    def __init__(self, text: Text) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text.plain

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        low, high = Measurement.get(console, options, self.text)
        more = width_of(self.text.plain) - cell_len(self.text.plain)
        return Measurement(low, min(high + max(more, 0), max(options.max_width, high)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        whole = options.overflow == "ignore"  # a file takes lines of any length; a terminal would wrap them
        width = console.width if whole else options.max_width
        if self.text.no_wrap or (whole and not console.is_terminal) or (options.no_wrap and not whole):
            yield self.text
            return
        parts = split_isolated(self.text.plain, cut_to_width(self.text.plain, width))
        for nth, (opens, part, closes) in enumerate(parts):
            indent = " " * indent_of(self.text.plain, width) if nth else ""
            yield Text.assemble(indent, opens, self.text[part], closes)


def join_pieces(*pieces: Piece, style: str = "", no_wrap: bool | None = None) -> Hanging:
    """Join pieces into one line that is safe to print; a longer text than any input may have is cut."""
    text = Text(style=style, no_wrap=no_wrap)
    for piece in pieces:
        said, own = (piece, "") if isinstance(piece, str) else piece
        text.append(isolate(printable(said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…")), own)
    return Hanging(text)
