"""The messages that followers of a fight are sent, before a route encodes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")

encode = msgspec.json.encode

BESIDE = 100
"""About how many bytes a line takes in memory beside its own."""


class Batch:
    """Whole commands, and before them the state after them if it does not follow from what the viewer may read.

    Attributes:
        snapshot: The message of that name, as JSON.
        opened: Earlier lines that these commands opened to the viewer, as JSON.
        lines: Positions and lines, as JSON.
        to: The position that whoever gets this stands at.
    """

    __slots__ = ("_forms", "lines", "opened", "snapshot", "to")

    def __init__(
        self, snapshot: bytes | None, opened: tuple[bytes, ...], lines: tuple[tuple[int, bytes], ...], to: int
    ) -> None:
        self.snapshot = snapshot
        self.opened = opened
        self.lines = lines
        self.to = to
        self._forms: dict[Callable[[Batch], Any], Any] = {}

    @property
    def size(self) -> int:
        """About how many bytes it takes before a route writes it."""
        texts = (self.snapshot or b"", *self.opened, *[line for _, line in self.lines])
        return sum([len(text) + BESIDE for text in texts])

    def form(self, write: Callable[[Batch], T]) -> T:
        """Return it as a route writes it; written once for everybody."""
        if write not in self._forms:
            self._forms[write] = write(self)
        form: T = self._forms[write]
        return form


class _AtHead(Struct, frozen=True):
    head: int


class Ready(_AtHead, frozen=True, tag="ready"):
    """Everything up to the head has been sent."""


class Lagging(_AtHead, frozen=True, tag="lagging"):
    """The reader is too slow and is cut off; it may come again and go on where it stood."""


class Halted(_AtHead, frozen=True, tag="halted"):
    """The log was changed or removed under the server; the fight stands still, and nobody can follow it."""


class Came(_AtHead, frozen=True, tag="present"):
    """Somebody has come or gone: who is there can be asked anew."""


class Staged(_AtHead, frozen=True, tag="scene"):
    """The pictures are others than they were, as far as one may see them: the scene can be asked anew."""


class Headline(_AtHead, frozen=True, tag="headline"):
    """Whose turn it is, or whom the table waits for, once everything up to the head has been sent."""

    says: str


class Beat(Struct, frozen=True, tag="beat"):
    """The connection is alive, though nothing happens."""


Message = Batch | Ready | Lagging | Halted | Came | Staged | Headline | Beat
