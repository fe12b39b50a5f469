"""The one bar that shows how far something is and how long it will take, where somebody waits for it."""

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
"""What is done sooner shows no bar."""

PAUSE_SECONDS = 0.1
"""The bar is moved no sooner again."""

Shows = Callable[[int, str], None]
"""Takes how many are done, and what is known so far."""


def is_watched(*, printing: bool = False) -> bool:
    """Tell whether somebody sees a bar: on a terminal, unless what is printed meanwhile goes there too."""
    return console(sys.stderr).is_terminal and not (printing and sys.stdout.isatty())


@contextmanager
def bar(of: float, what: str = "fights", *, printing: bool = False, calm: bool = False) -> Iterator[Shows]:
    """Yield what shows how many of some things are done, on standard error if that is a terminal.

    Args:
        of: How many there are, at most.
        what: What they are called.
        printing: Whether so many lines are printed meanwhile that they themselves show how far it is.
        calm: Whether it is drawn once a second only, so that what is measured meanwhile does not notice.
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
    above = sys.stdout.isatty()  # what is printed meanwhile; if it goes elsewhere it must not come here
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


def counted(things: Iterable[T], shows: Shows, before: int = 0) -> Iterator[T]:
    """Yield things, and show now and then how many there were, behind those before."""
    for done, one in enumerate(things, before):
        shows(done, "")
        yield one


def watched_lines(lines: Callable[[], Iterable[bytes]]) -> Callable[[], Iterable[bytes]]:
    """Return what reads the lines of a log, and shows how far an audit is, which reads them twice."""
    if not is_watched():
        return lines
    many = sum(1 for _ in lines())
    times = count()

    def read() -> Iterator[bytes]:
        before = next(times) * many
        with bar(2 * many, "lines read") as shows:
            yield from counted(lines(), shows, before)

    return read


def each(things: Iterable[T], what: str, *, printing: bool = False) -> Iterator[T]:
    """Yield things one by one, and show how many are done with."""
    every = things if isinstance(things, Sized) else list(things)
    with bar(len(every), what, printing=printing) as shows:
        for done, one in enumerate(every):
            shows(done, "")
            yield one


def _nothing(done: int, known: str) -> None:
    """Show nothing."""
