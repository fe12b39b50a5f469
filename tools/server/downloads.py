"""Downloads, sent part by part at their reader's speed, in bounded memory.

A log is read from its store while it is sent. Any other document is built once for all clients that ask for it of the
same record, and freed after the last of them has it.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from itertools import islice
from typing import Protocol
from weakref import WeakSet, WeakValueDictionary

from affray.engine.errors import Altered
from affray.engine.logger import Logger

from .open_fights import LimitReached

_log = Logger(__name__)

PART_BYTES = 64 << 10
"""The size of a part in bytes. With the connection's buffers, a slow reader takes less than 1 MiB."""

MOST_OF_ONE = 8
"""The most downloads at once for one token; a link is shared by many spectators."""

MOST_OF_FIGHT = 40
"""The most downloads at once for all tokens of one fight."""

MOST_OF_ALL = 100
"""The most downloads at once for all tokens of a server."""

MOST_OF_PLAYERS = 80
"""At this many downloads players and spectators are refused, so that game masters and the host still get one."""


class StoreCall(Protocol):
    """Runs work that reads the store, as ``OpenFights.call_store`` does."""

    def __call__(self, work: Callable[[], bytes], /) -> Awaitable[bytes]:
        """Run the work, and return its bytes."""
        ...


class DownloadSlot:
    """A download under way; its place is free again once no reference to it is left."""

    def __init__(self, key: str, fight: str) -> None:
        self.key, self.fight = key, fight


class SharedBytes:
    """A document built from a record, shared by all clients that are being sent it."""

    def __init__(self, content: bytes) -> None:
        self.content = content


class Downloads:
    """The downloads under way."""

    def __init__(self) -> None:
        self._slots: WeakSet[DownloadSlot] = WeakSet()
        self._made: WeakValueDictionary[tuple[str, str, str], SharedBytes] = WeakValueDictionary()

    def reserve_slot(self, key: str, fight: str, *, rules: bool = False) -> DownloadSlot:
        """Reserve a place for one more download.

        Args:
            key: The hash of the token that it is for.
            fight: The fight that the token is for; empty for the host's.
            rules: Whether the token is a game master's or the host's.

        Raises:
            LimitReached: the limit of downloads is reached.
        """
        most = MOST_OF_ALL if rules else MOST_OF_PLAYERS
        if len(self._slots) >= most or sum(slot.key == key for slot in self._slots) >= MOST_OF_ONE:
            raise LimitReached(f"as many downloads are under way as may: {MOST_OF_ONE} for a link, {most} for all")
        if fight and sum(slot.fight == fight for slot in self._slots) >= MOST_OF_FIGHT:
            raise LimitReached(f"as many downloads are under way as may: {MOST_OF_FIGHT} for the links of one fight")
        slot = DownloadSlot(key, fight)
        self._slots.add(slot)
        return slot

    async def build_once(self, of: tuple[str, str, str], make: Callable[[], Awaitable[str]]) -> SharedBytes:
        """Return a document of a record, built once for all clients that want it.

        Args:
            of: The fight, the hash of its head, and the name of the document.
        """
        made = self._made.get(of)
        if made is None:
            made = self._made[of] = SharedBytes((await make()).encode())
        return made

    async def send(self, slot: DownloadSlot, made: SharedBytes) -> AsyncGenerator[bytes]:
        """Yield a document part by part."""
        try:
            for at in range(0, len(made.content), PART_BYTES):
                yield made.content[at : at + PART_BYTES]
        finally:
            self._slots.discard(slot)

    async def send_log(
        self, slot: DownloadSlot, lines: Iterator[bytes], head: int, aside: StoreCall, fight: str
    ) -> AsyncGenerator[bytes]:
        """Yield the lines of a log up to a position, part by part.

        Raises:
            Altered: the log has fewer lines. The download breaks off, so that no client takes it for the whole.
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
    """Return about ``PART_BYTES`` of the remaining lines; nothing at the end."""
    part = bytearray()
    for line in lines:
        part += line
        part += b"\n"
        if len(part) >= PART_BYTES:
            break
    return bytes(part)
