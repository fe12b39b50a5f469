"""Faults that are noticed soon: each in functions that are loaded already, in a fork that has all tests at hand.

Importing and collecting take longer than most tests do. So one process does both, forks for each fault, and gives there
the functions that hold the fault their other code. That says nothing of what survives it: what ran while modules were
loaded, and what lies outside functions, is as it was. A survivor is tried again with its module loaded anew; so is what
was noticed by a test that also fails in a fork without any fault.
"""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tests.planted.faults import ROOT, Fault
from tests.planted.planting import KILLED, OPTIONS, PATIENCE, SECONDS, compile_module, end_after
from tests.planted.seeing import Seen

Keep = Callable[[Fault, str], None]


def try_quickly(faults: Sequence[Fault], seen: Seen, keep: Keep, log: Path, most: float) -> None:
    """Try some faults in a process of its own, and keep which were killed.

    Args:
        faults: What to plant.
        seen: Which tests see which line.
        keep: Writes down what came of one.
        log: Where the tests may write to.
        most: How many seconds of tests a fault may meet.
    """
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.chdir(ROOT)
        wanted = {one: seen.tests(one, most) for one in faults}
        files = sorted({test.partition("::")[0] for tests in wanted.values() for test in tests})
        options = [*OPTIONS, "-s", "--basetemp", str(log.with_suffix(".tmp"))]
        pytest.main([*options, *files], plugins=[Forks(wanted, seen, keep)])
    finally:
        os._exit(0)


class Forks:
    """Takes the place of the loop in which pytest runs what it has collected."""

    def __init__(self, wanted: dict[Fault, list[str]], seen: Seen, keep: Keep) -> None:
        self.wanted = wanted
        self.seen = seen
        self.keep = keep
        self.failed = ""
        self.trusted: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items, functions = {item.nodeid: item for item in session.items}, list_loaded_functions()
        gc.freeze()  # what no fork writes to is shared
        for fault, tests in self.wanted.items():
            chosen = [items[test] for test in tests if test in items]
            other = other_code(fault, functions)
            if chosen and other and self._notices(session, chosen, other):
                self.keep(fault, KILLED)
        return True

    def _notices(self, session: pytest.Session, chosen: list[pytest.Item], other: dict[FunctionType, CodeType]) -> bool:
        """Tell whether a test fails upon other code, and passes without it."""
        nth = self._failing(session, chosen, other)
        if nth is None:
            return False
        name = chosen[nth].nodeid
        if name not in self.trusted:
            self.trusted[name] = self._failing(session, [chosen[nth]], {}) is None
        return self.trusted[name]

    def _failing(
        self, session: pytest.Session, chosen: list[pytest.Item], other: dict[FunctionType, CodeType]
    ) -> int | None:
        """Return which of some tests fails first, or takes too much; they run in a fork."""
        told, tell = os.pipe()
        child = os.fork()
        if not child:
            most = int(SECONDS + 4 * sum(self.seen.seconds[one.nodeid] for one in chosen))
            end_after(most, PATIENCE * most, 2)
            for function, code in other.items():
                function.__code__ = code
            self._run(session, chosen, tell)
        os.close(tell)
        with os.fdopen(told, "rb") as file:
            ran = file.read()
        _, status = os.waitpid(child, 0)
        return None if status == 0 else max(0, len(ran) - 1)

    def _run(self, session: pytest.Session, chosen: list[pytest.Item], tell: int) -> None:
        """Run tests until one fails, telling of each when it begins; never return."""
        code = 1
        try:
            for nth, item in enumerate(chosen):
                os.write(tell, b".")
                following = chosen[nth + 1] if nth + 1 < len(chosen) else None
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    break
            else:
                code = 0
            atexit._run_exitfuncs()
        finally:
            os._exit(code)


Functions = dict[tuple[str, str, int], list[FunctionType]]
"""Every function that is loaded, by file, name and line."""


def list_loaded_functions() -> Functions:
    """Return every function of ours that is loaded."""
    found: Functions = {}
    for one in gc.get_objects():
        if type(one) is FunctionType and "/affray/" in one.__code__.co_filename:
            found.setdefault((_real(one.__code__.co_filename), *_key(one.__code__)), []).append(one)
    return found


def other_code(fault: Fault, functions: Functions) -> dict[FunctionType, CodeType]:
    """Return the functions that hold a fault with their code then; none if it lies outside of all."""
    source, path = fault.source(), ROOT / fault.file
    if source is None:
        return {}
    was, now = (compile_module(text, str(path)) for text in (path.read_text("utf-8"), source))
    pairs = list(_pairs(was, now))
    if any(_own(one) != _own(other) for one, other in pairs if not one.co_flags & CO_OPTIMIZED):
        return {}
    changed = {_key(one): other for one, other in pairs if one.co_flags & CO_OPTIMIZED and one != other}
    return {one: code for key, code in changed.items() for one in functions.get((str(path), *key), ())}


def _pairs(was: CodeType, now: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield a module's code before and after, and that of all classes and functions in it."""
    yield was, now
    for one, other in zip(was.co_consts, now.co_consts, strict=False):
        if isinstance(one, CodeType) and isinstance(other, CodeType):
            yield from _pairs(one, other)


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a module or class does itself, beside what its functions do."""
    return code.co_code, code.co_names, [one for one in code.co_consts if not isinstance(one, CodeType)]


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


@cache
def _real(path: str) -> str:
    return str(Path(path).resolve())
