"""Measure how far trials spread: over two processes, over the workers of a cluster, and what feeding these costs.

Times of the processor are counted beside those of the clock: what else a machine does makes no difference to them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

from affray.engine.analysis.odds import Plan, Tally, Work, find_rollout_start, open_workers
from affray.engine.analysis.odds.sampling import BATCH, split_into_batches
from affray.engine.analysis.odds.workers import fight_batch
from affray.engine.fight import Fight
from affray.engine.history.timeline import split_by_input
from affray.tools.cli.progress import each

from .cluster import cluster
from .measurement import Measured

if TYPE_CHECKING:
    from distributed import Client

TIMES = 5
"""As often everything is measured, in turns; the shortest time counts."""

MORE = 12
"""So many times as many batches without trials are measured: a scheduler costs something while it waits, too."""


class Spent(NamedTuple):
    """Seconds for a batch: by the clock, and of the processors of this process, a scheduler and its workers."""

    clock: float
    here: float
    scheduler: float = 0.0
    workers: float = 0.0

    def least(self, other: Spent) -> Spent:
        """Return the shorter of each."""
        return Spent(*map(min, self, other))


class Way(NamedTuple):
    """A way to fight trials: what it is called, what fights them, and what tells the seconds of other processors."""

    name: str
    work: Work
    others: Callable[[], tuple[float, float]] = lambda: (0.0, 0.0)


def spreading(name: str, fight: Fight, many: int) -> Iterator[Measured]:
    """Measure so many batches of trials from the opening of a fight on, and as many in which there is nothing to fight.

    Raises:
        ImportError: ``dask.distributed`` is not installed.
    """
    plan = Plan(moment=find_rollout_start(fight, next(split_by_input(fight.history.effective()))[-1].position))
    sent, got = len(pickle.dumps(((plan,), 0, BATCH))), len(pickle.dumps(fight_batch((plan,), 0, BATCH)))
    yield Measured(what=f"moment and plan, pickled, {name}", value=sent / 1000, unit="kB")
    yield Measured(what=f"what comes of {BATCH} trials, pickled, {name}", value=got / 1000, unit="kB")
    with ExitStack() as stack:
        ways = list(_ways(stack))
        full, empty = _measured(ways, plan, many)
    for way in ways:
        yield Measured(what=f"trials, {way.name}, {name}", value=BATCH / full[way.name].clock, unit="trials/s")
    for way in ways[1:]:
        yield Measured(what=f"a batch without trials, {way.name}", value=empty[way.name].clock * 1e3, unit="ms")
    yield from _arithmetic(name, full[ways[-1].name], empty[ways[-1].name])


def _ways(stack: ExitStack) -> Iterator[Way]:
    """Yield one process, two, and clusters of one worker and of two."""

    def entered(context: AbstractContextManager[Work]) -> Work:
        return stack.enter_context(context)

    yield Way("one process", entered(open_workers()))
    yield Way("two processes", entered(open_workers(2)))
    for count, said in ((1, "one worker"), (2, "two workers")):
        folder = Path(stack.enter_context(TemporaryDirectory()))
        client, _ = stack.enter_context(cluster(folder, *[()] * count))

        def others(client: Client = client) -> tuple[float, float]:
            return client.run_on_scheduler(process_time), sum(client.run(process_time).values())

        yield Way(f"a cluster of {said}", entered(open_workers(cluster=client.scheduler.address)), others)


def _measured(ways: list[Way], plan: Plan, many: int) -> tuple[dict[str, Spent], dict[str, Spent]]:
    """Return what a batch of trials takes each way, and one without trials; the ways take turns."""
    full: dict[str, Spent] = {}
    empty: dict[str, Spent] = {}
    both = ((full, many * BATCH, many), (empty, 0, many * MORE))
    for nth, way, (found, trials, count) in each([*product(range(TIMES + 1), ways, both)], "runs"):
        spent = _spent(way, plan, count, trials)
        if nth:  # the first time processes are begun and rules are loaded
            found[way.name] = spent.least(found.get(way.name, spent))
    return full, empty


def _spent(way: Way, plan: Plan, many: int, trials: int) -> Spent:
    """Return what a batch takes, counted as odds are; without trials there are as many batches of none."""
    tally, before, clock, here = Tally(), way.others(), perf_counter(), process_time()
    for done in way.work(split_into_batches((plan,), trials) if trials else (((plan,), 0, 0) for _ in range(many))):
        tally.add([trial for (trial,) in done])
    clock, here = perf_counter() - clock, process_time() - here
    scheduler, workers = (after - begun for after, begun in zip(way.others(), before, strict=True))
    return Spent(clock / many, here / many, scheduler / many, workers / many)


def _arithmetic(name: str, full: Spent, empty: Spent) -> Iterator[Measured]:
    """Yield what a batch of trials costs whom on a cluster, and how many workers the busiest of them can feed."""
    costs = {"its worker": full.workers, "the scheduler": empty.scheduler, "whoever asks": full.here}
    for who, seconds in costs.items():
        yield Measured(what=f"a batch of {BATCH}, processor of {who}, {name}", value=seconds * 1e3, unit="ms")
    fed = full.workers / max(empty.scheduler, full.here)
    yield Measured(what=f"workers that can be fed, {name}", value=fed, unit="workers")
