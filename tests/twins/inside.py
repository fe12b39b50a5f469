"""A client of a server in this process: whole answers, and streams that are read as far as they have come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec
from litestar import Litestar

Message = dict[str, Any]


class Answer(NamedTuple):
    """The answer to a request: status, header fields in order, and body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


async def ask(
    app: Litestar, method: str, path: str, token: str, query: dict[str, object] | None = None, body: object = None
) -> Answer:
    """Send a request and return the whole answer."""
    told = Sent(app, request_for(method, path, token, query or {}), b"" if body is None else msgspec.json.encode(body))
    await told.task
    start = told.messages[0]
    headers = tuple((name.decode(), value.decode()) for name, value in start["headers"])
    return Answer(start["status"], headers, b"".join(one.get("body", b"") for one in told.messages[1:]))


class Sent:
    """A request that the server is at work on, or a connection that it holds open.

    Attributes:
        messages: What the server has sent so far, as ASGI has it.
    """

    def __init__(self, app: Litestar, scope: Message, body: bytes = b"") -> None:
        self.messages: list[Message] = []
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        if scope["type"] == "http":
            self._incoming.put_nowait({"type": "http.request", "body": body, "more_body": False})
        else:
            self._incoming.put_nowait({"type": "websocket.connect"})
        call: Callable[..., Any] = app
        self.task = asyncio.ensure_future(call(scope, self._incoming.get, self._sent))

    async def _sent(self, message: Message) -> None:
        self.messages.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._incoming.put_nowait({"type": "http.disconnect"})

    def say(self, message: object) -> None:
        """Send a message over a WebSocket."""
        self._incoming.put_nowait({"type": "websocket.receive", "text": msgspec.json.encode(message).decode()})

    def taken(self) -> list[Message]:
        """Return what has come since the last call."""
        found, self.messages = self.messages, []
        return found

    async def leave(self) -> None:
        """End the connection."""
        self.task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self.task


class Stream:
    """A feed, read as Server-Sent Events or over a WebSocket."""

    def __init__(self, app: Litestar, fight: str, token: str, *, after: int | None, socket: bool) -> None:
        path, wishes = f"/api/fights/{fight}/feed", {"present": True, "headline": True, "scene": True}
        start = {} if after is None else {"after": after}
        self.socket = socket
        if socket:
            self._sent = Sent(app, _scope("websocket", path, ()))
            self._sent.say({"token": token, **start, **wishes})
        else:
            self._sent = Sent(app, request_for("GET", path, token, {**start, **wishes}))

    def say(self, message: object) -> None:
        """Send a message over the WebSocket."""
        self._sent.say(message)

    def taken(self) -> list[tuple[str, str, bytes]]:
        """Return the messages that have come since the last call: kind, id, data."""
        return [one for message in self._sent.taken() for one in self._read(message)]

    async def leave(self) -> None:
        """Stop following."""
        await self._sent.leave()

    def _read(self, message: Message) -> Iterator[tuple[str, str, bytes]]:
        match message["type"]:
            case "websocket.send":
                yield "", "", message["text"].encode()
            case "http.response.body":
                for text in message.get("body", b"").split(b"\n\n"):
                    fields = dict(line.split(b": ", 1) for line in text.split(b"\n") if b": " in line)
                    if b"event" in fields:
                        yield fields[b"event"].decode(), fields.get(b"id", b"").decode(), fields[b"data"]
            case kind:
                yield kind, "", msgspec.json.encode({key: str(value) for key, value in message.items()})


def request_for(method: str, path: str, token: str, query: dict[str, object]) -> Message:
    """Return the ASGI scope of a request."""
    headers = ((b"authorization", f"Bearer {token}".encode()), (b"content-type", b"application/json"))
    asked = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in query.items()}
    return {**_scope("http", path, headers), "method": method, "query_string": urlencode(asked).encode()}


def _scope(kind: str, path: str, headers: tuple[tuple[bytes, bytes], ...]) -> Message:
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "server": ("table", 80),
        "client": ("guest", 1),
        "path": path,
        "raw_path": quote(path).encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"table"), *headers],
        "subprotocols": [],
        "state": {},
    }
