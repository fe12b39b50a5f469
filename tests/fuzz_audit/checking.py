"""An audit's verdict on a mutant, its time and memory, and whether the verdict is allowed."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import NamedTuple

from affray.engine.integrity.audit import Parent, Report, audit
from tests.fuzz_audit.bases import Beside
from tests.fuzz_audit.honest import dishonest
from tests.fuzz_audit.mutant import Mutant
from tests.fuzz_audit.unlisted import list_unlisted

SECONDS, SECONDS_A_MB = 5.0, 30.0
"""How long an audit may take, and how much longer for each megabyte of the log, on a busy machine."""

MB, MB_A_MB = 60, 60
"""By how many megabytes the process may grow for it."""

MOST_MB = 3_000
"""Where the process is stopped."""


class TooLong(BaseException):
    """An audit takes too long."""


class Checked(NamedTuple):
    """The result of one mutant.

    Attributes:
        verdict: The layer that found it, ``incomplete``, ``same``, or ``honest`` where it could have been recorded so.
        seconds, mb: What it took.
        wrong: What is wrong with that, if anything is.
    """

    verdict: str
    seconds: float
    mb: float
    wrong: str = ""


def check_mutant(mutant: Mutant) -> Checked:
    """Audit a mutant and judge the audit."""
    size = sum(map(len, mutant.lines)) / 1e6
    limit = SECONDS + SECONDS_A_MB * size
    before = _high(reset=True)
    start = perf_counter()
    verdict, wrong = "raised", ""
    try:
        with stop_after(limit):
            report = audit_mutated(mutant.lines, mutant.key, mutant.parent)
    except TooLong:
        wrong = f"took longer than {limit:.0f} s"
    except Exception as error:
        wrong = f"raised {type(error).__name__}: {error}"[:300]
    else:
        verdict, wrong = judge_mutant(mutant, report)
    seconds, mb = perf_counter() - start, _high() - before
    if not wrong and mb > MB + MB_A_MB * size:
        wrong = f"took {mb:.0f} MB"
    return Checked(verdict, seconds, mb, wrong)


def audit_mutated(lines: Sequence[bytes], key: bytes | None, parent: Beside | None) -> Report:
    """Audit a log with what is beside it."""
    parents = [] if parent is None else [Parent(name="parent", lines=lambda: parent.lines, key=parent.key)]
    return audit(lambda: lines, seed=key, parents=parents)


def judge_mutant(mutant: Mutant, report: Report) -> tuple[str, str]:
    if report.findings:
        first = report.findings[0]
        beside = mutant.given == (mutant.key, mutant.parent)
        reaches = (
            max(end for end in (0, *mutant.base.ends) if end < mutant.first)
            if first.layer == "rules"
            else mutant.first - 1
        )
        told = b"".join((*mutant.lines[mutant.first - 1 :], *mutant.base.lines[mutant.first - 1 : mutant.end]))
        early = beside and b"Closed" not in told and b"Forked" not in told and first.line <= reaches
        wrong = f"{first.layer} {first.code} at line {first.line}, before {mutant.first}" if early else ""
        return first.layer, wrong
    if not report.clean:
        return "incomplete", ""
    if mutant.lines == list(mutant.base.lines[: mutant.end]) and mutant.given == (mutant.key, mutant.parent):
        return "same", ""
    why = dishonest(mutant.lines, mutant.key, mutant.parent)
    if why:
        return "clean", f"said clean, but {why}"
    if mutant.forged and (found := list_unlisted(mutant.lines, mutant.base.lines[: mutant.end])):
        return "clean", f"said clean, but no document lists {', '.join(found)[:300]}"
    return "honest", ""


@contextmanager
def stop_after(seconds: float) -> Iterator[None]:
    """Stop what takes longer."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def bound_memory() -> None:
    """Limit the memory of the process."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MB * 1_000_000, MOST_MB * 1_000_000))


def _high(*, reset: bool = False) -> float:
    """Return the most megabytes that this process ever had, or since this was reset."""
    if reset and _REFS.exists():
        _REFS.write_text("5")
    if _STATUS.exists():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


_STATUS, _REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")
