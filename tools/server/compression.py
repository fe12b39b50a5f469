"""Gzip compression of answers for clients that accept it, except streams, pictures and short bodies."""

from __future__ import annotations

import gzip
from secrets import randbelow, token_bytes
from typing import cast

import anyio.to_thread
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from litestar.types.asgi_types import HTTPResponseStartEvent

SHORTEST_BYTES = 1_024
"""Shorter bodies stay plain; they fit into one packet anyway."""

LONG_BYTES = 64 << 10
"""Longer bodies are compressed in a thread."""

LEVEL = 5
"""The compression level for a body that is compressed for one answer alone."""

MOST_NOISE = 100
"""The most bytes of random padding. A viewer who chose words in a record could learn from the length of a compressed
answer whether the same words stand elsewhere in it. Padding hides that.
"""

_PACKED = ("text/", "application/json", "application/problem+json", "application/vnd.oai.openapi+json", "image/svg")
_STREAMED = "text/event-stream"

_NAMED = 8
"""The gzip flag for a file name behind the header."""


def accepts_gzip(accepted: str) -> bool:
    """Tell whether an Accept-Encoding header allows gzip."""
    for one in accepted.lower().split(","):
        name, _, quality = one.partition(";")
        if name.strip() in ("gzip", "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def compress(content: bytes, level: int = LEVEL, noise: int | None = None) -> bytes:
    """Compress bytes with gzip.

    Args:
        noise: Bytes of padding in the place of a file's name; a random number of them if not given.
    """
    whole = gzip.compress(content, level, mtime=0)
    many = randbelow(MOST_NOISE + 1) if noise is None else noise
    name = bytes(1 + one % 255 for one in token_bytes(many)) + b"\0"  # a zero byte ends the name
    return whole[:3] + bytes([whole[3] | _NAMED]) + whole[4:10] + name + whole[10:]


def compress_answers(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that its answers are compressed."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not accepts_gzip(Headers.from_scope(scope).get("accept-encoding", "")):
            await app(scope, receive, send)
            return
        start: HTTPResponseStartEvent | None = None

        async def pack(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_compressible(message):
                start = message
                return
            if start is not None and message["type"] == "http.response.body":
                held, start = start, None
                content = message["body"]
                if not message["more_body"] and len(content) >= SHORTEST_BYTES:
                    small = await _compress_in_thread(content) if len(content) > LONG_BYTES else compress(content)
                    message = cast("Message", {**message, "body": small})
                    held = cast("HTTPResponseStartEvent", {**held, "headers": _compressed_headers(held, len(small))})
                await send(held)
            await send(message)

        await app(scope, receive, pack)

    return answer


async def _compress_in_thread(content: bytes) -> bytes:
    return await anyio.to_thread.run_sync(compress, content)


def _is_compressible(start: HTTPResponseStartEvent) -> bool:
    said = {name.lower(): value for name, value in start["headers"]}
    kind = said.get(b"content-type", b"").decode("latin-1")
    return b"content-encoding" not in said and kind.startswith(_PACKED) and not kind.startswith(_STREAMED)


def _compressed_headers(start: HTTPResponseStartEvent, length: int) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    new = {b"content-encoding": b"gzip", b"content-length": str(length).encode(), b"vary": b"accept-encoding"}
    return [*kept, *new.items()]
