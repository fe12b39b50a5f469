"""Who fights the trials: this process, several processes, or a cluster of machines. What comes out is the same.

A trial is known by its number and reads nothing else, so it makes no difference who fights it, and in which order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from signal import SIG_IGN, SIGINT, signal
from typing import Protocol

from .together import fought_together
from .trials import Plan, Trial, fought

Batch = tuple[tuple[Plan, ...], int, int]
"""Plans, and from which of their trials to before which."""

Done = list[list[Trial]]
"""What came of a batch: for each of its numbers the trial of every plan."""

AHEAD = 4
"""So many batches for each worker are given away before the first of them is waited for."""

IDLE = 300
"""After so many seconds without trials a process ends."""

Work = Callable[[Iterable[Batch]], Generator[Done]]
"""Fights batches, and yields what came of each in their order."""


class WorkersLost(ConnectionError):
    """Those who fight the trials cannot, or can no more; the message says what became of them."""


def batch(plans: tuple[Plan, ...], start: int, stop: int) -> Done:
    """Fight some trials of some plans."""
    if len(plans) == 1:
        return [[fought(plans[0], number)] for number in range(start, stop)]
    return [fought_together(plans, number) for number in range(start, stop)]


def here(batches: Iterable[Batch]) -> Generator[Done]:
    """Fight all of them in this process."""
    for one in batches:
        yield batch(*one)


def working(jobs: int = 1, cluster: str = "") -> AbstractContextManager[Work]:
    """Return what fights trials as long as it is entered.

    Args:
        jobs: How many processes of this machine; -1 for one a core.
        cluster: The address of a scheduler of ``dask.distributed`` instead.

    Raises:
        ImportError: a cluster is asked for, and ``dask.distributed`` is not installed.
        OSError: nobody answers at that address; ``WorkersLost`` where somebody did, or where a process was ended.
    """
    if cluster:
        from .cluster import on_cluster  # noqa: PLC0415 - an extra

        return on_cluster(cluster)
    return nullcontext(here) if jobs == 1 else _in_processes(jobs)


def ignore_interruptions() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that asked for the trials."""
    signal(SIGINT, SIG_IGN)


@contextmanager
def _in_processes(jobs: int) -> Iterator[Work]:
    from joblib import effective_n_jobs  # noqa: PLC0415 - takes a tenth of a second, and one process needs none of it
    from joblib.externals.loky import get_reusable_executor  # noqa: PLC0415 - the same
    from joblib.externals.loky.process_executor import BrokenProcessPool  # noqa: PLC0415 - the same

    many = effective_n_jobs(jobs)

    def work(batches: Iterable[Batch]) -> Generator[Done]:
        try:
            executor = get_reusable_executor(many, timeout=IDLE, initializer=ignore_interruptions)
            yield from in_order(executor.submit, many, batches)
        except (BrokenProcessPool, CancelledError):
            raise WorkersLost("a process was ended from outside, as happens where memory runs out") from None

    yield work


class Pending(Protocol):
    """Trials that somebody else fights."""

    def result(self) -> Done:
        """Wait until they are fought; return what came of them."""


def in_order(submit: Callable[..., Pending], workers: int, batches: Iterable[Batch]) -> Generator[Done]:
    """Let workers fight batches; yield what came of each in their order, while later ones are fought already.

    Args:
        submit: Lets one of the workers call a function with arguments.
        workers: How many there are; each has so many batches before it that it does not wait for the slowest.
    """
    pending: deque[Pending] = deque()
    try:
        for one in batches:
            pending.append(submit(batch, *one))
            if len(pending) >= AHEAD * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for other in pending:
            if isinstance(other, Future):  # what a cluster was given it drops as soon as nobody holds it any more
                other.cancel()
