"""A log while it is being mutated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.forging import Obj, encode_obj
from tests.fuzz_audit.bases import NAMES, Base, base


class Draft:
    """A log while it is being mutated.

    Args:
        base: The honest log.
        end: How many of its lines there are.
        random: Makes every choice.

    Attributes:
        lines: As they stand now.
        key: The seed that is given to the audit.
        parent: The log that is given as its parent, and the key beside that; nothing if none is.
    """

    def __init__(self, base: Base, end: int, random: Random) -> None:
        self.base = base
        self.end = end
        self.lines = list(base.lines[:end])
        self.key = None if b'"type":"Closed"' in self.lines[-1] else base.seeds.get(find_honest_commitment(self.lines))
        forked = any(b'"type":"Forked"' in line for line in self.lines)
        self.parent = base.parent if forked and random.random() < 0.7 else None
        self.random = random

    def any(self) -> int:
        """Choose a line."""
        return self.random.randrange(len(self.lines))

    def obj(self, nth: int) -> Obj:
        """Return what a line says."""
        obj = json.loads(self.lines[nth])
        if not isinstance(obj, dict):
            raise IndexError("no object")
        return obj

    def put(self, nth: int, obj: Any) -> None:
        """Replace a line."""
        self.lines[nth] = encode_obj(obj)

    def typed(self, *types: str) -> int:
        """Choose a line that holds an event of one of these types."""
        tags = tuple(f'"event":{{"type":"{type}"'.encode() for type in types)
        return self.random.choice([nth for nth, line in enumerate(self.lines) if any(tag in line for tag in tags)])

    def command(self, nth: int) -> tuple[int, int]:
        """Return where the command of a line begins, and where the next one does."""
        return next(span for span in self.commands() if span[1] > nth)

    def commands(self) -> list[tuple[int, int]]:
        """Return where each command begins and ends."""
        spans, nth = [], 0
        while nth < len(self.lines):
            spans.append((nth, self._end(nth)))
            nth = spans[-1][1]
        return spans

    def _end(self, nth: int) -> int:
        cause, last = _cause(self.lines[nth]), nth
        while last < len(self.lines) and _cause(self.lines[last]) == cause:
            last += 1
        return last

    def other(self) -> Base:
        """Choose another fight, of the same system if there is one."""
        system = self.base.name.split("/")[0]
        same = [name for name in NAMES if name != self.base.name and name.startswith(system)]
        return base(self.random.choice(same or list(NAMES)))


def find_honest_commitment(lines: list[bytes]) -> str:
    """Return the commitment that stands at the end of some honest lines."""
    found = [line for line in lines if (b'"commitment":"' in line and b'"type":"Fo' in line) or b'"type":"Fi' in line]
    return found[-1].partition(b'"commitment":"')[2][:64].decode()


def _cause(line: bytes) -> bytes:
    """Return what stands for the command of a line, without reading it."""
    start = line.find(b'"cause":')
    return line[start : line.find(b',"hash"', start)]


def paths(obj: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to everything in a JSON value, itself but for the whole left out."""
    if at:
        yield at
    parts = obj.items() if isinstance(obj, dict) else enumerate(obj) if isinstance(obj, list) else ()
    for key, part in parts:
        yield from paths(part, (*at, key))


def line_behind(draft: Draft, nth: int, event: Obj, cause: str = "", **envelope: Any) -> bytes:
    """Return a line that would stand behind one with this index."""
    obj = draft.obj(nth)
    for key in ("audience", "salt", "known_to", "mask", "more"):
        obj.pop(key, None)
    return encode_obj({**obj, "position": nth + 2, "cause": cause or f"forged {nth}", "event": event, **envelope})


def insert(draft: Draft, nth: int, *events: Obj) -> None:
    """Insert a command behind the line with an index."""
    cause = f"forged {nth} {draft.random.randrange(1000)}"
    draft.lines[nth + 1 : nth + 1] = [line_behind(draft, nth, event, cause) for event in events]


def an_end(draft: Draft) -> int:
    return draft.random.choice(draft.commands())[1] - 1
