"""Trials on a cluster: a scheduler and two workers in separate processes, one of which is killed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from affray.engine.analysis.odds import Plan, WorkersLost, find_rollout_start, open_workers
from affray.engine.analysis.odds import cluster as odds_cluster
from affray.tools.lab.bench.cluster import cluster
from tests.engine.odds.moments import last_blows
from tests.examples import THOROUGH
from tests.tools.program import Ran, affray
from tests.tools.test_odds import BRIDGE, at_the_bridge

ASKED = ("odds", BRIDGE, "--at", "1000", "--trials", "256", "--within", "0.1", "--json")

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

ANOTHER = """\
from affray.engine.analysis.odds import cluster
cluster.engine_digest = lambda: "another"
"""
"""Has a worker fight by something else."""


VANISHING = """\
import os, signal
from affray.engine.analysis.odds import cluster
cluster.engine_digest = lambda: os.kill(os.getpid(), signal.SIGKILL)
"""
"""Has a worker killed while it is asked what it fights by."""


@contextmanager
def run_cluster(
    folder: Path, *plugins: str, scheduler: str = ""
) -> Iterator[tuple[Client, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler, and a worker for each plugin; an empty one is none."""

    def options(name: str, plugin: str) -> tuple[str, ...]:
        (folder / f"{name}.py").write_text(plugin, "utf-8")
        return ("--preload", str(folder / f"{name}.py")) if plugin else ()

    workers = [options(f"plugin{nth}", plugin) for nth, plugin in enumerate(plugins)]
    with cluster(folder, *workers, scheduler=options("plugin", scheduler)) as parts:
        yield parts


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The output of a single process."""
    return affray(at_the_bridge(tmp_path_factory.mktemp("alone")), *ASKED)


PLUGINS = {"one is killed": ("", DYING)}
if THOROUGH:
    PLUGINS |= {"both live": ("", ""), "one is killed at first": ("", VANISHING)}


@pytest.mark.parametrize("plugins", PLUGINS.values(), ids=PLUGINS)
def test_a_cluster_says_what_one_process_says(tmp_path: Path, alone: Ran, plugins: tuple[str, ...]) -> None:
    """Also where one of two workers is killed in the middle: what it had begun is fought again by the other."""
    folder = at_the_bridge(tmp_path)
    with run_cluster(folder, *plugins) as (client, workers):
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


@pytest.mark.parametrize("address", ["nowhere", "tcp://", "::::", "http://127.0.0.1:9", "tls://127.0.0.1:9"])
def test_what_is_no_address_of_a_cluster_is_said(tmp_path: Path, address: str) -> None:
    told = affray(at_the_bridge(tmp_path), *ASKED[:-1], "--cluster", address)
    assert (told.code, told.out) == (2, "")
    said = f"--cluster: the cluster at {address} cannot fight: that is no address such as tcp://127.0.0.1:8786 ("
    assert told.err.startswith(said)


def test_a_cluster_that_goes_away_is_said(tmp_path: Path) -> None:
    """The command does not wait for ever when the scheduler is killed."""
    folder = at_the_bridge(tmp_path)
    with run_cluster(folder, "", "", scheduler=ENDING) as (client, _):
        address = client.scheduler_info()["address"]
        told = affray(folder, *ASKED[:-1], "--cluster", address, PYTHONHASHSEED="1")
    assert (told.code, told.out) == (2, "")
    assert told.err == f"--cluster: the cluster at {address} cannot fight: it has gone away\n"


def test_a_cluster_without_workers_is_said(tmp_path: Path, monkeypatch: Any) -> None:
    """Without workers the command does not wait for ever, at the start or in the middle."""
    plan = Plan(moment=find_rollout_start(last_blows()))
    with run_cluster(tmp_path, "") as (client, workers):
        address = client.scheduler_info()["address"]
        monkeypatch.setattr(odds_cluster, "PATIENCE", 1.0)
        with open_workers(cluster=address) as work:
            done = work(((plan,), nth, nth + 1) for nth in range(1000))
            next(done)
            workers[0].kill()
            with pytest.raises(WorkersLost, match="it has lost all its workers"):
                list(done)
        with pytest.raises(WorkersLost, match="it has no workers"):
            open_workers(cluster=address).__enter__()


def test_workers_of_another_affray_are_said(tmp_path: Path) -> None:
    """They would say something else."""
    folder = at_the_bridge(tmp_path)
    with run_cluster(folder, ANOTHER) as (client, _):
        told = affray(folder, *ASKED[:-1], "--cluster", client.scheduler_info()["address"], PYTHONHASHSEED="1")
    assert (told.code, told.out) == (2, "")
    assert told.err.endswith(" is another one than here\n")
