"""Plant many faults, several at once, and go on where an earlier run stopped."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

import msgspec

from tests.planted.faults import ROOT, Fault
from tests.planted.planting import KILLED, SURVIVED, plant, verdict
from tests.planted.quickly import try_quickly
from tests.planted.seeing import Seen

KEPT = ROOT / ".planted_cache"
UNSEEN = "seen by no test"
CODE = ("engine", "events", "tools")
ALL = (*CODE, "tests", "replays", "encounters")


class Known(NamedTuple):
    """The files with what earlier runs found out.

    Attributes:
        killed: What is known until the code changes: tests only become more.
        survived: What is known until anything changes that a test may read.
    """

    killed: Path
    survived: Path

    def read(self) -> dict[str, str]:
        """Return what came of each fault so far."""
        lines = [line for file in self if file.exists() for line in file.read_bytes().splitlines()]
        return dict(msgspec.json.decode(line, type=tuple[str, str]) for line in lines)

    def keep(self, fault: Fault, what: str) -> None:
        """Write down what came of one."""
        with (self.killed if what == KILLED else self.survived).open("ab") as file:
            file.write(msgspec.json.encode((repr(fault), what)) + b"\n")


def state_of(rooms: Sequence[str]) -> str:
    """Return what changes whenever any file in some folders changes."""
    digest = sha256()
    for file in sorted(file for room in rooms for file in (ROOT / room).rglob("*") if file.is_file()):
        if "__pycache__" not in file.parts:
            digest.update(str(file).encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def outcomes(faults: Sequence[Fault], seen: Seen, known: Known, jobs: int, most: float) -> Iterator[tuple[Fault, str]]:
    """Yield each fault with what came of it, and keep it.

    Args:
        faults: What to plant.
        seen: Which tests see which line.
        known: What earlier runs found out.
        jobs: How many processes run at once.
        most: How many seconds of tests a fault may meet; one that survives them counts as a survivor.
    """
    done = known.read()
    yield from ((one, done[repr(one)]) for one in faults if repr(one) in done)
    waiting = [one for one in faults if repr(one) not in done]
    if waiting:
        try_quickly(waiting, seen, known.keep, known.survived.with_suffix(".log"), most)
        done = known.read()
        yield from ((one, done[repr(one)]) for one in waiting if repr(one) in done)
        waiting = [one for one in waiting if repr(one) not in done]
    running: dict[int, Fault] = {}
    _see_that_nothing_fails(waiting, seen, known, most)
    while waiting or running:
        ended: tuple[Fault, str] | None = None
        if waiting and len(running) < jobs:
            fault = waiting.pop(0)
            tests = seen.tests(fault, most)
            source = fault.source()
            if tests and source is not None:
                seconds = sum(seen.seconds[test] for test in tests)
                log = known.survived.with_name(f"{known.survived.stem}-{len(waiting)}.log")
                running[plant(fault.file, source, tests, seconds, log)] = fault
                continue
            ended = fault, UNSEEN
        else:
            child, status = os.wait()
            ended = running.pop(child), verdict(status)
        known.keep(*ended)
        yield ended
    for left in known.survived.parent.glob(f"{known.survived.stem}-*.tmp"):
        rmtree(left, ignore_errors=True)


def _see_that_nothing_fails(faults: Sequence[Fault], seen: Seen, known: Known, most: float) -> None:
    """Run the tests of the first fault that any can see upon the code as it is: all must pass."""
    for fault in faults:
        tests = seen.tests(fault, most)
        if tests:
            source = (ROOT / fault.file).read_text("utf-8")
            log = known.survived.with_name(f"{known.survived.stem}-none.log")
            child = plant(fault.file, source, tests, most, log)
            assert verdict(os.waitpid(child, 0)[1]) == SURVIVED
            return
