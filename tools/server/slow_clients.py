"""Limits per connection that uvicorn lacks: bytes read at once, frame rate, slow readers, endless messages."""

import asyncio
import time

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PACE_SECONDS = 30.0
"""Seconds between two checks of a slow reader, while data waits that does not fit into the socket."""

PACE_BYTES = 64 << 10
"""The fewest bytes that a reader must take between two checks: 2 KB a second, which any connection manages."""

MESSAGE_SECONDS = 30.0
"""The most seconds for a WebSocket message, from its first byte on."""

READ_BYTES = 1 << 10
"""Bytes of a connection that are read in one iteration of the event loop, so that others get a turn."""

BODY_READ_BYTES = 1 << 16
"""The same inside a body, which is a single request."""

FRAME_BYTES = 1 << 8
"""The same for a WebSocket, whose frames can be as short as six bytes; four times as much inside a long one."""

FRAMES_A_SECOND = 200
"""The most WebSocket frames of one connection that are read in a second, with pings and empty fragments."""

FRAMES_AT_ONCE = 100
"""The most frames that may come in a burst before that."""

_READ = memoryview(bytearray(BODY_READ_BYTES))
"""The read buffer of all connections: each of them copies its own bytes at once."""


class LimitedProtocol(asyncio.BufferedProtocol):
    """A mixin before uvicorn's protocols: reads in small pieces, and disconnects clients that read too slowly."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _pace: asyncio.TimerHandle | None = None

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the buffer for the next piece."""
        return _READ[: self.piece_bytes]

    def buffer_updated(self, nbytes: int) -> None:
        """Pass a piece on to the protocol."""
        self.data_received(bytes(_READ[:nbytes]))  # type: ignore[attr-defined]

    @property
    def piece_bytes(self) -> int:
        """Bytes to read at once."""
        return READ_BYTES

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Report every unsent byte, also while the connection is being closed."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def pause_writing(self) -> None:
        """Start to check the reader's pace."""
        super().pause_writing()
        self._start_pace_check()

    def resume_writing(self) -> None:
        """Stop to check the reader's pace."""
        self._stop_pace_check()
        super().resume_writing()

    def shutdown(self) -> None:
        """End the connection with the server; do not wait for a slow reader."""
        if self._pace is not None:
            self.transport.abort()
        else:
            super().shutdown()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of a lost connection."""
        self._stop_pace_check()
        super().connection_lost(exc)

    def _start_pace_check(self) -> None:
        self._stop_pace_check()
        waits = self.transport.get_write_buffer_size()
        self._pace = self.loop.call_later(PACE_SECONDS, self._check_pace, waits)

    def _check_pace(self, waited: int) -> None:
        """Disconnect a reader that took too little."""
        self._pace = None
        if waited - self.transport.get_write_buffer_size() < PACE_BYTES:
            self.transport.abort()
        else:
            self._start_pace_check()

    def _stop_pace_check(self) -> None:
        if self._pace is not None:
            self._pace.cancel()
            self._pace = None


class LimitedWebSocketProtocol(LimitedProtocol, WebSocketsSansIOProtocol):  # type: ignore[misc]
    """uvicorn's WebSocket protocol with a frame rate and a timeout for messages that never end."""

    _message: asyncio.TimerHandle | None = None
    _whole = False
    _resting: asyncio.TimerHandle | None = None
    _next_frame = 0.0

    @property
    def piece_bytes(self) -> int:
        """Bytes to read at once."""
        return FRAME_BYTES if self._whole or self._message is None else READ_BYTES

    def data_received(self, data: bytes) -> None:
        """Read more; start the deadline of an incomplete message."""
        self._whole = False
        super().data_received(data)
        if self._whole and not self.frames:
            self._no_message()
        elif self._message is None and not self.transport.is_closing():
            self._message = self.loop.call_later(MESSAGE_SECONDS, self.transport.abort)

    def handle_events(self) -> None:
        """Handle the frames that came; pause reading if they are too many."""
        frames = len(self.conn.events)
        self._whole = bool(frames)
        super().handle_events()
        self._count(frames)

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message; do not read on during a pause."""
        message = await super().receive()
        if self._resting is not None:
            self.transport.pause_reading()
        return message

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        self._no_message()
        if self._resting is not None:
            self._resting.cancel()
        super().connection_lost(exc)

    def _count(self, frames: int) -> None:
        """Pause reading for as long as frames came too fast."""
        now = time.monotonic()
        self._next_frame = max(self._next_frame, now) + frames / FRAMES_A_SECOND
        rest = self._next_frame - now - FRAMES_AT_ONCE / FRAMES_A_SECOND
        if rest > 0 and self._resting is None and not self.transport.is_closing():
            self.transport.pause_reading()
            self._resting = self.loop.call_later(rest, self._resume)

    def _resume(self) -> None:
        self._resting = None
        if not self.read_paused:
            self.transport.resume_reading()

    def _no_message(self) -> None:
        if self._message is not None:
            self._message.cancel()
            self._message = None
