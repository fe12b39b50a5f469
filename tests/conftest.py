"""The number of examples for properties, and the summary at the end of a run, for all processes.

Examples are 12 by default, many with ``AFFRAY_PROFILE=thorough``, and but a few where only that matters by which code a
test comes (``few``). All are derandomised: the same code meets the same examples everywhere, so a red run is red again.
"""

from __future__ import annotations

import gc
import os
import re
import signal
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import count, groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from tests.summary import found

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in what a shell starts beside itself; tests press it
    signal.signal(signal.SIGINT, signal.default_int_handler)

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)

settings.register_profile(
    "quick", max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000)
settings.register_profile("few", settings.get_profile("quick"), max_examples=4)
settings.load_profile(os.environ.get("AFFRAY_PROFILE", "quick"))

gc.set_threshold(500_000, 50, 1000)  # of all that thousands of fights leave alive, hardly anything is ever garbage


SALTS = [count(1)]
"""What the salts of openings count; each test begins anew."""


def pytest_runtest_setup() -> None:
    """Reset the count of salts."""
    SALTS[0] = count(1)


def pytest_collection(session: pytest.Session) -> None:
    """Let seeded fights have the same dice in every run: they are bound to the opening, with its time, code and salts.

    The program is not imported where tests are only listed, so that a fault can be planted into it behind that.
    """
    if session.config.option.collectonly:
        return
    if hasattr(session.config, "workerinput"):
        compile_in_turn(session.config.workerinput, session.config.rootpath)
    from affray.engine import opening  # noqa: PLC0415
    from affray.engine.analysis import what_if  # noqa: PLC0415
    from affray.engine.history import recorder  # noqa: PLC0415
    from affray.engine.integrity.audit import rules  # noqa: PLC0415

    for module in (opening, recorder, rules, what_if):
        module.digest_rules = lambda ruleset: sha256(ruleset.package.encode()).hexdigest()  # type: ignore[attr-defined]
    defaults = opening.begin_fight.__kwdefaults__
    assert defaults is not None
    defaults["clock"] = lambda: "2026-01-01T12:00:00.000Z"
    defaults["salts"] = lambda: f"{next(SALTS[0]):032x}"


def compile_in_turn(worker: dict[str, Any], root: Path) -> None:
    """Import the modules of tests, each worker from another one on, so that not all workers compile the same ones."""
    modules = sorted(root.glob("tests/**/test_*.py"))
    begin = int(worker["workerid"].removeprefix("gw")) * len(modules) // worker["workercount"]
    for module in (*modules[begin:], *modules[:begin]):
        with suppress(Exception):  # collecting it says what is wrong
            import_module(".".join(module.relative_to(root).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files that drive a browser evenly among the others, which compute while a browser is waited for.

    The last tenth has none of them: they take long, and one that begins last is waited for alone.
    """
    files = [list(tests) for _, tests in groupby(items, lambda item: item.path)]
    page = [tests for tests in files if tests[0].path.parent.name == "page"]
    rest = [tests for tests in files if tests[0].path.parent.name != "page"]
    ends = (page, 0.9), (rest, 1.0)
    placed = [((at + 0.5) / len(some) * end, tests) for some, end in ends for at, tests in enumerate(some)]
    items[:] = [item for _, tests in sorted(placed, key=lambda one: one[0]) for item in tests]


RUNS_SCENARIOS = re.compile(
    r"^from tests\.(engine\.waiting|metamorphic\.(meanwhile|orders)|rulesets\.coverage) import", re.MULTILINE
)
"""What the files import whose tests run every scenario of a system, or take the moments of fights from them."""


class Scheduling(LoadFileScheduling):
    """Gives each file to one worker, and those of all scenarios to the same one, which runs the scenarios once."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "all scenarios" if runs_scenarios(self.config.rootpath / file) else file


@cache
def runs_scenarios(file: Path) -> bool:
    """Tell whether the tests of a file run every scenario."""
    return RUNS_SCENARIOS.search(file.read_text("utf-8")) is not None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Spread files among the workers, where that is asked for."""
    return Scheduling(config, log) if config.option.dist == "loadfile" else None


def pytest_collection_finish() -> None:
    """Exclude the objects shared by all tests from garbage collection."""
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker found out to the process that prints."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["summary"] = found(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    """Take over what a worker found out; there is nothing from one that was killed."""
    found(node.config).update(getattr(node, "workeroutput", {}).get("summary", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sections."""
    for title, text in found(terminalreporter.config).items():
        terminalreporter.section(title)
        terminalreporter.write_line(text)
