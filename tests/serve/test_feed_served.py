"""The feed of a real server over real sockets, and the measuring of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import httpx
import msgspec

from affray.tools.lab.bench.server import FIGHT, TOKEN, a_fight, a_server, serving

FEED = f"{FIGHT}/feed"


def find_next_position(lines: Iterator[str]) -> int:
    """Return the position of the next line of the fight."""
    return int(next(line for line in lines if line.startswith("id: "))[4:])


def until_ready(lines: Iterator[str]) -> list[int]:
    """Return the positions of the lines that come before everything was sent."""
    positions = []
    for line in lines:
        if line.startswith("id: "):
            positions.append(int(line[4:]))
        if line == "event: ready":
            break
    return positions


def client(port: int) -> httpx.Client:
    """Return a client of a server, who is its host."""
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20, trust_env=False
    )


def test_a_server_that_is_killed_in_the_middle_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """The stream says what it is, and goes on behind ``Last-Event-ID`` in the next server."""
    store = tmp_path / "fights.db"
    steps = list(islice(a_fight(store), 3))
    with (
        a_server(store) as (process, port),
        client(port) as host,
        host.stream("GET", FEED, params={"after": 0}) as stream,
    ):
        assert stream.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["Cache-Control"] == "no-store"
        lines = stream.iter_lines()
        seen = until_ready(lines)
        for step in steps:
            body = msgspec.json.encode({"id": str(step.head), "intent": step.intent})
            answer = host.post(f"{FIGHT}/commands", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 200, answer.text
        seen.append(find_next_position(lines))
        os.kill(process, signal.SIGKILL)
    with a_server(store) as (_, port), client(port) as host:
        with host.stream("GET", FEED, params={"after": 1}, headers={"Last-Event-ID": str(seen[-1])}) as stream:
            seen += until_ready(stream.iter_lines())
        assert seen == list(range(1, steps[-1].head + 1))
        for last in ("nine", "-1", "999999"):
            refused = host.get(FEED, headers={"Last-Event-ID": last})
            assert (refused.status_code, refused.json()["status"]) == (400, 400)
        assert host.get(FEED, headers={"Authorization": ""}).status_code == 401


def test_a_server_is_measured_with_those_who_follow_it(tmp_path: Path) -> None:
    """Every follower sees every command, and none is cut off."""
    found = {one.what: one.value for one in serving(0.3, subscribers=(3,), folder=tmp_path)}
    assert found.pop("cut off, of 3 subscribers") == 0
    assert len(found) == 8
    assert all(value > 0 for what, value in found.items() if "processors" not in what)
