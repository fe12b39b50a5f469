"""The feed: from any position, a follower misses nothing, gets nothing twice, and folds to the present."""

from __future__ import annotations

import asyncio
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from msgspec import UNSET

from affray.engine.commands import Close
from affray.engine.errors import Unusable
from affray.engine.visibility import Viewer
from tests.serve.followed import GM, NAME, SPECTATOR, VIEWERS, Client, Process, check_up_to_date, lively, whole_chain

REPLAYS = Path(__file__).parents[2] / "replays"
OLD = next(path for path in sorted(REPLAYS.glob("*/*.jsonl")) if b'"format":1,' in path.read_bytes()[:400])


def test_a_late_joiner_folds_snapshot_and_tail_to_the_present_state(tmp_path: Path) -> None:
    """After each command, with hidden and shown facts, undo, redo and amendments, for every viewer."""

    async def scene() -> None:
        process = Process(tmp_path)
        clients: list[Client] = []
        for happens in lively(process):
            late = [Client(viewer) for viewer in VIEWERS]
            for client in late:
                await client.connect(process)
                await check_up_to_date(client, process)
            clients += late
            await happens()
            for client in clients:
                await check_up_to_date(client, process)
        for client in clients:
            await client.leave()
        await process.hub.stop()

    asyncio.run(scene())


def test_who_is_cut_off_after_any_message_resumes_without_a_gap_or_a_double(tmp_path: Path) -> None:
    """The client's state is right again, after any events, and after a restart of the server."""

    async def scene() -> None:
        process = Process(tmp_path)
        clients = {viewer.role: Client(viewer) for viewer in VIEWERS}
        moments: list[Client] = []
        for client in clients.values():
            client.noted = moments
            await client.connect(process)
        for happens in lively(process):
            await happens()
            for client in clients.values():
                await check_up_to_date(client, process)
        again = Process(tmp_path)
        for moment in moments:
            first = moment.head
            await moment.connect(again)
            await check_up_to_date(moment, again)
            assert [line.position for line in moment.lines] == list(range(first + 1, again.present.head + 1))
            await moment.leave()
        for client in clients.values():
            await client.leave()

    asyncio.run(scene())


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer.role)
def test_resuming_from_every_position_yields_the_lines_behind_it(tmp_path: Path, viewer: Viewer) -> None:
    """In whole commands, in parts where there are many, kept or read from the record again."""

    async def scene() -> None:
        process = Process(tmp_path)
        for happens in lively(process):
            await happens()
        head = process.present.head
        for after in range(head + 1):
            client = Client(viewer, after=after)
            client.at = head  # for the record only
            await client.connect(process)
            assert [line.position for line in client.lines] == list(range(after + 1, head + 1))
            await client.leave()
            if after == 0:
                whole_chain(client.lines)

    asyncio.run(scene())


def test_who_comes_back_after_a_veil_was_lifted_sees_what_it_hid(tmp_path: Path) -> None:
    """No viewer with the same rights was there meanwhile, or the server was restarted."""

    async def scene() -> None:
        process = Process(tmp_path)
        client = Client(SPECTATOR)
        await client.connect(process)
        await process.rule("veil", who="blue-3", pools=["health"])
        await check_up_to_date(client, process)
        await client.leave()
        await process.rule("unveil", who="blue-3")
        again = Process(tmp_path)
        await client.connect(again)
        await check_up_to_date(client, again)
        await client.leave()

    asyncio.run(scene())


def test_what_another_process_appended_is_told_once_somebody_looks(tmp_path: Path) -> None:
    """Two servers over one store: the followers of either see the same."""

    async def scene() -> None:
        here, there = Process(tmp_path), Process(tmp_path)
        client = Client(GM, after=0)
        await client.connect(here)
        for process in (there, here, there):
            await process.brawl(2)
            here.hub.poll()
            await client.read_to(process.present.head)
        await check_up_to_date(client, here)
        ahead = Client(GM, after=there.present.head)
        await there.brawl(1)
        ahead.after = there.present.head
        await ahead.connect(here)  # a position that this process had not heard of yet
        assert ahead.lines == []
        whole_chain([*client.lines, *(await _rest(here, client.head))])
        await ahead.leave()
        await client.leave()

    asyncio.run(scene())


async def _rest(process: Process, after: int) -> list[Any]:
    client = Client(GM, after=after)
    client.at = process.present.head
    await client.connect(process)
    await client.leave()
    return client.lines


def test_a_position_that_does_not_exist_cannot_be_resumed_from(tmp_path: Path) -> None:
    """Neither behind the head nor before the first."""

    async def scene() -> None:
        process = Process(tmp_path)
        for after in (-1, process.present.head + 1):
            with pytest.raises(Unusable, match="position from 0 to") as unusable:
                await process.hub.follow(NAME, GM, after)
            assert unusable.value.field == "after"

    asyncio.run(scene())


