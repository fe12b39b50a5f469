"""Send buffer accounting: bytes of long answers that clients have not read yet, bounded for each link and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from .downloads import PART_BYTES, SharedBytes
from .open_fights import LimitReached

COUNTED_BYTES = 4 * PART_BYTES
"""The shortest answer that is counted, in bytes; a connection with a shorter one takes less than 1 MiB."""

MOST_OF_ONE = 32 << 20
"""The most unread bytes of one link; a single answer may have more."""

MOST_OF_ALL = 320 << 20
"""The most unread bytes of all links of a server."""

MOST_OF_PLAYERS = 256 << 20
"""At this many bytes players and spectators are refused, so that game masters and the host still get an answer."""


class SendBuffer:
    """Counts the unread bytes of long answers. Bytes that several answers share are counted once."""

    def __init__(self) -> None:
        self._holders = Counter[tuple[str, int]]()
        self._bytes = Counter[str]()
        self._shared: WeakValueDictionary[str, SharedBytes] = WeakValueDictionary()

    def share(self, name: str, content: bytes) -> SharedBytes:
        """Return the shared content under a name if it is equal, else share the new one, while a caller keeps it."""
        made = self._shared.get(name)
        if made is None or made.content != content:
            made = self._shared[name] = SharedBytes(content)
        return made

    @contextmanager
    def hold(self, lane: str, content: bytes, *, rules: bool = False) -> Iterator[None]:
        """Count an answer while it is being sent.

        Args:
            lane: The link's lane; not empty.
            rules: Whether the link is a game master's or the host's.

        Raises:
            LimitReached: the limit is reached.
        """
        many, most = len(content), MOST_OF_ALL if rules else MOST_OF_PLAYERS
        own, shared = (lane, id(content)), ("", id(content))
        fits = self._holders[own] or not self._bytes[lane] or self._bytes[lane] + many <= MOST_OF_ONE
        if not fits or (not self._holders[shared] and self._bytes[""] + many > most):
            raise LimitReached("as many bytes of long answers are on their way as may be; read those first")
        for key in (own, shared):
            self._bytes[key[0]] += 0 if self._holders[key] else many
            self._holders[key] += 1
        try:
            yield
        finally:
            for key in (own, shared):
                self._holders[key] -= 1
                if not self._holders[key]:
                    del self._holders[key]
                    self._bytes[key[0]] -= many
            self._bytes = +self._bytes
