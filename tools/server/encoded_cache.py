"""Cache of encoded lines and states for followers who are sent the same bytes, bounded in size."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from .messages import Batch

T = TypeVar("T", bound="bytes | Batch")

MOST_BYTES = 32 * 2**20
"""The size of the cache in bytes, for all followers of all fights; the least recently used entries go first."""

FORMS = 3
"""The most copies of a batch in memory: as lines, and in the form of each kind of stream."""


class EncodedCache:
    """Least-recently-used cache of batches and snapshots.

    Args:
        most: The size of the cache in bytes.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.bytes = 0

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key; make and store it if there is none."""
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


ENCODED = EncodedCache()
"""The cache of all fights of a server."""
