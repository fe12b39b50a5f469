"""Limits on the size and duration of requests, which uvicorn does not have with its faster parser."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from .rate_limits import IS_DISCONNECTED
from .slow_clients import BODY_READ_BYTES, READ_BYTES, LimitedProtocol

HEAD_BYTES = 64 << 10
"""The most bytes of a head. Its last piece is not counted, since that may hold the body."""

HEAD_SECONDS = 15.0
"""The most seconds for a head, from the connection or the head's first byte on."""

BODY_SECONDS = 30.0
"""The most seconds for a body after its head; the longest body needs 9 KB a second."""

TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

PROBLEM = (
    b'{"type":"urn:affray:too_slow","title":"Too slow","status":408,'
    b'"detail":"the request did not arrive in time","code":"too_slow"}'
)
TOO_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: application/problem+json\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(PROBLEM), PROBLEM)
)


class LimitedHttpProtocol(LimitedProtocol, HttpToolsProtocol):  # type: ignore[misc]
    """uvicorn's protocol, which ends connections of endless or too long requests and of clients that read no answer."""

    def __init__(self, *about: Any, **more: Any) -> None:
        super().__init__(*about, **more)
        self._read = 0
        self._whole = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of the first head."""
        super().connection_made(transport)
        self._set_deadline(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Read more, unless the head is too long. Data between two requests begins a new one."""
        if self._deadline is None and (self._request is None or self._request.response_complete):
            self._set_deadline(HEAD_SECONDS)
        super().data_received(data)
        if not self._whole:
            self._read += len(data)
            if self._read > HEAD_BYTES and not self.transport.is_closing():
                self.transport.write(TOO_LARGE)
                self.transport.close()

    @property
    def piece_bytes(self) -> int:
        """Bytes to read at once; fewer during a head, since the next request may follow it."""
        return BODY_READ_BYTES if self._whole and self._deadline is not None else READ_BYTES

    def on_message_begin(self) -> None:
        """Start to count a head."""
        super().on_message_begin()
        self._read, self._whole = 0, False
        if self._deadline is None:
            self._set_deadline(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Start the deadline of the body."""
        self._whole = True
        self._set_deadline(BODY_SECONDS)
        super().on_headers_complete()
        asked = self._request
        if asked is not None:
            asked.scope["state"][IS_DISCONNECTED] = lambda: asked.disconnected

    def on_message_complete(self) -> None:
        """Stop the deadline: the request is complete."""
        self._clear_deadline()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Stop the deadline, and hand the connection over to the WebSocket protocol."""
        self._clear_deadline()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadline of a lost connection."""
        self._clear_deadline()
        super().connection_lost(exc)

    def _set_deadline(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = self.loop.call_later(seconds, self._time_out, seconds)

    def _time_out(self, seconds: float) -> None:
        """Close the connection, unless the server itself paused reading for an earlier request or a full room."""
        self._deadline = None
        if self.flow.read_paused:
            self._set_deadline(seconds)
            return
        asked = self._request
        answered = self._whole and asked is not None and asked.response_started
        if (self._whole or self._read) and not (answered or self.transport.is_closing()):
            self.transport.write(TOO_SLOW)
        self.transport.close()

    @property
    def _request(self) -> RequestResponseCycle | None:
        """The last request with a complete head, with its answer."""
        return self.cycle

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
