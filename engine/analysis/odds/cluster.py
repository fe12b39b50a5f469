"""A cluster of ``dask.distributed`` that fights trials: whether it can, and what becomes of it."""

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

from affray.engine.core.ruleset import digest_of, sources

from .workers import Batch, Done, Work, WorkersLost, in_order

PATIENCE = 15.0
"""As many seconds a cluster may be without any worker."""

GONE = "it has gone away"
"""What is said of a cluster that answered, and does so no more."""


@contextmanager
def on_cluster(address: str) -> Iterator[Work]:
    """Let the workers of a cluster fight the trials, as long as this is entered.

    Raises:
        OSError: nobody answers; ``WorkersLost`` where that is no address, or the cluster cannot fight, or no more.
    """
    getLogger("distributed.client").setLevel(CRITICAL)  # or it tells of a lost scheduler in words of its own
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

        def work(batches: Iterable[Batch]) -> Generator[Done]:
            with _watched(client) as alone:
                try:
                    yield from in_order(submit, sum(client.nthreads().values()), batches)
                except (FutureCancelledError, CommClosedError):
                    raise WorkersLost("it has lost all its workers" if alone.is_set() else GONE) from None
                except KilledWorker:
                    raise WorkersLost("worker after worker was killed while it fought the same trials") from None

        yield work


def _check_workers(client: Client) -> None:
    """Wait for a worker, and compare what all of them fight by with what this process does.

    Raises:
        WorkersLost: there is none, or one fights by something else, so that it would say something else.
    """
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise WorkersLost("it has no workers") from None
    there: dict[str, str | Exception] = client.run(engine_digest, on_error="return")
    there = {worker: said for worker, said in there.items() if not isinstance(said, OSError)}  # the others died
    for said in there.values():
        if isinstance(said, ImportError):
            raise WorkersLost(f"a worker has no Affray of its own ({said})")
    others = sorted(worker for worker, said in there.items() if said != engine_digest())
    if others:
        raise WorkersLost(f"the Affray of {', '.join(others)} is another one than here")


@contextmanager
def _watched(client: Client) -> Iterator[Event]:
    """Give up a cluster that stays without workers, as long as this is entered; yield what is set then.

    It would wait for new ones for ever.
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
    """Return the SHA-256 over all code and data that trials are fought by, as hex."""
    packages = ("affray.engine", "affray.events")
    return digest_of(chain.from_iterable(sources(files(package), f"{package}/") for package in packages))
