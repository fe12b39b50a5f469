"""Who fights the trials: this process, several processes, or a cluster of machines. What comes out is the same.

A trial is known by its number and reads nothing else, so it makes no difference who fights it, and in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from logging import CRITICAL, getLogger
from signal import SIG_IGN, SIGINT, signal
from warnings import catch_warnings, simplefilter

from .together import fought_together
from .trials import Plan, Trial, fought

Batch = tuple[tuple[Plan, ...], int, int]
"""Plans, and from which of their trials to before which."""

Done = list[list[Trial]]
"""What came of a batch: for each of its numbers the trial of every plan."""

Work = Callable[[Iterable[Batch]], Generator[Done]]
"""Fights batches, and yields what came of each in their order."""


class ClusterLost(ConnectionError):
    """The cluster has gone away before all trials were fought."""


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
        OSError: nobody answers at that address; ``ClusterLost`` where somebody did at first.
    """
    if cluster:
        return _on_cluster(cluster)
    return nullcontext(here) if jobs == 1 else _in_processes(jobs)


def ignore_interruptions() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that asked for the trials."""
    signal(SIGINT, SIG_IGN)


@contextmanager
def _in_processes(jobs: int) -> Iterator[Work]:
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes a tenth of a second, and one process needs none of it

    def work(batches: Iterable[Batch]) -> Generator[Done]:
        parallel = Parallel(
            n_jobs=jobs, return_as="generator", pre_dispatch="2 * n_jobs", initializer=ignore_interruptions
        )
        done: Generator[Done] = parallel(delayed(batch)(*one) for one in batches)
        try:
            for trials in done:  # noqa: UP028 - or closing this would close that one before its warning is silenced
                yield trials
        finally:
            with catch_warnings():
                simplefilter("ignore", UserWarning)  # that what was begun ahead is not waited for is meant
                done.close()

    yield work


@contextmanager
def _on_cluster(address: str) -> Iterator[Work]:
    from distributed import Client  # noqa: PLC0415 - an extra
    from distributed.client import FutureCancelledError  # noqa: PLC0415 - an extra
    from joblib import Parallel, delayed, parallel_config  # noqa: PLC0415 - only a cluster needs it

    getLogger("distributed.client").setLevel(CRITICAL)  # or it tells of a lost scheduler in words of its own
    with Client(address, timeout=5) as client, parallel_config(backend="dask"):
        spread = 2 * max(1, sum(client.nthreads().values()))

        def work(batches: Iterable[Batch]) -> Generator[Done]:
            waiting = list(batches)
            for start in range(0, len(waiting), spread):
                try:
                    done = Parallel()(delayed(batch)(*one) for one in waiting[start : start + spread])
                except FutureCancelledError:
                    raise ClusterLost from None
                yield from done

        yield work
