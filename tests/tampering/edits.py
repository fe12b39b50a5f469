"""Edits of a log."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from affray.events import ABOUT_THE_RECORD, STARTS, Event, Recorded
from tests.forging import Log, fitting, replace_event
from tests.tampering.anew import parts_at
from tests.tampering.fights import Closed

UNFELT = "said: what nothing rests on"
"""The row of whatever people said otherwise without anything else being different."""


RIGHT = b"the seed of the fight"
"""Stands for the key that belongs to a log."""


class Tampered(NamedTuple):
    """An edited log, as it is with the chain left and with the chain recomputed.

    Attributes:
        row: Which row of the matrix it belongs to.
        left: The lines with their old hashes.
        left_at: Where the edit must be found in these.
        forged: The lines as the forger makes them fit, but for the hashes.
        at: Where the edit must be found in these.
        first: The first line of these that is not what it was; 0 if the lines are all what they were.
        spell: Spells the first of these otherwise, as bytes.
        key: What is given beside the log as its seed.
    """

    row: str
    left: list[Recorded]
    left_at: int
    forged: list[Recorded]
    at: int
    first: int
    spell: Callable[[bytes], bytes] | None = None
    key: bytes | None = RIGHT


class Site(NamedTuple):
    """A place at which a log can be edited in some way.

    Attributes:
        kind: The edit; the places of one kind are sampled evenly.
        edit: Makes it; nothing if there is no such edit at this place after all.
    """

    kind: str
    edit: Callable[[], Tampered | None]


Edits = Callable[[Closed], Iterator[Site]]
EDITS: list[Edits] = []
"""Every way to edit a log, in the order in which the code has them; each yields the places at which it applies."""


def edits(function: Edits) -> Edits:
    """Register a way to edit a log; the order does not depend on imports."""
    insort(EDITS, function, key=lambda one: one.__module__)
    return function


def one_line(row: str, fight: Closed, position: int, event: Event, at: int = 0) -> Tampered:
    """Return the log with another event at one position, found there or further on."""
    entries = replace_event(fight.log, position, event)
    return Tampered(row, entries, position, entries, at or position, position)


def make_moved_log(row: str, fight: Closed, left: list[Recorded], left_at: int, at: int = 0) -> Tampered:
    """Return a log with added, removed or moved lines."""
    forged = fitting(left)
    first = rewritten_from(forged, fight.log)
    return Tampered(row, left, left_at, forged, at or parts_from(forged, fight.log), first)


def left_alone(
    row: str, unfelt: str, fight: Closed, left: list[Recorded], forged: list[Recorded], first: int
) -> Tampered:
    """Return a log with a changed, removed or moved input and unchanged later events.

    Args:
        row: The row, if anything would follow otherwise.
        unfelt: The row, if nothing would.
        fight: The fight.
        left: The lines with the chain left.
        forged: The lines as the forger makes them fit.
        first: The first position that was edited.
    """
    at = parts_at(forged, first, fight.seed)
    if at is not None and type(forged[at - 1].event) in ABOUT_THE_RECORD and not _lacks_some(forged, first, at, fight):
        row = f"{row}; a taking back fits no more"
    rewritten = rewritten_from(forged, fight.log)
    return Tampered(
        unfelt if at is None else row, left, rewritten_from(left, fight.log), forged, at or rewritten, rewritten
    )


def _lacks_some(forged: Log, first: int, at: int, fight: Closed) -> bool:
    """Tell whether the command that ends before a position would have led to more events."""
    return at > first and parts_at(forged[: at - 1], first, fight.seed) == at


def parts_from(forged: Log, original: Log) -> int:
    """Return the first position with another event, or with one of another command."""
    for nth, (new, old) in enumerate(zip(forged, original, strict=False), 1):
        if new.event != old.event or new.cause != old.cause:
            return nth
    return min(len(forged), len(original)) + 1


def rewritten_from(forged: Log, original: Log) -> int:
    """Return the first position with another line, hashes aside."""
    for nth, (new, old) in enumerate(zip(forged, original, strict=False), 1):
        if replace(new, hash="") != replace(old, hash=""):
            return nth
    return min(len(forged), len(original)) + 1


def is_start(one: Recorded) -> bool:
    """Tell whether a line follows from nothing recorded before it."""
    return type(one.event) in STARTS
