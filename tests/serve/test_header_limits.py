"""Requests and answers: how long they may be, and how long one may take over sending or taking them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
import uvicorn
from uvicorn.server import ServerState

from affray.engine.stores import FileStore
from affray.tools.server.app import build_application as app
from affray.tools.server.header_limits import BODY_SECONDS, HEAD_BYTES, HEAD_SECONDS, TOO_SLOW, LimitedHttpProtocol
from affray.tools.server.slow_clients import MESSAGE_SECONDS, PACE_BYTES, PACE_SECONDS, LimitedWebSocketProtocol
from tests.serve.server import HOST
from tests.serve.server import serving as serving_of
from tests.serve.test_serve import serving

PATIENCE = 30
HEAD = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
POST = (
    b"POST /api/fights HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %b\r\nContent-Length: 5\r\n\r\n"
    % HOST.encode()
)
UPGRADE = (
    b"GET /feed HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The port of a server."""
    folder: Path = tmp_path_factory.mktemp("served")
    with serving(folder) as (_, said):
        yield int(said.rpartition("Listening on ")[2].split(";")[0].rpartition(":")[2])


def read_status_line(port: int, *pieces: bytes) -> bytes:
    """Return the first line of what a server answers to what it is sent piece by piece, or nothing if it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
            return connection.makefile("rb").readline()
        except ConnectionError:
            return b""


def test_an_ordinary_head_may_come_in_pieces(port: int) -> None:
    assert read_status_line(port, HEAD[:20], HEAD[20:], b"X-More: yes\r\n", b"\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_head_that_is_too_long_is_refused_before_it_ends(port: int) -> None:
    line = b"X-More: " + b"x" * 1_000 + b"\r\n"
    pieces = [line * 64] * (4 * HEAD_BYTES // len(line * 64) + 1)
    assert read_status_line(port, HEAD, *pieces) in (b"HTTP/1.1 431 Request Header Fields Too Large\r\n", b"")


class Clock:
    """A loop that only remembers what is due."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, delay: float, callback: Callable[..., None], *about: Any) -> Any:
        """Remember it until it is cancelled."""
        due = (delay, partial(callback, *about))
        self.due.append(due)
        return SimpleNamespace(cancel=lambda: self.due.remove(due))

    def create_task(self, work: Any, **_: Any) -> Any:
        """Do nothing of it."""
        work.close()
        return Mock()


def make_connection() -> tuple[LimitedHttpProtocol, Clock, Wire]:
    """Return a connection that has just been made."""
    clock, wire = Clock(), Wire()
    config = uvicorn.Config(application, lifespan="off", interface="asgi3")
    protocol = LimitedHttpProtocol(config, ServerState(), {}, cast(Any, clock))
    protocol.connection_made(wire)
    return protocol, clock, wire


class Wire(asyncio.Transport):
    """A connection without a peer."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.aborted = False
        self.written = b""
        self.waits = 0

    def write(self, data: Any) -> None:
        """Remember it."""
        self.written += data

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Hear that it is told of everything that waits."""
        assert (high, low) == (0, None)

    def get_write_buffer_size(self) -> int:
        """Return what waits."""
        return self.waits

    def close(self) -> None:
        """Remember it."""
        self.closed = True

    def abort(self) -> None:
        """Remember it."""
        self.aborted = True

    def is_closing(self) -> bool:
        """Tell of it."""
        return self.closed


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer nothing."""


def test_whoever_begins_no_head_or_never_ends_one_is_hung_up_on() -> None:
    protocol, clock, wire = make_connection()
    [(seconds, late)] = clock.due
    assert seconds == HEAD_SECONDS
    late()
    assert (wire.closed, wire.written) == (True, b"")
    protocol, clock, wire = make_connection()
    protocol.data_received(HEAD)
    [(seconds, late)] = clock.due
    assert (seconds, wire.closed) == (HEAD_SECONDS, False)
    late()
    assert wire.closed
    assert wire.written == TOO_SLOW


def test_whoever_sent_a_whole_request_is_not_hurried() -> None:
    protocol, clock, _ = make_connection()
    protocol.data_received(HEAD + b"\r\n")
    assert clock.due == []
    protocol, clock, _ = make_connection()
    protocol.data_received(POST + b"01234")
    assert clock.due == []


def test_whoever_never_ends_a_body_is_answered_so_and_hung_up_on() -> None:
    """However often a byte of it comes: the clock runs from the end of the head."""
    protocol, clock, wire = make_connection()
    protocol.data_received(POST)
    for byte in (b"0", b"1", b"2", b"3"):
        [(seconds, late)] = clock.due
        assert seconds == BODY_SECONDS
        protocol.data_received(byte)
        assert clock.due == [(seconds, late)]
    clock.due[0][1]()
    assert (wire.closed, wire.written) == (True, TOO_SLOW)


def test_a_body_that_was_answered_already_is_not_waited_for_either() -> None:
    protocol, clock, wire = make_connection()
    protocol.data_received(POST + b"0")
    protocol.cycle.response_started = protocol.cycle.response_complete = True
    [(_, late)] = clock.due
    late()
    assert (wire.closed, wire.written) == (True, b"")


def test_whatever_comes_between_two_requests_begins_one() -> None:
    """A line's end from time to time keeps no connection open."""
    protocol, clock, wire = make_connection()
    protocol.data_received(HEAD + b"\r\n")
    protocol.cycle.response_started = protocol.cycle.response_complete = True
    for _ in range(3):
        protocol.data_received(b"\r\n")
        [(seconds, _)] = clock.due
        assert seconds == HEAD_SECONDS
    clock.due[0][1]()
    assert wire.closed


