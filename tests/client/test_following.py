"""The Python client follows a fight: every line once, the engine's own state, over broken connections."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from functools import partial
from pathlib import Path

import httpx
import pytest

from affray import Close, Redo, Undo
from affray.client import (
    START,
    AccessDenied,
    AsyncClient,
    Client,
    ConnectionLost,
    HeadlineChanged,
    LineOpened,
    LineRecorded,
    Moment,
    Settled,
    Update,
)
from affray.engine.core.state import digest
from affray.events import Closed, Rewound
from tests.client.conftest import OpenClient
from tests.client.table import Server, proxy_before
from tests.serve.server import LURKER
from tests.tools.program import ENCOUNTER

BEGUN = ("gm begin", "roll 15", "roll 3")
ABOUT = {"undo": Undo(), "redo": Redo()}
RULED = ("secret_roll 2d6 listening", "pool lurker health by=-1", "reveal lurker", "release")


def read_until_settled(updates: Iterator[Update]) -> list[Update]:
    """Read updates up to the next that says that the table has settled."""
    read = []
    for update in updates:
        read.append(update)
        if update.settled:
            return read
    raise AssertionError("the feed ended")


def list_positions(updates: list[Update]) -> list[int]:
    """List the positions of the lines among updates."""
    return [one.message.line.position for one in updates if isinstance(one.message, LineRecorded)]


def test_the_state_is_folded_as_the_server_folds_it(server: Server, enter: OpenClient) -> None:
    """After each command, a note, an undo and a redo included; from the first line and from the present."""
    links = server.open_duel(*BEGUN)
    gm = enter(links.gm)
    whole, present = gm.follow(START), gm.follow()
    read_until_settled(whole)
    assert [type(one.message) for one in read_until_settled(present)] == [Moment, Settled]
    for words in ("ilse attack bram", "roll 19", "rule note 'it rains'", "undo", "redo", "rule pool bram health by=-2"):
        head = (gm.send(ABOUT[words]) if words in ABOUT else gm.say(words, reason="so")).head
        state = gm.get_state()
        for following in (whole, present):
            last = read_until_settled(following)[-1]
            assert last.message == Settled(head)
            assert (last.moment.position, last.moment.hash) == (head, state.hash)
            assert digest(last.moment.state) == state.digest


def test_every_line_comes_once_though_the_connection_breaks(server: Server, enter: OpenClient) -> None:
    """In the middle of a command, between two, and before anything came."""
    links = server.open_duel(*BEGUN)
    with proxy_before(links.spectator) as (proxy, link):
        spectator, begun = enter(link), enter(links.gm).get_fight().head
        proxy.cuts += [b"id: 3\n", b"id: 12\n", b"event: settled", b"HTTP/1.1 200"]
        updates = spectator.follow(START)
        read = read_until_settled(updates)
        assert list_positions(read) == list(range(1, begun + 1))
        lost = [one.message for one in read if isinstance(one.message, ConnectionLost)]
        assert [one.tries for one in lost] == [1, 1, 1, 2]
        assert spectator.pauses == [0.25, 0.25, 0.25, 0.5]
        proxy.cuts.append(b"id: %d\n" % (begun + 2))
        head = enter(links.gm).say("ilse attack bram").head
        assert list_positions(read_until_settled(updates)) == list(range(begun + 1, head + 1))
        assert digest(spectator.get_state().state) == spectator.get_state().digest


def test_a_program_goes_on_where_it_stood(server: Server, enter: OpenClient) -> None:
    """From the moment of its last update, without the lines that it has."""
    links = server.open_duel(*BEGUN)
    moment = read_until_settled(enter(links.ilse).follow())[-1].moment
    head = enter(links.gm).say("ilse attack bram").head
    read = read_until_settled(enter(links.ilse).follow(moment))
    assert list_positions(read) == list(range(moment.position + 1, head + 1))
    assert digest(read[-1].moment.state) == enter(links.ilse).get_state().digest


def test_a_settled_table_takes_the_head_that_it_tells(server: Server, enter: OpenClient) -> None:
    """Lines of a command and of the passes behind it come one by one; only the last is the head."""
    links = server.open_duel(*BEGUN)
    ilse = enter(links.ilse)
    updates = ilse.follow(headline=True)
    read_until_settled(updates)
    ilse.say("ilse attack bram")
    *_, before, settled = read_until_settled(updates)
    assert isinstance(before.message, LineRecorded | HeadlineChanged)
    assert not before.settled
    assert ilse.say("roll 19", expected=settled.moment.position).repeated is False


def test_a_spectator_is_told_states_that_do_not_follow(server: Server, enter: OpenClient) -> None:
    """Hidden events come sealed, with the state after them; opened ones come again in full."""
    links = server.open_duel("gm begin", encounter=ENCOUNTER + LURKER, dice="engine")
    gm, spectator = enter(links.gm), enter(links.spectator)
    updates = spectator.follow(START)
    first = read_until_settled(updates)
    assert any(isinstance(one.message, LineRecorded) and one.message.event is None for one in first)
    assert "lurker" not in first[-1].moment.state.combatants
    opened = []
    acts = [partial(gm.say, f"rule {words}", reason="so it is") for words in RULED]
    for act in (*acts, partial(gm.send, Close(unfinished=True))):
        act()
        read = read_until_settled(updates)
        opened += [one.message.event for one in read if isinstance(one.message, LineOpened)]
        assert digest(read[-1].moment.state) == digest(spectator.get_state().state)
    assert "Rolled" in [type(one).__name__ for one in opened]


def test_an_undo_comes_with_the_state_behind_it(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN, "ilse attack bram", "roll 19")
    gm = enter(links.gm)
    updates = gm.follow()
    read_until_settled(updates)
    gm.send(Undo(commands=2))
    moment, line, settled = (one.message for one in read_until_settled(updates))
    assert isinstance(moment, Moment)
    assert isinstance(line, LineRecorded)
    assert isinstance(line.event, Rewound)
    assert settled == Settled(moment.position)


def test_the_end_of_the_record_is_a_line_like_others(server: Server, enter: OpenClient) -> None:
    """A closed fight can be followed, and says nothing more."""
    links = server.open_duel(*BEGUN, "rule end red")
    gm = enter(links.gm)
    gm.send(Close(reason="it is late"))
    read = read_until_settled(enter(links.spectator).follow(START))
    events = [one.message.event for one in read if isinstance(one.message, LineRecorded)]
    assert isinstance(events[-1], Closed)
    assert read[-1].moment.state.ended


def test_a_token_that_is_not_good_ends_the_feed(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN)
    with pytest.raises(AccessDenied):
        next(enter(links.spectator + "0").follow())


def test_the_program_in_the_documents_plays_a_fight(server: Server, tmp_path: Path) -> None:
    """With the game master's link, it plays both sides to the end."""
    page = (Path(__file__).parents[2] / "docs" / "clients.md").read_text("utf-8")
    (lines,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "bot.py").write_text(lines, "utf-8")
    links = server.open_duel("gm begin", dice="engine")
    ran = subprocess.run(
        [sys.executable, "bot.py", links.gm], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Ilse attacks Bram" in ran.stdout
    with Client(links.spectator) as spectator:
        assert spectator.get_state().state.ended


def test_a_program_that_leaves_the_feed_leaves_no_connection_open(server: Server) -> None:
    """By a break, by the end of its task, and in the middle of a wait; the client goes on working."""
    links = server.open_duel(*BEGUN)

    async def follow_and_leave() -> str:
        async with httpx.AsyncClient(limits=httpx.Limits(max_connections=1), timeout=5) as http:
            client = AsyncClient(links.ilse, http=http)
            settled = asyncio.Event()

            async def wait_for_more() -> None:
                async for update in client.follow():
                    if update.settled:
                        settled.set()

            task = asyncio.create_task(wait_for_more())
            await settled.wait()
            task.cancel()
            await asyncio.wait([task])
            async with aclosing(client.follow()) as updates:
                async for update in updates:
                    if update.settled:
                        break
            return (await client.get_fight()).waiting.headline

    assert asyncio.run(follow_and_leave()) == "Your turn: Ilse"
    with httpx.Client(limits=httpx.Limits(max_connections=1), timeout=5) as http:
        ilse = Client(links.ilse, http=http)
        for update in ilse.follow():
            if update.settled:
                break
        assert ilse.get_fight().waiting.headline == "Your turn: Ilse"
