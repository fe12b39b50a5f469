"""Disconnect readers that are too slow, and senders of messages that never end; uvicorn has no such timeouts."""

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PACE_SECONDS = 30.0
"""How often it is looked how much a reader took, while anything waits for them that does not fit into the socket."""

PACE_BYTES = 64 << 10
"""How much they must have taken by then, or all there is: 2 KB a second, which any connection manages."""

MESSAGE_SECONDS = 30.0
"""How long a message to the WebSocket may take from its first byte on."""


class Paced(asyncio.Protocol):
    """A protocol of uvicorn's that cuts off who reads too slowly; to be mixed in before it."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _pace: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hear of whatever waits to be sent, also of what still does when the connection is being closed."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def pause_writing(self) -> None:
        """Look after a while how much was taken."""
        super().pause_writing()
        self._look_later()

    def resume_writing(self) -> None:
        """Have little left to send."""
        self._look_no_more()
        super().resume_writing()

    def shutdown(self) -> None:
        """End, because the server does; whoever is behind with reading is not waited for."""
        if self._pace is not None:
            self.transport.abort()
        else:
            super().shutdown()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """Be left."""
        self._look_no_more()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        self._look_no_more()
        waits = self.transport.get_write_buffer_size()
        self._pace = self.loop.call_later(PACE_SECONDS, self._look, waits)

    def _look(self, waited: int) -> None:
        """Cut off who took too little of what waited."""
        self._pace = None
        if waited - self.transport.get_write_buffer_size() < PACE_BYTES:
            self.transport.abort()
        else:
            self._look_later()

    def _look_no_more(self) -> None:
        if self._pace is not None:
            self._pace.cancel()
            self._pace = None


class PacedSocket(Paced, WebSocketsSansIOProtocol):
    """uvicorn's protocol of WebSockets, which also hangs up on messages that never end."""

    _message: asyncio.TimerHandle | None = None
    _whole = False

    def data_received(self, data: bytes) -> None:
        """Read on; what is not the end of a message has some time until it comes."""
        self._whole = False
        super().data_received(data)
        if self._whole and not self.frames:
            self._no_message()
        elif self._message is None and not self.transport.is_closing():
            self._message = self.loop.call_later(MESSAGE_SECONDS, self.transport.abort)

    def handle_events(self) -> None:
        """Note whether anything came to its end."""
        self._whole = bool(self.conn.events)
        super().handle_events()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be left."""
        self._no_message()
        super().connection_lost(exc)

    def _no_message(self) -> None:
        if self._message is not None:
            self._message.cancel()
            self._message = None
