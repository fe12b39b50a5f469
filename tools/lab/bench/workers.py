"""Measurements of trials on several processes and on a cluster.

Processor time is measured beside clock time, because other load on the machine does not change it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import ExitStack
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
from affray.tools.cli.progress import each_with_bar

from .cluster import cluster
from .measurement import Measured

if TYPE_CHECKING:
    from distributed import Client

TIMES = 5
"""Number of runs of each measurement, in turns. The shortest time counts."""

MORE = 12
"""Factor for the number of batches without trials, because a waiting scheduler costs time, too."""


class BatchCost(NamedTuple):
    """Seconds for a batch: by the clock, and of each process."""

    clock: float
    here: float
    scheduler: float = 0.0
    workers: float = 0.0

    def least(self, other: BatchCost) -> BatchCost:
        """Return the smaller of each value."""
        return BatchCost(*map(min, self, other))


class Way(NamedTuple):
    """A way to fight trials: name, workers, and seconds of other processes."""

    name: str
    work: Work
    others: Callable[[], tuple[float, float]] = lambda: (0.0, 0.0)


def spreading(name: str, fight: Fight, many: int) -> Iterator[Measured]:
    """Measure batches with trials from the opening of a fight, and batches without.

    Raises:
        ImportError: ``dask.distributed`` is not installed.
    """
    plan = Plan(moment=find_rollout_start(fight, next(split_by_input(fight.history.effective()))[-1].position))
    sent, got = len(pickle.dumps(((plan,), 0, BATCH))), len(pickle.dumps(fight_batch((plan,), 0, BATCH)))
    yield Measured(what=f"moment and plan, pickled, {name}", value=sent / 1000, unit="kB")
    yield Measured(what=f"what comes of {BATCH} trials, pickled, {name}", value=got / 1000, unit="kB")
    with ExitStack() as stack:
        ways = list(_ways(stack))
        full, empty = _measure_ways(ways, plan, many)
    for way in ways:
        yield Measured(what=f"trials, {way.name}, {name}", value=BATCH / full[way.name].clock, unit="trials/s")
    for way in ways[1:]:
        yield Measured(what=f"a batch without trials, {way.name}", value=empty[way.name].clock * 1e3, unit="ms")
    yield from _arithmetic(name, full[ways[-1].name], empty[ways[-1].name])


def _ways(stack: ExitStack) -> Iterator[Way]:
    """Yield one process, two processes, and clusters of one and of two workers."""
    enter = stack.enter_context
    yield Way("one process", enter(open_workers()))
    yield Way("two processes", enter(open_workers(2)))
    for count, said in ((1, "one worker"), (2, "two workers")):
        folder = Path(enter(TemporaryDirectory()))
        client, _ = enter(cluster(folder, *[()] * count))

        def others(client: Client = client) -> tuple[float, float]:
            return client.run_on_scheduler(process_time), sum(client.run(process_time).values())

        yield Way(f"a cluster of {said}", enter(open_workers(cluster=client.scheduler.address)), others)


def _measure_ways(ways: list[Way], plan: Plan, many: int) -> tuple[dict[str, BatchCost], dict[str, BatchCost]]:
    """Return the costs of a batch with trials and of one without, for each way.

    The ways take turns.
    """
    full: dict[str, BatchCost] = {}
    empty: dict[str, BatchCost] = {}
    both = ((full, many * BATCH, many), (empty, 0, many * MORE))
    for nth, way, (found, trials, count) in each_with_bar([*product(range(TIMES + 1), ways, both)], "runs"):
        spent = _measure_batch(way, plan, count, trials)
        if nth:  # the first run starts processes and loads rules
            found[way.name] = spent.least(found.get(way.name, spent))
    return full, empty


def _measure_batch(way: Way, plan: Plan, many: int, trials: int) -> BatchCost:
    """Measure the cost of a batch.

    Trials are counted as for odds. Without trials, the batches are empty.
    """
    tally, before, clock, here = Tally(), way.others(), perf_counter(), process_time()
    for done in way.work(split_into_batches((plan,), trials) if trials else (((plan,), 0, 0) for _ in range(many))):
        tally.add([trial for (trial,) in done])
    clock, here = perf_counter() - clock, process_time() - here
    scheduler, workers = (after - begun for after, begun in zip(way.others(), before, strict=True))
    return BatchCost(clock / many, here / many, scheduler / many, workers / many)


def _arithmetic(name: str, full: BatchCost, empty: BatchCost) -> Iterator[Measured]:
    """Yield the cost of a batch for each process of a cluster.

    The last line is the number of workers that the busiest other process can feed.
    """
    costs = {"its worker": full.workers, "the scheduler": empty.scheduler, "whoever asks": full.here}
    for who, seconds in costs.items():
        yield Measured(what=f"a batch of {BATCH}, processor of {who}, {name}", value=seconds * 1e3, unit="ms")
    fed = full.workers / max(empty.scheduler, full.here)
    yield Measured(what=f"workers that can be fed, {name}", value=fed, unit="workers")
