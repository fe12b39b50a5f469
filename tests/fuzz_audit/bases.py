"""The honest logs that mutants are made of: fights of all systems, closed, open, forked, hidden, in old formats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

from affray.engine.analysis.policies import choose_anything, choose_best
from affray.engine.commands import Command, Undo
from affray.engine.fight import Fight
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.history.log import read_log
from affray.events import read_line
from tests.engine.memory import MemoryStore
from tests.forging import find_seeds
from tests.rulesets.systems import PRESENT
from tests.tampering.fights import ROOT, SEED, clock, closed_fight

OWN_SEED = bytes(range(64, 96))
"""The seed of forks of fights that are still open."""

PARENTS = {"vestige/fork-of-the-bridge": "vestige/closed-bridge"}

REPLAYS = {f"{path.parent.name}/{path.stem}": path for path in sorted(ROOT.glob("replays/*/*.jsonl"))}


class Beside(NamedTuple):
    """A parent's log, and the key beside it."""

    lines: tuple[bytes, ...]
    key: bytes | None


class Base(NamedTuple):
    """An honest log.

    Attributes:
        name: Which one, for people.
        lines: As it is written.
        seeds: Those of its dice that are known, by what it promises of them.
        key: What is kept beside it while it is open.
        ends: How many lines there are at the end of each of its commands.
        parent: The log that it is a fork of, if it is one.
    """

    name: str
    lines: tuple[bytes, ...]
    seeds: dict[str, bytes]
    key: bytes | None
    ends: tuple[int, ...]
    parent: Beside | None = None


FORKS = {f"fork of {system}": (system, False) for system in PRESENT} | {
    f"fork of closed {system}": (system, True) for system in PRESENT
}
NAMES = (*PRESENT, *FORKS, *REPLAYS)


@cache
def base(name: str) -> Base:
    """Return an honest log."""
    if name in FORKS:
        return fork_base(name, *FORKS[name])
    if name in REPLAYS:
        path = REPLAYS[name]
        key = path.with_suffix(".key")
        seed = bytes.fromhex(key.read_text()) if key.exists() else None
        one = _base(name, path.read_bytes().splitlines(), seed)
        parent = PARENTS.get(name)
        return one._replace(parent=Beside(base(parent).lines, None)) if parent else one
    return _base(name, list(closed_fight(name).lines), None)


def _base(name: str, lines: list[bytes], key: bytes | None, *seeds: bytes) -> Base:
    causes = [read_line(line).cause for line in lines]
    ends = [nth for nth, (one, two) in enumerate(pairwise(causes), 1) if one != two]
    known = [*seeds, *([key] if key else []), *iterate_revealed_seeds(lines[-1])]
    return Base(name, tuple(lines), find_seeds(read_log(lines), known), key, (*ends, len(lines)))


def iterate_revealed_seeds(last: bytes) -> Iterator[bytes]:
    _, found, rest = last.partition(b'"type":"Closed","seed":"')
    if found:
        yield bytes.fromhex(rest[:64].decode())


def fork_base(name: str, system: str, closed: bool) -> Base:
    """Fork a played fight in its middle; its parent is closed, and its seed public, or open, and its dice unknown."""
    parent = base(system)
    store = MemoryStore()
    lines = parent.lines if closed else parent.lines[:-1]
    store.begin("parent", lines, None)
    middle = parent.ends[len(parent.ends) // 2]
    wanted = ForkRequest(parent="parent", name="what-if", at=middle, who="gm", reason="what if?")
    _go_on(fork_fight(wanted, store, store, fresh=OWN_SEED, clock=clock()))
    beside = Beside(lines, None if closed else SEED)
    return _base(name, store.read("what-if"), store.seeds["what-if"], SEED)._replace(parent=beside)


def _go_on(fight: Fight) -> None:
    dice = Random(3)
    for nth in range(12):
        intent = (
            Undo(commands=1, fresh=nth > 6) if nth in (5, 9) else (choose_anything, choose_best)[nth % 2](fight, dice)
        )
        if intent is not None:
            fight.submit(Command(id=f"if{nth}", who="gm", intent=intent))
