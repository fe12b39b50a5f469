"""What a request may send before anybody knows what it wants: bounded in bytes and in time."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 << 10
"""How much a head may have; what comes with its last piece is not counted, since that may be the body."""

HEAD_SECONDS = 15.0
"""How long a head may take from its first byte on, and whoever connects to begin one."""

TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Bounded(HttpToolsProtocol):
    """uvicorn's protocol, which hangs up on heads that are too long or never end."""

    def __init__(self, *about: Any, **more: Any) -> None:
        super().__init__(*about, **more)
        self._read = 0
        self._whole = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is too much."""
        super().data_received(data)
        if not self._whole:
            self._read += len(data)
            if self._read > HEAD_BYTES and not self.transport.is_closing():
                self.transport.write(TOO_LARGE)
                self.transport.close()

    def on_message_begin(self) -> None:
        """Read a head."""
        super().on_message_begin()
        self._read, self._whole = 0, False
        self._await_head()

    def on_headers_complete(self) -> None:
        """Have a head."""
        self._whole = True
        self._no_deadline()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be left."""
        self._no_deadline()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _no_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


__all__ = ["Bounded"]
