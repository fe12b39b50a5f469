"""The bytes of long answers that their readers have not taken yet: counted and bounded, for each link and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from .downloads import PART_BYTES, Made
from .open_fights import TooMany

COUNTED_BYTES = 4 * PART_BYTES
"""How long an answer is at least that counts: a connection with a shorter one takes less than 1 MiB."""

MOST_OF_ONE = 32 << 20
"""How many bytes one link may have on their way in such answers, unless it is one answer alone."""

MOST_OF_ALL = 320 << 20
"""How many all links of a server may have."""

MOST_OF_PLAYERS = 256 << 20
"""At how many of them players and spectators get none, so that game masters and the host do."""


class Outgoing:
    """The bytes of the long answers that are on their way. What several answers share counts once."""

    def __init__(self) -> None:
        self._holders = Counter[tuple[str, int]]()
        self._bytes = Counter[str]()
        self._shared: WeakValueDictionary[str, Made] = WeakValueDictionary()

    def share(self, name: str, content: bytes) -> Made:
        """Return what is under way under a name, or the content, for as long as the caller keeps it."""
        made = self._shared.get(name)
        if made is None or made.content != content:
            made = self._shared[name] = Made(content)
        return made

    @contextmanager
    def hold(self, lane: str, content: bytes, *, rules: bool = False) -> Iterator[None]:
        """Count an answer while it is on its way.

        Args:
            lane: Of the link it is for; not empty.
            rules: Whether that is a game master's or the host's.

        Raises:
            TooMany: so many bytes are on their way already.
        """
        many, most = len(content), MOST_OF_ALL if rules else MOST_OF_PLAYERS
        theirs, everybodys = (lane, id(content)), ("", id(content))
        fits = self._holders[theirs] or not self._bytes[lane] or self._bytes[lane] + many <= MOST_OF_ONE
        if not fits or (not self._holders[everybodys] and self._bytes[""] + many > most):
            raise TooMany("as many bytes of long answers are on their way as may be; read those first")
        for key in (theirs, everybodys):
            self._bytes[key[0]] += 0 if self._holders[key] else many
            self._holders[key] += 1
        try:
            yield
        finally:
            for key in (theirs, everybodys):
                self._holders[key] -= 1
                if not self._holders[key]:
                    del self._holders[key]
                    self._bytes[key[0]] -= many
            self._bytes = +self._bytes
