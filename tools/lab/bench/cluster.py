"""A cluster on this machine: a scheduler and workers that talk over loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 60
"""Seconds that the processes of a cluster may take to connect."""


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a dask program in a process while this is entered; log to the folder."""
    log = (folder / f"{'-'.join(words[:2])}.log").open("wb")
    with log, subprocess.Popen([sys.executable, "-m", "dask", *words], cwd=folder, stdout=log, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def cluster(
    folder: Path, *workers: Sequence[str], scheduler: Sequence[str] = ()
) -> Iterator[tuple[Client, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler and workers of one thread each while this is entered.

    Args:
        folder: Folder for the scheduler's address and for logs.
        workers: Further options of each worker.
        scheduler: Further options of the scheduler.

    Raises:
        ImportError: ``dask.distributed`` is not installed.
        TimeoutError: the processes do not connect in time.
    """
    from distributed import Client  # noqa: PLC0415 - an extra

    where = ("--scheduler-file", str(folder / "scheduler.json"))
    with ExitStack() as stack:
        local = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        stack.enter_context(running(folder, "scheduler", *local, *where, *scheduler))
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        started = [
            stack.enter_context(running(folder, "worker", "--name", str(nth), *alone, *where, *more))
            for nth, more in enumerate(workers)
        ]
        client = stack.enter_context(Client(scheduler_file=where[1], timeout=PATIENCE))
        client.wait_for_workers(len(workers), timeout=PATIENCE)
        yield client, started
