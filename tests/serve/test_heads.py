"""Heads of requests: how long they may be, and how long one may take over them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest
import uvicorn
from uvicorn.server import ServerState

from affray.tools.serve.heads import HEAD_BYTES, HEAD_SECONDS, Bounded
from tests.serve.test_serve import serving

PATIENCE = 30
HEAD = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Where a server listens."""
    folder: Path = tmp_path_factory.mktemp("served")
    with serving(folder) as (_, said):
        yield int(said.rpartition("Listening on ")[2].split(";")[0].rpartition(":")[2])


def answered(port: int, *pieces: bytes) -> bytes:
    """Return the first line of what a server answers to what it is sent piece by piece, or nothing if it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
            return connection.makefile("rb").readline()
        except ConnectionError:
            return b""


def test_an_ordinary_head_may_come_in_pieces(port: int) -> None:
    assert answered(port, HEAD[:20], HEAD[20:], b"X-More: yes\r\n", b"\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_head_that_is_too_long_is_refused_before_it_ends(port: int) -> None:
    line = b"X-More: " + b"x" * 1_000 + b"\r\n"
    pieces = [line * 64] * (4 * HEAD_BYTES // len(line * 64) + 1)
    assert answered(port, HEAD, *pieces) in (b"HTTP/1.1 431 Request Header Fields Too Large\r\n", b"")


class Clock:
    """A loop that only remembers what is due."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, delay: float, callback: Callable[[], None]) -> Any:
        """Remember it until it is cancelled."""
        due = (delay, callback)
        self.due.append(due)
        return SimpleNamespace(cancel=lambda: self.due.remove(due))

    def create_task(self, work: Any, **_: Any) -> Any:
        """Do nothing of it."""
        work.close()
        return Mock()


def connected() -> tuple[Bounded, Clock, Wire]:
    """Return a connection that has just been made."""
    clock, wire = Clock(), Wire()
    config = uvicorn.Config(application, lifespan="off", interface="asgi3")
    protocol = Bounded(config, ServerState(), {}, cast(Any, clock))
    protocol.connection_made(wire)
    return protocol, clock, wire


class Wire(asyncio.Transport):
    """A connection to nobody."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    def close(self) -> None:
        """Remember it."""
        self.closed = True

    def is_closing(self) -> bool:
        """Tell of it."""
        return self.closed


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer nothing."""


def test_whoever_begins_no_head_or_never_ends_one_is_hung_up_on() -> None:
    protocol, clock, wire = connected()
    protocol.data_received(HEAD)
    [(seconds, late)] = clock.due
    assert (seconds, wire.closed) == (HEAD_SECONDS, False)
    late()
    assert wire.closed


def test_whoever_sent_a_whole_head_is_not_hurried() -> None:
    protocol, clock, _ = connected()
    protocol.data_received(HEAD + b"\r\n")
    assert clock.due == []
