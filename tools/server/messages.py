"""Messages to the followers of a fight, before a route encodes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")

encode = msgspec.json.encode

BESIDE = 100
"""About how many bytes of memory a line takes beside its text."""


class Batch:
    """Lines of whole commands, preceded by a snapshot if the state does not follow from lines that the viewer may read.

    Attributes:
        snapshot: The snapshot message as JSON.
        opened: Earlier lines that these commands opened to the viewer, as JSON.
        lines: Positions and lines, as JSON.
        to: The position of the reader after this batch.
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
        """The approximate size in memory, in bytes, before a route encodes it."""
        texts = (self.snapshot or b"", *self.opened, *[line for _, line in self.lines])
        return sum([len(text) + BESIDE for text in texts])

    def encode_once(self, write: Callable[[Batch], T]) -> T:
        """Return the batch as a route encodes it; encoded once for all followers."""
        if write not in self._forms:
            self._forms[write] = write(self)
        form: T = self._forms[write]
        return form


class _AtHead(Struct, frozen=True):
    head: int


class Ready(_AtHead, frozen=True, tag="ready"):
    """Message that everything up to the head has been sent."""


class Lagging(_AtHead, frozen=True, tag="lagging"):
    """Message that the client is too slow and its stream ends; it may come again and go on where it stood."""


class Halted(_AtHead, frozen=True, tag="halted"):
    """Message that the log was changed or removed under the server: the fight stands still, and its streams end."""


class PresenceChanged(_AtHead, frozen=True, tag="present"):
    """Message that a player has come or gone, so that the client can ask again who is there."""


class SceneChanged(_AtHead, frozen=True, tag="scene"):
    """Message that the scene has changed as far as the viewer sees it, so that the client can ask for it again."""


class HeadlineChanged(_AtHead, frozen=True, tag="headline"):
    """Message with the headline at the head of the fight."""

    says: str


class Heartbeat(Struct, frozen=True, tag="beat"):
    """Heartbeat: the connection is alive, though nothing happens."""


Message = Batch | Ready | Lagging | Halted | PresenceChanged | SceneChanged | HeadlineChanged | Heartbeat