@pytest.mark.parametrize("format", ["present", "older"])
def test_rolls_that_the_end_opens_are_sent_again_before_it(tmp_path: Path, format: str) -> None:
    """To all who had them sealed, even if cut off before the end; later followers get them as lines."""
    if format == "older":
        for suffix in (".jsonl", ".key"):
            copyfile(OLD.with_suffix(suffix), tmp_path / f"{NAME}{suffix}")

    async def scene() -> None:
        process = Process(tmp_path)
        first = process.present.head
        await process.rule("secret_roll", dice="2d6", purpose="listening")
        secret = [one.position for one in process.present.history.recorded if one.known_to == ()]
        rolled = [one.position for one in process.present.history.recorded if one.audience == ()]
        before, moment, later = Client(SPECTATOR, after=0), Client(SPECTATOR), Client(SPECTATOR, after=first)
        for client in (before, moment):
            await client.connect(process)
        before.noted = []
        assert [line.position for line in before.lines if line.event is UNSET] == rolled
        assert [line.position for line in before.lines if line.by] == secret
        assert not any(line.who or line.cause for line in before.lines if line.by)
        await process.do(Close(unfinished=True, reason="late"))
        for client in (before, moment):
            await client.read_to(process.present.head)
            assert [one.event for one in client.told[-len(secret) - 1 :]] == [*["opened"] * len(secret), "line"]
            assert [line.position for line in client.opened] == secret
        assert all(line.event is not UNSET and line.who and line.cause for line in before.lines)
        whole_chain(before.lines)
        cut = Client(SPECTATOR, after=process.present.head - 1)
        cut.at = process.present.head
        for client in (cut, later):
            client.at = process.present.head
            await client.connect(process)
        assert [line.position for line in cut.opened] == secret
        assert later.opened == []
        assert all(line.event is not UNSET for line in later.lines if line.position in secret)
        await before.connect(process)
        assert before.told[0].event == "ready"
        for client in (before, moment, cut, later):
            await client.leave()

    asyncio.run(scene())


def test_what_was_said_while_a_combatant_was_hidden_is_not_opened_at_the_end(tmp_path: Path) -> None:
    """A secret roll of that time stays sealed, its sender too; and the game master is sent nothing again."""

    async def scene() -> None:
        process = Process(tmp_path)
        await process.rule("secret_roll", dice="2d6", purpose="listening")
        await process.rule("conceal", who="blue-1")
        await process.rule("secret_roll", dice="2d6", purpose="a cough of blue-1")
        clients = [Client(viewer, after=0) for viewer in VIEWERS]
        for client in clients:
            await client.connect(process)
        await process.do(Close(unfinished=True))
        for client in clients:
            await client.read_to(process.present.head)
            about = [line for line in client.lines if b"cough" in bytes(line.event or b"")]
            assert (len(client.opened), len(about)) == ((0, 2) if client.viewer is GM else (2, 0))
            whole_chain(client.lines)
            await client.leave()

    asyncio.run(scene())


def test_released_words_are_sent_once_more_to_whoever_got_them_sealed(tmp_path: Path) -> None:
    """At once to those who are there, and as they are to those who come later; without saying who is hidden."""

    async def scene() -> None:
        process = Process(tmp_path)
        await process.rule("conceal", who="blue-1")
        early, late = ([Client(viewer, after=0) for viewer in VIEWERS] for _ in range(2))
        for client in early:
            await client.connect(process)
        await process.rule("note", text="the bell rings")
        for client in early:
            await client.read_to(process.present.head)
        await process.rule("release")
        for client in late:
            await client.connect(process)
        for client in (*early, *late):
            await client.read_to(process.present.head)
            rings = [line for line in client.lines if b"bell" in bytes(line.event or b"")]
            assert len(rings) == 2
            assert all(line.audience is None for line in rings) or client.viewer is GM or client.viewer.owns
            assert bool(client.opened) == (client in early and client.viewer.role != "gm")
            whole_chain(client.lines)
            await client.leave()

    asyncio.run(scene())


def test_a_log_of_an_older_format_is_sent_as_it_was_written(tmp_path: Path) -> None:
    """Followers can then verify its chain."""
    copyfile(OLD, tmp_path / f"{NAME}.jsonl")

    async def scene() -> None:
        process = Process(tmp_path)
        client = Client(GM, after=0)
        client.at = process.present.head
        await client.connect(process)
        assert len(client.lines) == process.present.head
        whole_chain(client.lines)
        await client.leave()

    asyncio.run(scene())
