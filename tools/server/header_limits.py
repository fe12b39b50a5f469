"""Limits on the size and duration of requests, which uvicorn does not have with its faster parser."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from .rate_limits import GONE
from .slow_clients import BODY_READ_BYTES, READ_BYTES, Paced

HEAD_BYTES = 64 << 10
"""How much a head may have; what comes with its last piece is not counted, since that may be the body."""

HEAD_SECONDS = 15.0
"""How long a head may take from its first byte on, and whoever connects to begin one."""

BODY_SECONDS = 30.0
"""How long a body may take once its head is there: the longest one comes in time at 9 KB a second."""

TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

PROBLEM = (
    b'{"type":"urn:affray:too_slow","title":"Too slow","status":408,'
    b'"detail":"the request did not arrive in time","code":"too_slow"}'
)
TOO_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: application/problem+json\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(PROBLEM), PROBLEM)
)


class Bounded(Paced, HttpToolsProtocol):  # type: ignore[misc]
    """uvicorn's protocol, which hangs up on requests that are too long or never end, and on who takes no answer."""

    def __init__(self, *about: Any, **more: Any) -> None:
        super().__init__(*about, **more)
        self._read = 0
        self._whole = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._await(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is too much; whatever comes between two requests begins one."""
        if self._deadline is None and (self._asked is None or self._asked.response_complete):
            self._await(HEAD_SECONDS)
        super().data_received(data)
        if not self._whole:
            self._read += len(data)
            if self._read > HEAD_BYTES and not self.transport.is_closing():
                self.transport.write(TOO_LARGE)
                self.transport.close()

    @property
    def piece_bytes(self) -> int:
        """Bytes to read at once: few of a head, since the next one may begin behind it."""
        return BODY_READ_BYTES if self._whole and self._deadline is not None else READ_BYTES

    def on_message_begin(self) -> None:
        """Read a head."""
        super().on_message_begin()
        self._read, self._whole = 0, False
        if self._deadline is None:
            self._await(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Have a head, and wait for the body."""
        self._whole = True
        self._await(BODY_SECONDS)
        super().on_headers_complete()
        asked = self._asked
        if asked is not None:
            asked.scope["state"][GONE] = lambda: asked.disconnected

    def on_message_complete(self) -> None:
        """Have the whole request."""
        self._no_deadline()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the protocol of WebSockets."""
        self._no_deadline()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be left."""
        self._no_deadline()
        super().connection_lost(exc)

    def _await(self, seconds: float) -> None:
        self._no_deadline()
        self._deadline = self.loop.call_later(seconds, self._late, seconds)

    def _late(self, seconds: float) -> None:
        """Hang up, unless it was we who did not read on, because of an earlier request or a full room."""
        self._deadline = None
        if self.flow.read_paused:
            self._await(seconds)
            return
        asked = self._asked
        answered = self._whole and asked is not None and asked.response_started
        if (self._whole or self._read) and not (answered or self.transport.is_closing()):
            self.transport.write(TOO_SLOW)
        self.transport.close()

    @property
    def _asked(self) -> RequestResponseCycle | None:
        """The last request whose head is whole, and its answer."""
        return self.cycle

    def _no_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
