"""The progress of a run, kept in a file, so that a stopped run can continue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from .course import Came

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".simulation_cache" / "progress.json"
CODE = ("engine", "events", "tests/simulation", "tests/engine", "tests/rulesets")
"""What decides how a fight goes; by it is kept how many fights were played by which code."""


class Progress(Struct):
    """The progress of one system.

    Attributes:
        next: The first seed that was not played yet.
        ahead: Those behind it that were.
        drawn: How much was drawn of each kind, in the fights that hold.
        failed: What failed, by seed.
        by: How many fights were played by which code.
    """

    next: int = 0
    ahead: set[int] = set()
    drawn: dict[str, int] = {}
    failed: dict[int, str] = {}
    by: dict[str, int] = {}

    def due(self, count: int) -> Iterator[int]:
        """Yield the seeds to be played: those that failed, and those that were not played yet."""
        yield from sorted(self.failed)
        yield from (seed for seed in range(self.next, count) if seed not in self.ahead)

    def take(self, came: Came, code: str) -> None:
        """Note what came of a fight."""
        if came.fault:
            self.failed[came.seed] = came.fault
        else:
            self.failed.pop(came.seed, None)
            self.drawn = Counter(self.drawn) + came.drawn
            self.by[code] = self.by.get(code, 0) + 1
        if came.seed >= self.next:
            self.ahead.add(came.seed)
        while self.next in self.ahead:
            self.ahead.remove(self.next)
            self.next += 1


def read_progress(path: Path, systems: Iterable[str]) -> dict[str, Progress]:
    """Return the saved progress, with an empty one for each further system."""
    known = msgspec.json.decode(path.read_bytes(), type=dict[str, Progress]) if path.exists() else {}
    return known | {system: Progress() for system in systems if system not in known}


def keep(path: Path, known: dict[str, Progress]) -> None:
    """Write it down; a stop in the middle leaves what was kept before."""
    path.parent.mkdir(exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(known))
    new.replace(path)


def code() -> str:
    """Return a short digest of the code by which fights are played."""
    files = sorted(path for room in CODE for path in (ROOT / room).rglob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
