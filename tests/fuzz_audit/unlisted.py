"""Differences of a forged log that no line of the list of what only a checkpoint can catch accounts for."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from affray.events import (
    Answered,
    AskingSet,
    Attempted,
    Declared,
    DiceEntered,
    FightOpened,
    Passed,
    Rolled,
    Ruled,
    decode_line,
    format_of,
)
from tests.fuzz_audit.honest import BOUND
from tests.scalars.altering import places
from tests.scalars.listed import LISTED

CHOICES = (Answered, AskingSet, Attempted, Declared, DiceEntered, Passed, Ruled)
"""What people choose."""

SURE = 10**9
"""How many ways enough dice could have fallen, so that they do not fall alike by chance."""


def list_unlisted(lines: Sequence[bytes], honest: Sequence[bytes]) -> list[str]:
    """Return the kinds of differing scalars that are not listed, each with its line.

    A command left out or added is listed, and so is another answer, declaration or ruling with what follows from it.

    Args:
        lines: A forged log that could have been recorded so.
        honest: The log that it was made of. Nothing is told up to format 4, nor where few dice of the engine's fell.
    """
    if format_of(honest[0]) < BOUND or len(lines) != len(honest) or _few_dice(honest):
        return []
    found: list[str] = []
    for nth, (line, other) in enumerate(zip(lines, honest, strict=True), 1):
        if line == other:
            continue
        new, old = decode_line(line).event, decode_line(other).event
        if new != old and isinstance(new, CHOICES) and isinstance(old, CHOICES):
            break  # everything behind it is decided anew
        found += [f"{kind} at line {nth}" for kind in _differing(line, other) if kind not in LISTED]
    return found


def _differing(line: bytes, other: bytes) -> list[str]:
    new, old = _scalars(line), _scalars(other)
    return sorted({kind for kind, path in new.keys() | old.keys() if new.get((kind, path)) != old.get((kind, path))})


def _scalars(line: bytes) -> dict[tuple[str, tuple[str | int, ...]], Any]:
    return {(place.kind, place.path): place.value for place in places([line])}


def _few_dice(lines: Sequence[bytes]) -> bool:
    """Tell whether so few dice of the engine's have fallen that others may fall alike, or whether none can fall."""
    opened, rolls = (
        decode_line(lines[0]).event,
        [decode_line(line).event for line in lines if b'"type":"Rolled"' in line],
    )
    assert isinstance(opened, FightOpened)
    thrown = [one for one in rolls if isinstance(one, Rolled) and one.source == "engine"]
    ways = prod(group.sides ** len(group.faces) for one in thrown for group in one.dice if group.thrown)
    return not opened.commitment or ways < SURE
