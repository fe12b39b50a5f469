"""A hostile client on raw sockets: floods, drips and hangs up, bounded in count and time."""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

import msgspec

TEXT, BINARY, PING, PONG = 0x81, 0x82, 0x89, 0x8A
"""First bytes of whole WebSocket frames."""

COMPRESSED = 0xC1
"""The first byte of a compressed text frame."""

MASK = b"\0\0\0\0"
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)


class Target(NamedTuple):
    """The server under attack.

    Attributes:
        port: Of this machine.
        fight: The fight that the attacker may enter.
        tokens: By role.
        until: When the attack ends, by the monotonic clock.
    """

    port: int
    fight: str
    tokens: dict[str, str]
    until: float

    @property
    def path(self) -> str:
        """The address of the fight."""
        return f"/api/fights/{self.fight}"

    @property
    def over(self) -> bool:
        """Tell whether the attack is over."""
        return monotonic() > self.until

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection."""
        return await asyncio.open_connection("127.0.0.1", self.port)


class Answers:
    """Counts the answers that come over a connection."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._came = self._wanted = 0
        self._task = asyncio.create_task(self._read())

    @property
    def ended(self) -> bool:
        """Tell whether the server closed the connection."""
        return self._task.done()

    async def more(self, many: int, target: Target) -> None:
        """Wait until so many more came, the server hangs up, or the attack ends."""
        self._wanted += many
        while self._came < self._wanted and not (self.ended or target.over):
            await asyncio.sleep(0.001)

    def leave(self) -> None:
        """Stop reading."""
        self._task.cancel()

    async def _read(self) -> None:
        with suppress(OSError):
            while part := await self._reader.read(1 << 18):
                self._came += part.count(b"HTTP/1.1 ")


def frame(content: bytes, first: int = TEXT) -> bytes:
    """Return a masked WebSocket frame."""
    size = len(content)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + MASK + content


def make_ws_command(intent: object, id: str = "", **more: object) -> bytes:
    """Return a WebSocket message that holds a command."""
    return msgspec.json.encode({"type": "command", "id": id or os.urandom(6).hex(), "intent": intent, **more})


def make_http_request(
    target: Target, method: str, path: str, role: str = "", body: bytes = b"", **headers: str
) -> bytes:
    """Return an HTTP request; ``path`` is absolute, or about the fight."""
    whole = path if path.startswith("/") else f"{target.path}/{path}".rstrip("/")
    lines = [f"{method} {whole} HTTP/1.1", "Host: localhost"]
    if role:
        lines.append(f"Authorization: Bearer {target.tokens.get(role, role)}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def socket_opened(
    target: Target, role: str, **first: object
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a WebSocket, and say who comes unless no role is given."""
    reader, writer = await target.connect()
    writer.write(UPGRADE.format(path=f"{target.path}/feed").encode())
    await reader.readuntil(b"\r\n\r\n")
    if role:
        writer.write(frame(msgspec.json.encode({"token": target.tokens.get(role, role), **first})))
    return reader, writer


async def flooded(
    target: Target,
    role: str,
    frames: Sequence[bytes],
    *,
    many: int = 20_000,
    sockets: int = 1,
    reads: bool = True,
    **first: object,
) -> None:
    """Send frames over several WebSockets, as fast as they are taken; the connection is cut at the end."""

    async def one() -> None:
        reader, writer = await socket_opened(target, role, **first)
        reading = asyncio.create_task(_read(reader)) if reads else None
        for nth in range(many):
            if target.over or writer.is_closing():
                break
            writer.write(frames[nth % len(frames)])
            if nth % 64 == 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(writer.drain(), max(0.01, target.until - monotonic()))
        await _until_over(target)
        if reading is not None:
            reading.cancel()
        writer.transport.abort()

    await _all(one() for _ in range(sockets))


async def reconnected(target: Target, role: str, frames: bytes, *, sockets: int = 20, **first: object) -> None:
    """Open WebSockets, send a burst, hang up at once, and come again."""

    async def one() -> None:
        while not target.over:
            _, writer = await socket_opened(target, role, **first)
            writer.write(frames)
            await asyncio.sleep(0)
            writer.transport.abort()

    await _all(one() for _ in range(sockets))


async def asked(
    target: Target, requests: Sequence[bytes], *, connections: int = 10, pipelined: int = 1, many: int = 20_000
) -> None:
    """Send requests over several connections, each some at once, and read what is answered."""

    async def one() -> None:
        sent = 0
        while not target.over and sent < many:
            reader, writer = await target.connect()
            answers = Answers(reader)
            try:
                while sent < many and not (answers.ended or target.over):
                    writer.write(b"".join(requests[(sent + nth) % len(requests)] for nth in range(pipelined)))
                    await writer.drain()
                    sent += pipelined
                    await answers.more(pipelined, target)
            finally:
                answers.leave()
                writer.transport.abort()

    await _all(one() for _ in range(connections))


async def opened(
    target: Target, requested: bytes, *, connections: int = 200, reads: bool = False, drips: bytes = b""
) -> None:
    """Send the same on many connections; keep them, reading or not, and drip some bytes."""

    async def one() -> None:
        reader, writer = await target.connect()
        writer.write(requested)
        reading = asyncio.create_task(_read(reader)) if reads else None
        while not target.over and not writer.is_closing():
            if drips:
                writer.write(drips)
            await asyncio.sleep(0.05)
        if reading is not None:
            reading.cancel()
        writer.transport.abort()

    await _all(one() for _ in range(connections))


async def stormed(target: Target, requested: bytes = b"", *, at_once: int = 200) -> None:
    """Connect again and again, send something and hang up."""

    async def one() -> None:
        while not target.over:
            _, writer = await target.connect()
            writer.write(requested)
            await asyncio.sleep(0)
            writer.transport.abort()

    await _all(one() for _ in range(at_once))


async def _all(works: Iterable[object]) -> None:
    for ended in await asyncio.gather(*works, return_exceptions=True):  # type: ignore[call-overload]
        if isinstance(ended, Exception) and not isinstance(ended, OSError | EOFError | TimeoutError):
            raise ended


async def _read(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 18):
            pass


async def _until_over(target: Target) -> None:
    await asyncio.sleep(max(0.0, target.until - monotonic()))
