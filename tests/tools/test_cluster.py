"""Trials fought on a cluster: a scheduler and two workers that are processes of their own, one of which is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from distributed import Client

from tests.tools.program import affray
from tests.tools.test_odds import BRIDGE, at_the_bridge

ASKED = ("odds", BRIDGE, "--at", "60", "--trials", "256", "--within", "0.1", "--json")

DYING = """\
import os, signal
from distributed import WorkerPlugin

class Dying(WorkerPlugin):
    done = 0

    def transition(self, key, start, finish, **more):
        self.done += finish == "memory"
        if self.done == 3:
            os.kill(os.getpid(), signal.SIGKILL)

async def dask_setup(worker):
    await worker.plugin_add(Dying())
"""
"""Has a worker kill itself once it has fought three batches."""

ENDING = """\
import os, signal
from distributed import SchedulerPlugin

class Ending(SchedulerPlugin):
    done = 0

    def transition(self, key, start, finish, *args, **more):
        self.done += finish == "memory"
        if self.done == 3:
            os.kill(os.getpid(), signal.SIGKILL)

def dask_setup(scheduler):
    scheduler.add_plugin(Ending())
"""
"""Has a scheduler kill itself once three batches are fought."""


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a part of a cluster as a process of its own, as long as this is entered."""
    log = (folder / f"{'-'.join(words[:2])}.log").open("wb")
    with log, subprocess.Popen([sys.executable, "-m", "dask", *words], cwd=folder, stdout=log, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def cluster(folder: Path, *plugins: str, scheduler: str = "") -> Iterator[tuple[Client, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler and a worker for each plugin, of which an empty one is none."""
    where = ("--scheduler-file", str(folder / "scheduler.json"))
    plain = ("--no-dashboard", *where)

    def loaded(name: str, plugin: str) -> tuple[str, ...]:
        (folder / f"{name}.py").write_text(plugin, "utf-8")
        return ("--preload", str(folder / f"{name}.py")) if plugin else ()

    with ExitStack() as stack:
        local = ("--host", "127.0.0.1", "--port", "0")
        stack.enter_context(running(folder, "scheduler", *local, *plain, *loaded("plugin", scheduler)))
        workers = []
        for nth, plugin in enumerate(plugins):
            alone = ("--name", str(nth), "--nthreads", "1", "--no-nanny")
            more = loaded(f"plugin{nth}", plugin)
            workers.append(stack.enter_context(running(folder, "worker", *alone, *plain, *more)))
        client = stack.enter_context(Client(scheduler_file=where[1], timeout=60))
        client.wait_for_workers(len(plugins), timeout=60)
        yield client, workers


@pytest.mark.parametrize("plugins", [("", ""), ("", DYING)], ids=["both live", "one is killed"])
def test_a_cluster_says_what_one_process_says(tmp_path: Path, plugins: tuple[str, ...]) -> None:
    """Also where one of two workers is killed in the middle: what it had begun is fought again by the other."""
    folder = at_the_bridge(tmp_path)
    alone = affray(folder, *ASKED)
    with cluster(folder, *plugins) as (client, workers):
        address = client.scheduler_info()["address"]
        together = affray(folder, *ASKED, "--cluster", address, PYTHONHASHSEED="1")
        left = len(client.scheduler_info()["workers"])
        assert [worker.poll() is None for worker in workers] == [not plugin for plugin in plugins]
    assert (together.code, together.err) == (0, "")
    assert together.out == alone.out
    assert left == plugins.count("")


def test_a_cluster_that_is_not_there_is_said(tmp_path: Path) -> None:
    told = affray(at_the_bridge(tmp_path), *ASKED[:-1], "--cluster", "tcp://127.0.0.1:9", PYTHONHASHSEED="1")
    assert (told.code, told.out) == (2, "")
    assert "nobody answers at tcp://127.0.0.1:9" in told.err


def test_a_cluster_that_goes_away_is_said(tmp_path: Path) -> None:
    """Nobody waits for ever where the scheduler is killed in the middle."""
    folder = at_the_bridge(tmp_path)
    with cluster(folder, "", "", scheduler=ENDING) as (client, _):
        address = client.scheduler_info()["address"]
        told = affray(folder, *ASKED[:-1], "--cluster", address, PYTHONHASHSEED="1")
    assert (told.code, told.out) == (2, "")
    assert told.err == f"--cluster: the cluster at {address} has gone away\n"
