"""Fight trials on a cluster of ``dask.distributed``, after checking its workers."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from logging import CRITICAL, getLogger
from threading import Event, Thread
from time import monotonic

from distributed import Client
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from affray.engine.core.digest import digest_files, list_files

from .workers import Batch, BatchResults, Work, WorkersLost, fight_in_order

PATIENCE = 15.0
"""The number of seconds that a cluster may be without workers."""

GONE = "it has gone away"
"""The message for a cluster that stopped answering."""


@contextmanager
def open_cluster(address: str) -> Iterator[Work]:
    """Fight trials on the workers of a cluster, within a context.

    Raises:
        OSError: the cluster does not answer. ``WorkersLost`` if the address is malformed, or the workers cannot fight.
    """
    getLogger("distributed.client").setLevel(CRITICAL)  # or it logs a lost scheduler in its own words
    try:
        reached = Client(address, timeout=5)
    except (TypeError, ValueError) as error:
        raise WorkersLost(f"that is no address such as tcp://127.0.0.1:8786 ({error})") from None
    with reached as client:
        try:
            _check_workers(client)
        except CommClosedError:
            raise WorkersLost(GONE) from None
        submit = partial(client.submit, pure=False)

        def work(batches: Iterable[Batch]) -> Generator[BatchResults]:
            with _watch_workers(client) as alone:
                try:
                    yield from fight_in_order(submit, sum(client.nthreads().values()), batches)
                except (FutureCancelledError, CommClosedError):
                    raise WorkersLost("it has lost all its workers" if alone.is_set() else GONE) from None
                except KilledWorker:
                    raise WorkersLost("worker after worker was killed while it fought the same trials") from None

        yield work


def _check_workers(client: Client) -> None:
    """Wait for a worker, and compare the code and data of all workers with our own.

    Raises:
        WorkersLost: there is no worker, or a worker has other code and would give other results.
    """
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise WorkersLost("it has no workers") from None
    there: dict[str, str | Exception] = client.run(engine_digest, on_error="return")
    there = {worker: said for worker, said in there.items() if not isinstance(said, OSError)}  # those workers died
    for said in there.values():
        if isinstance(said, ImportError):
            raise WorkersLost(f"a worker has no Affray of its own ({said})")
    others = sorted(worker for worker, said in there.items() if said != engine_digest())
    if others:
        raise WorkersLost(f"the Affray of {', '.join(others)} is another one than here")


@contextmanager
def _watch_workers(client: Client) -> Iterator[Event]:
    """Close a cluster that stays without workers; yield an event that is set then.

    Otherwise it would wait for new workers for ever.
    """
    over, alone = Event(), Event()

    def watch() -> None:
        seen = monotonic()
        while not over.wait(PATIENCE / 10) and client.status == "running":
            with suppress(OSError):
                seen = monotonic() if client.nthreads() else seen
            if monotonic() - seen >= PATIENCE:
                alone.set()
                client.close()
                return

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield alone
    finally:
        over.set()
        thread.join()


@cache
def engine_digest() -> str:
    """Return the SHA-256 over all code and data that decide trials, as hex."""
    packages = ("affray.engine", "affray.events")
    return digest_files(chain.from_iterable(list_files(files(package), f"{package}/") for package in packages))
