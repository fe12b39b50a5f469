"""Messages to the followers of a fight, before a route encodes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from affray.tools.api.schemas.feed import Beside

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


Message = Batch | Beside
