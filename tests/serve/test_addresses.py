"""Clients without a link: no header gives them limits of another address, and log files are bounded over all."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from affray.tools.server.rate_limits import ALL_STORIES, STORIES, RateLimitExceeded, RateLimits
from tests.serve.test_serve import serving

HEAD = (
    "POST /api/told HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.0.0.{}\r\n"
    "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
)


def test_a_header_that_names_another_address_gives_no_further_turns(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, said), ExitStack() as stack:
        port = int(said.rpartition("Listening on ")[2].split(";")[0].rpartition(":")[2])
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            for _ in range(STORIES.at_once + STORIES.queued + 1)
        ]
        for nth, connection in enumerate(connections):
            connection.sendall(HEAD.format(nth).encode())
        assert connections[-1].makefile("rb").readline().startswith(b"HTTP/1.1 429 ")


def test_log_files_of_many_addresses_are_read_a_few_at_a_time() -> None:
    """A request in the queue has no body in memory; a refused one leaves its address free."""

    async def scene() -> None:
        turns = RateLimits()
        held = [await turns.acquire_story(f"a{nth}") for nth in range(ALL_STORIES.at_once)]
        queued = [asyncio.create_task(turns.acquire_story(f"b{nth}")) for nth in range(ALL_STORIES.queued)]
        for _ in range(3):
            await asyncio.sleep(0)
        assert not any(one.done() for one in queued)
        for _ in range(2):
            with pytest.raises(RateLimitExceeded):
                await turns.acquire_story("c")
        held[0].end()
        (await queued[0]).end()
        for one in queued[1:]:
            (await one).end()
        again = await turns.acquire_story("a0")
        again.end()

    asyncio.run(scene())
