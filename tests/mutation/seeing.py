"""Which tests could see a fault, and which line each comes by: each runs once, with coverage noting who does."""

from __future__ import annotations

import ast
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from coverage import Coverage
from msgspec import Struct

from tests.mutation.faults import ROOT

RULES = ("tests/rulesets/test_scenarios.py", "tests/test_replays.py")
"""What drives everything: the scenarios and the recorded fights of every system."""

BELOW = ("tests/events", "tests/engine", "tests/tampering", "tests/rulesets/test_odds_enumerated.py")
"""What asks the engine below the rulesets."""

STARTING = re.compile(r"\b(affray|started|Popen|uvicorn\.\w+|subprocess\.\w+)\(")
"""How tests start the program or a server: what they start has no faults in it."""

FEW = 8
"""Where fewer tests come by a line, others that use its file are asked too: what is kept in a cache is read once.

Where these are few as well, all are: what stands in a module or a class is run when it is imported, which is no test's.
"""

AT_HAND = ("tests/events/", "tests/engine/")
"""What nobody comes by is a table or a default: these may look at it without running anything beside it."""


LESS = 10
"""So many times fewer examples a property tries here: it comes by the same code all the same, nearly always."""


class Seen(Struct):
    """The code that tests reach.

    Attributes:
        seconds: What each test took.
        lines: Per file and line, the tests that ran it.
        named: Per file, the tests of test files that import it: limits of fields are used without coming by.
        files: The files that faults can be planted into.
    """

    seconds: dict[str, float] = {}
    lines: dict[str, dict[int, list[str]]] = {}
    named: dict[str, list[str]] = {}
    files: list[str] = []

    def fastest(self, most: float) -> list[str]:
        """Return the fastest tests, of so many seconds in all."""
        return self.choose_tests("", 0, 0, most)

    def choose_tests(self, file: str, first: int, last: int, most: float) -> list[str]:
        """Return the tests that could see a fault in some lines, the fastest first, of so many seconds at most."""
        lines = self.lines.get(file, {})
        sure = {test for line in range(first, last + 1) for test in lines.get(line, ())}
        using = {test for tests in lines.values() for test in tests} | {*self.named.get(file, ())}
        near = using if len(sure) < FEW else set()
        at_hand = {test for test in self.seconds if test.startswith(AT_HAND)} if not sure else set()
        others = set(self.seconds) if len(sure | near) < FEW else set()
        chosen: dict[str, None] = {}
        for tests, share in ((sure, 1.0), (at_hand, 0.25), (near, 1.0), (others, 1.0)):
            left = most * share
            for test in sorted(tests - chosen.keys(), key=lambda one: (self.seconds[one], one)):
                left -= self.seconds[test]
                if left > 0:
                    chosen[test] = None
                    most -= self.seconds[test]
        return list(chosen)


class Watching:
    """Tells coverage which test runs, and takes its time."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.seen = Seen()
        self.homes: dict[str, Path] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self.homes[item.nodeid] = item.path
        self.coverage.switch_context(item.nodeid)
        began = time.process_time()
        done = yield
        drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        self.seen.seconds[item.nodeid] = round((time.process_time() - began) * (LESS if drawn else 1), 4)
        self.coverage.switch_context("")
        return done


def could_see(files: Sequence[str]) -> list[str]:
    """Return what pytest is told to run: for a part of one ruleset its own, for all else what asks the engine."""
    systems = {one.split("/")[2] if one.startswith("engine/rulesets/") else "" for one in files}
    if len(systems) == 1 and "" not in systems:
        (system,) = systems
        return [*RULES, f"tests/rulesets/{system}", "tests/engine/test_policies.py", "-k", system]
    return [*RULES, *BELOW, *_in_process("tests/tools"), *_in_process("tests/serve")]


def _in_process(room: str) -> Iterator[str]:
    for file in sorted((ROOT / room).glob("test_*.py")):
        if not STARTING.search(file.read_text("utf-8")):
            yield str(file.relative_to(ROOT))


def look(files: Sequence[str], tests: Sequence[str], kept: Path) -> None:
    """Measure the code that tests reach, in a separate process, and store it."""
    child = os.fork()
    if not child:
        code = 1
        try:
            code = _look(files, tests, kept)
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1]:
        raise SystemExit("the tests fail without any fault planted")


def _look(files: Sequence[str], tests: Sequence[str], kept: Path) -> int:
    os.chdir(ROOT)
    os.environ["AFFRAY_PROFILE"] = "few"
    os.environ["COVERAGE_CORE"] = "ctrace"  # the other cores do not know who comes by
    coverage = Coverage(data_file=None, include=[str(ROOT / file) for file in files], config_file=False)
    watching = Watching(coverage)
    coverage.start()
    code = pytest.main(["-q", "-p", "no:cacheprovider", *tests], plugins=[watching])
    coverage.stop()
    data = coverage.get_data()
    for file in data.measured_files():
        lines = data.contexts_by_lineno(file)
        name = str(Path(file).resolve().relative_to(ROOT))
        watching.seen.lines[name] = {line: sorted(filter(None, by)) for line, by in lines.items()}
    for test, home in watching.homes.items():
        for name in list_imported_files(home):
            watching.seen.named.setdefault(name, []).append(test)
    if code == 0:
        watching.seen.files = [*files]
        kept.write_bytes(msgspec.json.encode(watching.seen))
    return int(code)


@cache
def list_imported_files(test_file: Path) -> frozenset[str]:
    """Return the files of the checkout from which a test file imports something."""
    nodes = ast.walk(ast.parse(test_file.read_text("utf-8")))
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    names = {name for one in froms for name in (one.module, *(f"{one.module}.{alias.name}" for alias in one.names))}
    modules = [sys.modules[name] for name in names if name in sys.modules]
    files = [Path(file).resolve() for one in modules if (file := getattr(one, "__file__", None))]
    return frozenset(str(file.relative_to(ROOT)) for file in files if file.is_relative_to(ROOT))
