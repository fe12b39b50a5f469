"""Downloads are sent as fast as they are read, and no faster: many slow ones cost little, and too many are refused."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine.errors import Altered, OutOfDate
from affray.engine.stores import Store
from affray.events import GENESIS
from affray.tools.server import downloads
from affray.tools.server.downloads import (
    MOST_OF_ALL,
    MOST_OF_FIGHT,
    MOST_OF_ONE,
    MOST_OF_PLAYERS,
    PART_BYTES,
    Downloads,
)
from affray.tools.server.open_fights import LimitReached, OpenFights
from tests.engine.writers import make_noted_command
from tests.serve.meddling import KINDS, store_of
from tests.serve.server import Server

LINE = b"x" * 999
LINES = 30_000
"""30 MB."""


class Endless:
    """The endless lines of a store, with the number that was read."""

    def __init__(self, lines: int = LINES) -> None:
        self.left = lines

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return bytes(LINE)


def begin_download(found: Downloads, key: str, lines: Endless, head: int = LINES) -> AsyncGenerator[bytes]:
    """Begin a download."""

    async def aside(work: Any) -> bytes:
        part: bytes = work()
        return part

    return found.send_log(found.reserve_slot(key, key), lines, head, aside, "duel")


def test_thirty_slow_readers_hold_little_of_a_long_log() -> None:
    """Memory holds one part for each reader, for a log of any length."""

    async def scene() -> None:
        found, logs = Downloads(), [Endless() for _ in range(30)]
        readers = [begin_download(found, str(nth), log) for nth, log in enumerate(logs)]
        gc.collect()
        tracemalloc.start()
        parts = [await anext(reader) for reader in readers]
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert all(PART_BYTES <= len(part) < PART_BYTES + 1_000 for part in parts)
        assert all(LINES - log.left == -(-PART_BYTES // 1_000) for log in logs)
        assert most < 3 * 30 * PART_BYTES
        for reader in readers:
            await reader.aclose()

    asyncio.run(scene())


def test_a_download_is_whole_or_cut_off() -> None:
    async def scene() -> None:
        found = Downloads()
        sent = b"".join([part async for part in begin_download(found, "", Endless(500), 400)])
        assert sent == (LINE + b"\n") * 400  # what came behind the head meanwhile is not promised
        with pytest.raises(Altered):
            async for _ in begin_download(found, "", Endless(300), 400):
                pass

    asyncio.run(scene())


def test_a_place_is_free_again_when_a_download_ends_or_was_never_read() -> None:
    async def scene() -> None:
        found = Downloads()
        under_way = [begin_download(found, "eve", Endless()) for _ in range(MOST_OF_ONE)]
        await anext(under_way[0])
        with pytest.raises(LimitReached, match=str(MOST_OF_ONE)):
            found.reserve_slot("eve", "duel")
        await under_way[0].aclose()
        found.reserve_slot("eve", "duel")
        del under_way[-1]
        gc.collect()
        found.reserve_slot("eve", "duel")
        others = [found.reserve_slot(str(nth), str(nth)) for nth in range(MOST_OF_PLAYERS - len(under_way) + 1)]
        with pytest.raises(LimitReached, match=f"{MOST_OF_PLAYERS} for all"):
            found.reserve_slot("adam", "")
        others += [found.reserve_slot(f"gm {nth}", "", rules=True) for nth in range(MOST_OF_ALL - MOST_OF_PLAYERS)]
        with pytest.raises(LimitReached, match=f"{MOST_OF_ALL} for all"):
            found.reserve_slot("gm", "", rules=True)
        assert len(others) < MOST_OF_ALL

    asyncio.run(scene())


def test_a_report_is_made_once_for_all_who_read_it() -> None:
    async def scene() -> None:
        found, made = Downloads(), []

        async def make() -> str:
            made.append(1)
            return "…" * PART_BYTES

        of = ("duel", "hash", "md")
        first = await found.build_once(of, make)
        assert await found.build_once(of, make) is first
        sent = [part async for part in found.send(found.reserve_slot("eve", "duel"), first)]
        assert b"".join(sent).decode() == "…" * PART_BYTES
        assert {len(part) for part in sent} == {PART_BYTES}
        del first
        gc.collect()
        await found.build_once(of, make)
        assert len(made) == 2

    asyncio.run(scene())


@pytest.mark.parametrize("name", ["log.jsonl", "export.md", "export.html", "rolls.csv", "events.csv"])
def test_too_many_downloads_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert server.spectator.looks(f"/{name}").status_code == 200
    monkeypatch.setattr(downloads, "MOST_OF_ONE", 0)
    answer = server.spectator.looks(f"/{name}")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")


@pytest.mark.parametrize("kind", KINDS)
def test_a_slow_reader_of_a_log_is_in_no_writers_way(kind: str, tmp_path: Path) -> None:
    """Nor sees half of what they write; of a long log it holds little."""
    store = store_of(kind, tmp_path)
    written = long_log(store, 200)
    reading = store.lines("long")
    read = [next(reading)]
    after = len(written)
    store.append("long", make_noted_command("more", after, GENESIS), after)
    with pytest.raises(OutOfDate):
        store.append("long", make_noted_command("late", after, GENESIS), after)
    assert len(store.read("long")) == after + 3
    read += reading
    assert read[:after] == written
    assert len(read) in (after, after + 3)


def long_log(store: Store, commands: int) -> list[bytes]:
    """Let a store keep a long log, and return it."""
    lines = make_noted_command("opening", 0, GENESIS)
    store.begin("long", lines, None)
    for nth in range(commands):
        new = make_noted_command(str(nth), len(lines), GENESIS)
        store.append("long", new, len(lines))
        lines += new
    return lines


def test_what_is_passed_on_is_what_is_kept(server: Server) -> None:
    fights: OpenFights = server.app.state.server.fights
    server.gm.does("gm begin", "roll 15", "roll 3")
    answer = server.spectator.looks("/log.jsonl")
    assert answer.content == b"".join(line + b"\n" for line in fights.store.read("duel"))
    assert answer.headers["content-type"].startswith("application/x-ndjson")


def test_the_links_of_one_fight_do_not_take_all_downloads() -> None:
    found = Downloads()
    slots = [found.reserve_slot(f"link {nth}", "duel") for nth in range(MOST_OF_FIGHT)]
    with pytest.raises(LimitReached, match=f"{MOST_OF_FIGHT} for the links of one fight"):
        found.reserve_slot("one more", "duel")
    slots += [found.reserve_slot("another", "bridge"), found.reserve_slot("host", "")]
    assert len(slots) == MOST_OF_FIGHT + 2
