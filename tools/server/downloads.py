"""Send files part by part, as fast as their reader takes them, in bounded memory.

A log is read from its store while it is sent. Whatever else is made of a fight is made once for all who want it of the
same record, and forgotten when the last of them has it.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from itertools import islice
from typing import Protocol
from weakref import WeakSet, WeakValueDictionary

from affray.engine.errors import Altered
from affray.engine.logger import Logger

from .open_fights import TooMany

_log = Logger(__name__)

PART_BYTES = 64 << 10
"""The size of a part in bytes. With the connection's buffers, a slow reader takes less than 1 MiB."""

MOST_OF_ONE = 8
"""How many downloads may be under way at once for one token; a link is shared by many spectators."""

MOST_OF_ALL = 100
"""How many for all tokens of a server."""

MOST_OF_PLAYERS = 80
"""At how many of them players and spectators get none, so that game masters and the host do."""


class Aside(Protocol):
    """Does what asks the store, as ``Fights.aside``."""

    def __call__(self, work: Callable[[], bytes], /) -> Awaitable[bytes]:
        """Do it."""
        ...


class Slot:
    """A download under way; its place is free again when nothing holds it any more."""

    def __init__(self, key: str) -> None:
        self.key = key


class Made:
    """A document made of a record, for all who are being sent it."""

    def __init__(self, content: bytes) -> None:
        self.content = content


class Downloads:
    """The downloads under way."""

    def __init__(self) -> None:
        self._slots: WeakSet[Slot] = WeakSet()
        self._made: WeakValueDictionary[tuple[str, str, str], Made] = WeakValueDictionary()

    def slot(self, key: str, *, rules: bool = False) -> Slot:
        """Return a place for one more download.

        Args:
            key: Of the token it is for.
            rules: Whether that is a game master's or the host's.

        Raises:
            TooMany: so many are under way already.
        """
        most = MOST_OF_ALL if rules else MOST_OF_PLAYERS
        if len(self._slots) >= most or sum(slot.key == key for slot in self._slots) >= MOST_OF_ONE:
            raise TooMany(f"as many downloads are under way as may: {MOST_OF_ONE} for a link, {most} for all")
        slot = Slot(key)
        self._slots.add(slot)
        return slot

    async def made(self, of: tuple[str, str, str], make: Callable[[], Awaitable[str]]) -> Made:
        """Return what is made of a record.

        Args:
            of: The fight, the hash of its head, and what is wanted.
        """
        made = self._made.get(of)
        if made is None:
            made = self._made[of] = Made((await make()).encode())
        return made

    async def send(self, slot: Slot, made: Made) -> AsyncGenerator[bytes]:
        """Yield what was made, part by part."""
        try:
            for at in range(0, len(made.content), PART_BYTES):
                yield made.content[at : at + PART_BYTES]
        finally:
            self._slots.discard(slot)

    async def send_log(
        self, slot: Slot, lines: Iterator[bytes], head: int, aside: Aside, fight: str
    ) -> AsyncGenerator[bytes]:
        """Yield the lines of a log up to a position, part by part.

        Raises:
            Altered: there are fewer; what was sent is cut off, so that nobody takes it for the whole.
        """
        left = islice(lines, head)
        sent = 0
        try:
            while part := await aside(lambda: next_part(left)):
                sent += part.count(b"\n")
                yield part
            if sent < head:
                _log.error("log_was_cut_while_sent", fight=fight, position=sent)
                raise Altered(fight, sent)
        finally:
            self._slots.discard(slot)


def next_part(lines: Iterator[bytes]) -> bytes:
    """Return about one part of what is left; nothing at the end."""
    part = bytearray()
    for line in lines:
        part += line
        part += b"\n"
        if len(part) >= PART_BYTES:
            break
    return bytes(part)
