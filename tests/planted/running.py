"""Plant many faults, several at once, and go on where an earlier run stopped."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

import msgspec

from tests.planted.faults import ROOT, Fault
from tests.planted.planting import SURVIVED, plant, verdict
from tests.planted.seeing import Seen

KEPT = ROOT / ".planted_cache"
UNSEEN = "seen by no test"
CODE = ("engine", "events", "tools", "tests", "replays", "encounters")


def state_of_the_code() -> str:
    """Return what changes whenever any file changes that a test may read."""
    digest = sha256()
    for file in sorted(file for room in CODE for file in (ROOT / room).rglob("*") if file.is_file()):
        if "__pycache__" not in file.parts:
            digest.update(str(file).encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def outcomes(faults: Sequence[Fault], seen: Seen, kept: Path, jobs: int, most: float) -> Iterator[tuple[Fault, str]]:
    """Yield each fault with what came of it, and keep it in a file.

    Args:
        faults: What to plant.
        seen: Which tests see which line.
        kept: The file with what earlier runs found out.
        jobs: How many processes run at once.
        most: How many seconds of tests a fault may meet; one that survives them counts as a survivor.
    """
    lines = kept.read_bytes().splitlines() if kept.exists() else []
    done = dict(msgspec.json.decode(line, type=tuple[str, str]) for line in lines)
    known = [(one, done[repr(one)]) for one in faults if repr(one) in done]
    yield from known
    running: dict[int, Fault] = {}
    waiting = [one for one in faults if repr(one) not in done]
    _see_that_nothing_fails(waiting, seen, kept, most)
    with kept.open("ab") as file:
        while waiting or running:
            ended: tuple[Fault, str] | None = None
            if waiting and len(running) < jobs:
                fault = waiting.pop(0)
                tests = seen.tests(fault, most)
                source = fault.source()
                if tests and source is not None:
                    seconds = sum(seen.seconds[test] for test in tests)
                    log = kept.with_name(f"{kept.stem}-{len(waiting)}.log")
                    running[plant(fault.file, source, tests, seconds, log)] = fault
                    continue
                ended = fault, UNSEEN
            else:
                child, status = os.wait()
                ended = running.pop(child), verdict(status)
            file.write(msgspec.json.encode((repr(ended[0]), ended[1])) + b"\n")
            file.flush()
            yield ended
    for left in kept.parent.glob(f"{kept.stem}-*.tmp"):
        rmtree(left, ignore_errors=True)


def _see_that_nothing_fails(faults: Sequence[Fault], seen: Seen, kept: Path, most: float) -> None:
    """Run the tests of the first fault that any can see upon the code as it is: all must pass."""
    for fault in faults:
        tests = seen.tests(fault, most)
        if tests:
            source = (ROOT / fault.file).read_text("utf-8")
            child = plant(fault.file, source, tests, most, kept.with_name(f"{kept.stem}-none.log"))
            assert verdict(os.waitpid(child, 0)[1]) == SURVIVED
            return
