"""One mutant: an honest log, its head perhaps, changed in one way or several, with the chain left or recomputed."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.forging import fit_lines, rechain_lines
from tests.fuzz_audit import deceiving, forged, meant, record, written  # noqa: F401 - they add ways
from tests.fuzz_audit.bases import NAMES, Base, Beside, base
from tests.fuzz_audit.draft import Draft
from tests.fuzz_audit.ways import WAYS, Way

FAMILIES = ("bytes", "lines", "values", "spelling", "characters", "times", "commands", "dice", "record", "keys")
FITS = ("left", "chain", "fitted", "fitted")
FORGED_FITS = ("chain", "fitted", "fitted")
_CLOSED = [name for name in NAMES if "closed" in name or "/" not in name]


class Mutant(NamedTuple):
    """A mutated log.

    Attributes:
        number: Which one.
        base: What it was.
        end: How many lines of that there were.
        ways: How it was changed, in order.
        fit: What became of the chain: ``left``, ``chain`` (recomputed) or ``fitted`` (positions and counts as well).
        lines: What it is.
        key: The seed that is given with it.
        parent: The log that is given as that of its parent.
        given: The key and the parent that would be given with the honest log.
        first: The number of the first line that is not what it was.
    """

    number: str
    base: Base
    end: int
    ways: tuple[Way, ...]
    fit: str
    lines: list[bytes]
    key: bytes | None
    parent: Beside | None
    given: tuple[bytes | None, Beside | None]
    first: int

    @property
    def forged(self) -> bool:
        """Tell whether all its edits are a forger's."""
        return all(way.family in deceiving.FAMILIES for way in self.ways)

    def __str__(self) -> str:
        told = " and ".join(way.mutate.__name__ for way in self.ways)
        return f"{self.number}: {self.base.name} up to {self.end}, {told}, {self.fit}"


def mutant(seed: int, number: int) -> Mutant:
    """Return the mutant of a number, the same one always."""
    return _mutant(f"{seed} {number}", number, FAMILIES, FITS)


def forgery(seed: int, number: int) -> Mutant:
    """Return the forged log of a number: deceptive edits, with a new chain."""
    return _mutant(f"forged {seed} {number}", number, deceiving.FAMILIES, FORGED_FITS)


def _mutant(name: str, number: int, families: tuple[str, ...], fits: tuple[str, ...]) -> Mutant:
    random = Random(name)
    while True:
        made = _made(name, number, families, fits, random)
        if made is not None:
            return made


def _made(name: str, number: int, families: tuple[str, ...], fits: tuple[str, ...], random: Random) -> Mutant | None:
    one = base(random.choice(random.choice((NAMES, _CLOSED))))
    draft = Draft(one, _end(one, random), random)
    given = draft.key, draft.parent
    ways = [random.choice(WAYS[families[number % len(families)]])]
    while random.random() < 0.2:
        ways.append(random.choice(WAYS[random.choice(families)]))
    try:
        for way in ways:
            way.mutate(draft)
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return None  # there is nothing here that it could be done to
    fit = random.choice(fits)
    honest = one.lines[: draft.end]
    if fit == "fitted":
        fit_lines(draft.lines)
    first = first_changed(draft.lines, honest)
    if fit != "left":
        rechain_lines(draft.lines, first)
    return Mutant(name, one, draft.end, tuple(ways), fit, draft.lines, draft.key, draft.parent, given, first + 1)


def _end(one: Base, random: Random) -> int:
    """Choose the end of a command: often that of the log, or an early one, which is audited sooner."""
    if random.random() < 0.3 and len(one.lines) < 700:
        return len(one.lines)
    early = [end for end in one.ends if end <= 400] or one.ends[:1]
    return random.choice(early)


def first_changed(lines: list[bytes], honest: tuple[bytes, ...]) -> int:
    """Return the index of the first line that is not what it was."""
    for nth, (new, old) in enumerate(zip(lines, honest, strict=False)):
        if new != old:
            return nth
    return min(len(lines), len(honest))