def test_who_waits_for_us_has_time() -> None:
    """A second request that we do not read yet is not late."""
    protocol, clock, wire = make_connection()
    wire.pause_reading = lambda: None  # type: ignore[method-assign]
    protocol.data_received(HEAD + b"\r\n" + POST)
    [(_, late)] = clock.due
    protocol.flow.pause_reading()
    clock.due.clear()
    late()
    assert ([seconds for seconds, _ in clock.due], wire.closed) == ([BODY_SECONDS], False)


@pytest.mark.parametrize(("taken", "cut"), [(0, True), (PACE_BYTES - 1, True), (PACE_BYTES, False)])
def test_who_takes_too_little_of_an_answer_is_cut_off(taken: int, cut: bool) -> None:
    protocol, clock, wire = make_connection()
    clock.due.clear()
    wire.waits = 10 * PACE_BYTES
    protocol.pause_writing()
    [(seconds, look)] = clock.due
    assert seconds == PACE_SECONDS
    wire.waits -= taken
    clock.due.clear()
    look()
    assert (wire.aborted, len(clock.due)) == (cut, not cut)
    if not cut:
        protocol.resume_writing()
        assert clock.due == []


def test_a_message_to_the_web_socket_that_never_ends_is_hung_up_on() -> None:
    clock, wire = Clock(), Wire()
    wire.pause_reading = lambda: None  # type: ignore[method-assign]
    config = uvicorn.Config(application, lifespan="off", interface="asgi3")
    protocol = LimitedWebSocketProtocol(config, ServerState(), {}, cast(Any, clock))
    protocol.connection_made(wire)
    protocol.data_received(UPGRADE)
    assert clock.due == []
    masked = b"\x00\x00\x00\x00"
    for piece in (b"\x01", b"\x85" + masked, b"01", b"234", b"\x80\x80", b"\x00\x00"):  # two frames, byte by byte
        protocol.data_received(piece)
        assert [seconds for seconds, _ in clock.due] == [MESSAGE_SECONDS]
    [(_, late)] = clock.due
    protocol.data_received(b"\x00\x00")
    assert clock.due == []
    late()
    assert wire.aborted


@pytest.mark.parametrize(
    ("seconds", "sent"),
    [("HEAD_SECONDS", HEAD), ("BODY_SECONDS", POST + b"0")],
    ids=["head", "body"],
)
def test_a_real_connection_is_answered_when_its_time_is_up(
    monkeypatch: pytest.MonkeyPatch, seconds: str, sent: bytes, tmp_path: Path
) -> None:
    monkeypatch.setattr(f"affray.tools.server.header_limits.{seconds}", 0.05)

    async def answered() -> bytes:
        config = uvicorn.Config(
            app(serving_of(FileStore(tmp_path))), http=LimitedHttpProtocol, log_level="critical", lifespan="off"
        )
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: LimitedHttpProtocol(config, state, {}), "127.0.0.1", 0)
        async with server:
            reading, writing = await asyncio.open_connection(*server.sockets[0].getsockname())
            writing.write(sent)
            said = await asyncio.wait_for(reading.read(), PATIENCE)
            writing.close()
            return said

    said = asyncio.run(answered())
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"too_slow"' in said
