"""Minimal clients that follow and command a server while it is measured."""

import asyncio
from asyncio import StreamReader, StreamWriter, Transport
from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

import msgspec

LIMIT = 1 << 18
"""Bytes that are read at once."""

_READ = bytearray(LIMIT)
"""Buffer that all subscribers share. Each of them has finished with it before the next read."""


class Subscriber(asyncio.BufferedProtocol):
    """Follows a fight by Server-Sent Events, and notes the times of positions.

    Attributes:
        seen: Time and last position of each received piece of the stream.
        cut: Whether the server ended the stream.
    """

    def __init__(self, request: bytes, ready: Callable[[], None]) -> None:
        self.seen: list[tuple[float, int]] = []
        self.cut = False
        self._request = request
        self._ready: Callable[[], None] | None = ready
        self._rest = b""
        self._transport: Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the feed."""
        self._transport = cast(Transport, transport)
        self._transport.write(self._request)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the shared buffer."""
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        """Note the last complete position that was received."""
        now = perf_counter()
        rest = self._rest + _READ[:nbytes]
        end = rest.rfind(b"\n\n") + 1
        self._rest = rest[end:]
        at = rest.rfind(b"\nid: ", 0, end)
        if at >= 0:
            self.seen.append((now, int(rest[at + 5 : rest.index(b"\n", at + 5)])))
        if self._ready is not None and b"event: ready" in rest:
            self._ready()
            self._ready = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the stream has ended."""
        self.cut = True

    def leave(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.abort()


class Caller:
    """A connection for requests that are made one after another."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token
        self._connection: tuple[StreamReader, StreamWriter] | None = None

    async def post(self, path: str, body: object) -> Any:
        """Send a request and return the decoded answer.

        Raises:
            RuntimeError: the server refuses the request.
        """
        if self._connection is None:
            self._connection = await asyncio.open_connection("127.0.0.1", self.port, limit=LIMIT)
        reader, writer = self._connection
        content = msgspec.json.encode(body)
        more = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        writer.write(request("POST", path, self.token, more) + content)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        answer = await reader.readexactly(int(length.partition(b":")[2]))
        if not head.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(f"the server refused {path}: {answer.decode()}")
        return msgspec.json.decode(answer)

    async def leave(self) -> None:
        """Close the connection, before the server does because it is idle."""
        if self._connection is not None:
            self._connection[1].close()
            await self._connection[1].wait_closed()
            self._connection = None


def request(method: str, path: str, token: str, more: str = "") -> bytes:
    """Build the head of a request."""
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n{more}\r\n".encode()


async def open_subscriptions(port: int, path: str, token: str, many: int) -> list[Subscriber]:
    """Open so many subscriptions to a feed, and wait until all are ready."""
    ready = asyncio.Semaphore(0)
    asked = request("GET", path, token)
    loop = asyncio.get_running_loop()
    subscribers = []
    for _ in range(many):
        _, subscriber = await loop.create_connection(lambda: Subscriber(asked, ready.release), "127.0.0.1", port)
        subscribers.append(subscriber)
    for _ in range(many):
        await ready.acquire()
    return subscribers
