"""The readers of a feed: slow ones are cut off, many cost no more than one, quiet ones hear that the server lives."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from affray.engine.visibility import Viewer
from affray.tools.api.schemas.feed import Ready
from affray.tools.server import line_cache, subscription, view_cache
from affray.tools.server.encoded_cache import EncodedCache
from affray.tools.server.feed import encode_batch, encode_messages
from affray.tools.server.messages import Batch
from tests.serve.followed import GM, NAME, SPECTATOR, Client, Process, Told, check_up_to_date, whole_chain, wire_line


def test_a_long_record_comes_in_parts_of_whole_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for lines that left the cache; catching up is no reason to be cut off."""
    monkeypatch.setattr(line_cache, "PART", 5)
    monkeypatch.setattr(line_cache, "RECENT", 10)
    monkeypatch.setattr(subscription, "LAG_LINES", 1)

    async def scene() -> None:
        process = Process(tmp_path)
        watcher = Client(GM)
        await watcher.connect(process)
        for _ in range(20):
            await process.brawl(1)
            await check_up_to_date(watcher, process)
        client = Client(GM, after=0)
        stream = (await process.hub.follow(NAME, GM, 0)).messages()
        parts = 0
        while client.head < process.present.head:
            batch = await anext(stream)
            assert isinstance(batch, Batch)
            assert wire_line(batch.lines[-1][1].decode()).more == 0
            client.take(batch.encode_once(encode_batch))
            parts += 1
        assert parts > 5
        assert await anext(stream) == Ready(process.present.head)
        await check_up_to_date(client, process)
        whole_chain(client.lines)
        await stream.aclose()
        await watcher.leave()

    asyncio.run(scene())


@pytest.mark.parametrize(("limit", "most"), [("LAG_LINES", 20), ("LAG_BYTES", 5_000)])
def test_a_slow_reader_is_cut_off_and_resumes_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    """It has every line once in the end; the others do not notice."""
    monkeypatch.setattr(subscription, limit, most)

    async def scene() -> None:
        process = Process(tmp_path)
        slow, quick = Client(GM, after=0), Client(GM, after=0)
        for client in (slow, quick):
            await client.connect(process)
        for _ in range(15):
            await process.brawl(1)
            await check_up_to_date(quick, process)
        await slow.read_to_the_end()
        assert slow.told[-1].event == "lagging"
        await slow.connect(process)
        await check_up_to_date(slow, process)
        for client in (slow, quick):
            whole_chain(client.lines)
            assert len(client.lines) == process.present.head
            await client.leave()

    asyncio.run(scene())


def test_one_long_command_cuts_nobody_off_who_had_read_what_came_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader is slow for what it left lying, not for what has just come."""
    monkeypatch.setattr(subscription, "LAG_LINES", 1)
    monkeypatch.setattr(subscription, "LAG_BYTES", 1)

    async def scene() -> None:
        process = Process(tmp_path)
        client = Client(SPECTATOR)
        await client.connect(process)
        await process.brawl(1)
        assert process.present.head - client.head > 10
        await check_up_to_date(client, process)
        await client.leave()

    asyncio.run(scene())


def test_a_quiet_fight_gives_signs_of_life_and_a_stopping_server_ends_its_streams(tmp_path: Path) -> None:
    """The beat comes by the hub's clock; at the end the client may come back and resume."""

    async def scene() -> None:
        process = Process(tmp_path)
        client = Client(GM)
        async with process.hub.run(beat=0, look=None):
            await client.connect(process)
            await client.read()
            assert client.told[-1] == Told("", "", "null")
        await client.read_to_the_end()
        again = Process(tmp_path)
        await client.connect(again)
        await again.brawl(1)
        await check_up_to_date(client, again)
        await client.leave()

    asyncio.run(scene())


def test_equal_eyes_are_sent_the_very_same_bytes(tmp_path: Path) -> None:
    """A line is written once for all who have the same rights, and those who have others get no byte of a secret."""

    async def scene() -> None:
        process = Process(tmp_path)
        await process.rule("conceal", who="blue-1")
        follows = [encode_messages(await process.hub.follow(NAME, viewer)) for viewer in (SPECTATOR, SPECTATOR, GM)]
        for stream in follows:
            await anext(stream)
            assert (await anext(stream)).startswith(b"event: ready")
        await process.rule("note", text="blue 1 lurks behind the door")
        first, second, third = [await anext(stream) for stream in follows]
        assert first is second
        assert b"lurks" in third
        assert b"lurks" not in first
        assert b"blue-1" not in first
        for stream in follows:
            await stream.aclose()

    asyncio.run(scene())


def test_what_was_sent_to_many_links_is_kept_within_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A late follower gets every line, even if no other one needs it."""
    kept = EncodedCache(most=20_000)
    monkeypatch.setattr(view_cache, "ENCODED", kept)
    monkeypatch.setattr(line_cache, "PART", 5)
    monkeypatch.setattr(line_cache, "RECENT", 10)

    async def scene() -> None:
        process = Process(tmp_path)
        await process.rule("conceal", who="blue-1")
        await process.brawl(20)
        players = [Viewer(role="player", name=f"p{nth}", owns=(f"red-{nth}",)) for nth in (0, 2)]
        clients = [Client(viewer, after=0) for viewer in (*players, SPECTATOR, GM)]
        for client in clients:
            await client.connect(process)
            whole_chain(client.lines)
            assert 0 < kept.bytes <= 20_000
        for client in clients:
            await client.leave()

    asyncio.run(scene())


def test_nothing_that_is_longer_than_the_bound_is_kept() -> None:
    kept, made = EncodedCache(most=10), []

    def make() -> bytes:
        made.append(b"x" * 11)
        return made[-1]

    assert kept.get("a", make) == kept.get("a", make) == b"x" * 11
    assert (len(made), kept.bytes) == (2, 0)


def test_a_fight_that_nobody_follows_any_more_is_forgotten(tmp_path: Path) -> None:
    """So that a server with many fights holds only the lines of those that are watched."""

    async def scene() -> None:
        process = Process(tmp_path)
        client = Client(GM)
        follower = await client.connect(process)
        process.hub.send_heartbeats()
        assert set(follower.feed.subscriptions) == {follower}
        await client.leave()
        assert not follower.feed.subscriptions
        process.hub.send_heartbeats()
        assert (await client.connect(process)).feed is not follower.feed
        await client.leave()

    asyncio.run(scene())
