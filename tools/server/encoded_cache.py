"""Cache of encoded lines and states for followers who are sent the same, bounded in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from .messages import Batch

T = TypeVar("T", bound="bytes | Batch")

MOST_BYTES = 32 * 2**20
"""How many bytes are kept for all followers of all fights, those that were asked for last."""

FORMS = 3
"""How often the bytes of a batch are in memory at most: as lines, and as each kind of stream writes them."""


class Encoded:
    """Batches and snapshots that were made last.

    Args:
        most: How many bytes they may take together.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.bytes = 0

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is kept under a key; make and keep it if there is nothing."""
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
            found: T = known[0]
            return found
        made = make()
        size = len(made) if isinstance(made, bytes) else FORMS * made.size
        self._kept[key] = made, size
        self.bytes += size
        while self.bytes > self._most:
            _, (_, freed) = self._kept.popitem(last=False)
            self.bytes -= freed
        return made


ENCODED = Encoded()
"""Shared by all fights of a server."""
