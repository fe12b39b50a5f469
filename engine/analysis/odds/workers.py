"""Workers that fight trials: this process, several processes, or a cluster.

A trial depends on its number and nothing else, so the results do not depend on the workers or their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from signal import SIG_IGN, SIGINT, signal
from typing import Protocol

from .shared_rollouts import fight_together
from .trials import Plan, RolloutResult, fight_rollout

Batch = tuple[tuple[Plan, ...], int, int]
"""Plans, and the range of trial numbers: the first one, and the end (exclusive)."""

BatchResults = list[list[RolloutResult]]
"""The results of a batch: for each trial number the trial of every plan."""

AHEAD = 4
"""The number of batches per worker that are submitted before the first result is awaited."""

IDLE = 300
"""The number of seconds after which an idle process ends."""

Work = Callable[[Iterable[Batch]], Generator[BatchResults]]
"""Fights batches, and yields their results in order."""


class WorkersLost(ConnectionError):
    """The workers cannot fight, or are gone. The message says why."""


def fight_batch(plans: tuple[Plan, ...], start: int, stop: int) -> BatchResults:
    """Fight a range of trials of some plans."""
    if len(plans) == 1:
        return [[fight_rollout(plans[0], number)] for number in range(start, stop)]
    return [fight_together(plans, number) for number in range(start, stop)]


def fight_in_process(batches: Iterable[Batch]) -> Generator[BatchResults]:
    """Fight all batches in this process."""
    for one in batches:
        yield fight_batch(*one)


def open_workers(jobs: int = 1, cluster: str = "") -> AbstractContextManager[Work]:
    """Return a context that provides workers.

    Args:
        jobs: The number of local processes; -1 for one per core.
        cluster: The address of a scheduler of ``dask.distributed`` instead.

    Raises:
        ImportError: a cluster is requested, and ``dask.distributed`` is not installed.
        OSError: the address does not answer. ``WorkersLost`` if the cluster cannot fight, or a process was ended.
    """
    if cluster:
        from .cluster import open_cluster  # noqa: PLC0415 - an extra

        return open_cluster(cluster)
    return nullcontext(fight_in_process) if jobs == 1 else _in_processes(jobs)


def ignore_interruptions() -> None:
    """Ignore Ctrl-C. A terminal sends it to all processes; the parent handles it."""
    signal(SIGINT, SIG_IGN)


@contextmanager
def _in_processes(jobs: int) -> Iterator[Work]:
    from joblib import effective_n_jobs  # noqa: PLC0415 - takes a tenth of a second, and one process needs none of it
    from joblib.externals.loky import get_reusable_executor  # noqa: PLC0415 - the same
    from joblib.externals.loky.process_executor import BrokenProcessPool  # noqa: PLC0415 - the same

    many = effective_n_jobs(jobs)

    def work(batches: Iterable[Batch]) -> Generator[BatchResults]:
        try:
            executor = get_reusable_executor(many, timeout=IDLE, initializer=ignore_interruptions)
            yield from fight_in_order(executor.submit, many, batches)
        except (BrokenProcessPool, CancelledError):
            raise WorkersLost("a process was ended from outside, as happens where memory runs out") from None

    yield work


class PendingBatch(Protocol):
    """The pending result of a submitted batch."""

    def result(self) -> BatchResults:
        """Wait for the batch, and return its results."""


def fight_in_order(
    submit: Callable[..., PendingBatch], workers: int, batches: Iterable[Batch]
) -> Generator[BatchResults]:
    """Submit batches to workers; yield their results in order while later ones run.

    Args:
        submit: Makes one of the workers call a function with arguments.
        workers: The number of workers. Each has enough batches queued not to wait for the slowest.
    """
    pending: deque[PendingBatch] = deque()
    try:
        for one in batches:
            pending.append(submit(fight_batch, *one))
            if len(pending) >= AHEAD * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for other in pending:
            if isinstance(other, Future):  # a cluster drops its futures once they are unreferenced
                other.cancel()
