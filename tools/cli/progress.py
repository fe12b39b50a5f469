"""Progress bar on standard error for commands that take long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from itertools import count
from time import monotonic
from typing import TypeVar

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from .terminal import console

T = TypeVar("T")

PATIENCE_SECONDS = 1.0
"""Work that ends sooner shows no bar."""

PAUSE_SECONDS = 0.1
"""Shortest time between two updates of the bar."""

Shows = Callable[[int, str], None]
"""Takes how many items are done, and a text of what is known so far."""


def is_watched(*, printing: bool = False) -> bool:
    """Tell whether a bar can be shown on standard error.

    It cannot while the command prints lines to the same terminal.
    """
    return console(sys.stderr).is_terminal and not (printing and sys.stdout.isatty())


@contextmanager
def bar(of: float, what: str = "fights", *, printing: bool = False, calm: bool = False) -> Iterator[Shows]:
    """Yield a function that updates a progress bar on standard error.

    Without a terminal the function does nothing.

    Args:
        of: Number of items, at most.
        what: Plural noun for the items.
        printing: Whether the command prints many lines meanwhile, which show progress themselves.
        calm: Whether to draw only once a second, so that the bar does not disturb a measurement.
    """
    if not is_watched(printing=printing):
        yield _nothing
        return
    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + what),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    begun = told = monotonic()
    above = sys.stdout.isatty()  # lines printed meanwhile; if they go to a file, rich must not redirect them here
    progress = Progress(
        *columns,
        console=console(sys.stderr),
        transient=True,
        redirect_stdout=above,
        refresh_per_second=1 if calm else 10,
    )
    task = progress.add_task("", total=of)

    def shows(done: int, known: str) -> None:
        nonlocal told
        now = monotonic()
        if now - told < PAUSE_SECONDS:
            return
        told = now
        progress.update(task, completed=done, description=known)
        if not progress.live.is_started and now - begun >= PATIENCE_SECONDS:
            progress.start()

    try:
        yield shows
    finally:
        progress.stop()


def count_done(things: Iterable[T], shows: Shows, before: int = 0) -> Iterator[T]:
    """Yield items and update the bar; the count starts at ``before``."""
    for done, one in enumerate(things, before):
        shows(done, "")
        yield one


def watched_lines(lines: Callable[[], Iterable[bytes]]) -> Callable[[], Iterable[bytes]]:
    """Wrap a function that reads a log so that an audit shows a bar.

    An audit reads the lines twice, so the bar counts every line twice.
    """
    if not is_watched():
        return lines
    many = sum(1 for _ in lines())
    times = count()

    def read() -> Iterator[bytes]:
        before = next(times) * many
        with bar(2 * many, "lines read") as shows:
            yield from count_done(lines(), shows, before)

    return read


def each_with_bar(things: Iterable[T], what: str, *, printing: bool = False) -> Iterator[T]:
    """Yield items and show a bar of how many are done."""
    every = things if isinstance(things, Sized) else list(things)
    with bar(len(every), what, printing=printing) as shows:
        for done, one in enumerate(every):
            shows(done, "")
            yield one


def _nothing(done: int, known: str) -> None:
    """Ignore an update, where no bar is shown."""
