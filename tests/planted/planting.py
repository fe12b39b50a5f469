"""Run tests upon code with a fault in it: in a process of its own, in which no other module differs."""

from __future__ import annotations

import atexit
import faulthandler
import os
import resource
import sys
import warnings
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from tests.planted.faults import ROOT

KILLED, SURVIVED = "killed", "survived"
NOTICED = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR)
"""The last is how pytest ends where a conftest cannot be imported."""

SECONDS = 20
"""What starting, importing and collecting may take beside the tests."""

OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler")
"""How pytest is told to run tests upon a fault; the last would switch off what ends a process that waits."""

PATIENCE = 4
"""How much longer than the processor may work on it a process may last: other work goes on beside it."""


class Planted(SourceFileLoader):
    """Loads one module from other source than its file holds."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile_module(self._source, self.path)


def compile_module(source: str, path: str) -> CodeType:
    """Return the code of a module; what Python finds odd about it, such as ``is`` with a number, does not count."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return compile(source, path, "exec", dont_inherit=True)


class Finder:
    """Finds the module with the fault; all others are found as ever."""

    def __init__(self, file: str, source: str) -> None:
        names = Path(file).with_suffix("").parts
        self.name = ".".join(("affray", *(names[:-1] if names[-1] == "__init__" else names)))
        self.source = source

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = Planted(name, spec.origin, self.source)
        return spec


class Chosen:
    """Keeps of what pytest collects the chosen tests, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.tests = {test: nth for nth, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.tests), key=lambda one: self.tests[one.nodeid])


def warm_up() -> None:
    """Import what pytest and its plugins need, so that no process does so again; nothing that could hold a fault."""
    pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", str(ROOT / "tests" / "test_layout.py")])
    assert "affray" not in sys.modules


def plant(file: str, source: str, tests: Sequence[str], seconds: float, log: Path) -> int:
    """Fork a process in which the tests run, until one fails, upon other source of a file; return its id.

    It may take so many seconds of the processor, and some to start; a fault that makes it take more is noticed as well,
    and so is one that makes it wait, of which the clock tells.
    """
    child = os.fork()
    if child:
        return child
    code = 3
    try:
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        most = int(SECONDS + 4 * seconds)
        end_after(most, PATIENCE * most, said)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        os.chdir(ROOT)
        sys.meta_path.insert(0, Finder(file, source))
        options = [
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:faulthandler",
            "--basetemp",
            str(log.with_suffix(".tmp")),
        ]
        for some in order_tests(tests):
            files = sorted({test.partition("::")[0] for test in some})
            code = int(pytest.main([*options, *files], plugins=[Chosen(some)]))
            if code != pytest.ExitCode.OK:
                break
        atexit._run_exitfuncs()
    finally:
        os._exit(code)


def order_tests(tests: Iterable[str]) -> list[list[str]]:
    """Return tests in several runs: first those of files that are soon collected."""
    runs: dict[str, list[str]] = {}
    for test in tests:
        room = test.split("/")[1]
        runs.setdefault(room if room in ("events", "engine", "rulesets") else "", []).append(test)
    return [runs[room] for room in ("events", "engine", "rulesets", "") if room in runs]


def end_after(processor: int, clock: float, log: int) -> None:
    """End this process once it has worked for so many seconds, or lasted for so many, whatever it waits for."""
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    faulthandler.dump_traceback_later(clock, exit=True, file=log)


def verdict(status: int) -> str:
    """Say what came of a fault, from how its process ended.

    A failed test, a module that cannot be imported and a process that was ended for taking too much have noticed it.
    """
    code = os.waitstatus_to_exitcode(status)
    if code == pytest.ExitCode.OK:
        return SURVIVED
    assert code < 0 or code in NOTICED, code
    return KILLED
