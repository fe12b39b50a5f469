"""Long work on one fight delays no other fight, and no client sees a half changed fight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import msgspec
import pytest

from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.analysis.search import choose_by_search
from affray.engine.commands import Amend, Command, Outcome
from affray.engine.errors import Exists
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.engine.visibility import Viewer
from affray.tools.api.schemas.feed import Heartbeat, Ready
from affray.tools.server import open_fights as module
from affray.tools.server.hub import Hub
from affray.tools.server.messages import Batch
from affray.tools.server.open_fights import OpenFights
from tests.serve.server import Server, Somebody, serve_duel
from tests.tools.program import ENCOUNTER

PATIENCE = 30
"""Seconds after which something that should have happened is held not to happen at all."""

FORK = "/api/fights/duel/fork"
NEW = {"id": "new", "toml": ENCOUNTER}
END = {"type": "Declared", "actor": "ilse", "kind": "end_turn", "params": {}}

STORES = pytest.mark.parametrize(
    "kind", [FileStore, lambda folder: SqliteStore(folder / "club.db")], ids=["files", "sqlite"]
)


@pytest.fixture
def store(kind: Callable[[Path], Store], tmp_path: Path) -> Store:
    """An empty store."""
    return kind(tmp_path)


@pytest.fixture
def server(store: Store) -> Iterator[Server]:
    """A server of two fights: the duel on Ilse's first turn, and a twin of it."""
    with serve_duel(store) as running:
        running.gm.does("gm begin", "roll 15", "roll 3", "ilse attack bram", "roll 15")
        opened = running.host.asks("POST", "/api/fights", {"id": "twin", "toml": ENCOUNTER, "dice": "entered"})
        assert opened.status_code == 201
        yield running


class Held:
    """Work that goes on until it is told to end."""

    def __init__(self) -> None:
        self.began = Event()
        self.ends = Event()

    def __call__(self) -> None:
        self.began.set()
        assert self.ends.wait(PATIENCE), "nobody was served while it went on"


def amendment(server: Server) -> dict[str, Any]:
    """Return an amendment that retracts Ilse's attack."""
    lines = server.gm.looks("/log").json()["lines"]
    position = max(line["position"] for line in lines if line["event"]["type"] == "Declared")
    return {"type": "Amend", "position": position, "reason": "she never struck", "instead": [END]}


def look_at_amendment(server: Server) -> Any:
    """Look at that amendment."""
    body = {"id": "look", "intent": amendment(server)}
    return server.gm.asks("POST", "/api/fights/duel/preview", body)


@STORES
def test_another_fight_is_served_while_one_is_amended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    held, submit = Held(), Fight.submit

    def slowly(fight: Fight, command: Command) -> Outcome:
        if isinstance(command.intent, Amend):
            held()
        return submit(fight, command)

    monkeypatch.setattr(Fight, "submit", slowly)
    twin = Somebody(server.client, server.host.token, "twin")
    with ThreadPoolExecutor(1) as aside:
        amending = aside.submit(server.gm.sends, amendment(server))
        assert held.began.wait(PATIENCE)
        twin.does("gm begin", "roll 15", "roll 3")
        held.ends.set()
        assert amending.result(PATIENCE).status_code == 200
    server.gm.does("bram end_turn")


@STORES
def test_so_it_is_while_a_policy_looks_ahead(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision is then carried out; a player at another table has not waited for it."""
    held = Held()

    def slowly(*about: Any, **more: Any) -> Any:
        held()
        return choose_by_search(*about, **more)

    monkeypatch.setitem(POLICIES, "searching", slowly)
    before = server.gm.looks().json()["head"]
    twin = Somebody(server.client, server.host.token, "twin")
    with ThreadPoolExecutor(1) as aside:
        deciding = aside.submit(server.gm.sends, {"type": "Auto", "side": "red", "policy": "searching"})
        assert held.began.wait(PATIENCE)
        twin.does("gm begin", "roll 15", "roll 3")
        assert server.host.asks("GET", "/api/fights").status_code == 200
        held.ends.set()
        assert deciding.result(PATIENCE).json()["head"] > before


@STORES
@pytest.mark.parametrize(
    ("patched", "asked"),
    [
        ("affray.tools.server.routes.commands.preview_of", look_at_amendment),
        ("affray.tools.api.viewer_queries.explain_position", lambda server: server.gm.looks("/explain/30")),
        ("affray.tools.server.routes.queries.audit_named", lambda server: server.gm.looks("/audit")),
        (
            "affray.tools.server.open_fights.fork_fight",
            lambda server: server.gm.asks("POST", FORK, {"id": "duel-what-if"}),
        ),
        ("affray.tools.server.open_fights.begin_fight", lambda server: server.host.asks("POST", "/api/fights", NEW)),
    ],
    ids=["preview", "explain", "audit", "fork", "begin"],
)
def test_so_it_is_while_somebody_looks_far_back(
    server: Server, monkeypatch: pytest.MonkeyPatch, patched: str, asked: Callable[[Server], Any]
) -> None:
    held = Held()
    where, _, name = patched.rpartition(".")
    real = getattr(__import__(where, fromlist=[name]), name)

    def slowly(*about: Any, **more: Any) -> Any:
        held()
        return real(*about, **more)

    monkeypatch.setattr(patched, slowly)
    with ThreadPoolExecutor(1) as aside:
        answer = aside.submit(asked, server)
        assert held.began.wait(PATIENCE)
        Somebody(server.client, server.host.token, "twin").does("gm begin")
        held.ends.set()
        assert answer.result(PATIENCE).is_success


# --- below the routes ---

GM = Viewer(role="gm", name="gm")


def with_fights(store: Store, does: Callable[[OpenFights], Coroutine[Any, Any, None]]) -> None:
    """Do something with a store that holds a duel."""
    begin_fight("duel", msgspec.toml.decode(ENCOUNTER), who="gm", seed=None, store=store)

    async def done() -> None:
        async with asyncio.timeout(PATIENCE):
            await does(OpenFights(store))

    asyncio.run(done())


async def holding(fights: OpenFights, held: Held) -> asyncio.Task[None]:
    """Begin to work on the duel in a thread, and return once the thread does."""

    async def use() -> None:
        async with fights.lock("duel") as fight:
            await fights.run_on(fight, held)

    using = asyncio.create_task(use())
    await asyncio.to_thread(held.began.wait, PATIENCE)
    return using


async def play_all_turns() -> None:
    """Let all combatants act."""
    for _ in range(20):
        await asyncio.sleep(0)


@STORES
def test_a_feed_goes_on_beating_and_nobody_reads_what_is_half_changed(store: Store) -> None:
    async def beats(fights: OpenFights) -> None:
        hub, held = Hub(fights), Held()
        messages = (await hub.follow("duel", GM)).messages()
        assert isinstance(await anext(messages), Batch)
        assert isinstance(await anext(messages), Ready)
        before = await fights.fight("duel")
        standing, using = before.state, await holding(fights, held)
        hub.send_heartbeats()
        assert isinstance(await anext(messages), Heartbeat)
        present = fights.find_snapshot("duel")
        assert present is not None
        assert present.state is standing
        reading = asyncio.create_task(fights.fight("duel"))
        await play_all_turns()
        assert not reading.done()
        held.ends.set()
        await using
        assert await reading is before
        await messages.aclose()

    with_fights(store, beats)


@STORES
def test_a_user_who_is_cancelled_lets_go_when_its_thread_is_done(store: Store) -> None:
    async def cancelled(fights: OpenFights) -> None:
        held = Held()
        using = await holding(fights, held)
        using.cancel()
        with suppress(asyncio.CancelledError):
            await using
        assert using.cancelled()
        reading = asyncio.create_task(fights.fight("duel"))
        await play_all_turns()
        assert not reading.done()
        held.ends.set()
        assert (await reading).head

    with_fights(store, cancelled)


@STORES
def test_who_plays_waits_for_one_reader_at_most(store: Store) -> None:
    async def queued(fights: OpenFights) -> None:
        held, done = Held(), list[str]()

        async def reads(who: str, work: Callable[[], None]) -> None:
            async with fights.lock_for_reading("duel") as fight:
                await fights.run_on(fight, work)
                done.append(who)

        async def plays() -> None:
            async with fights.lock("duel"):
                done.append("player")

        first = asyncio.create_task(reads("first", held))
        await asyncio.to_thread(held.began.wait, PATIENCE)
        others = [asyncio.create_task(reads("other", lambda: None)) for _ in range(5)]
        await play_all_turns()
        playing = asyncio.create_task(plays())
        await play_all_turns()
        held.ends.set()
        await asyncio.gather(first, playing, *others)
        assert done == ["first", "player", *["other"] * 5]

    with_fights(store, queued)


@STORES
def test_what_follows_from_a_record_is_found_out_once_for_all(store: Store) -> None:
    async def proved(fights: OpenFights) -> None:
        held, asked = Held(), list[int]()

        def work() -> int:
            held()
            asked.append(1)
            return len(asked)

        waiting = [asyncio.create_task(fights.compute_once("duel", "hash", work)) for _ in range(3)]
        await play_all_turns()
        held.ends.set()
        assert await asyncio.gather(*waiting) == [1, 1, 1]
        assert await fights.compute_once("duel", "another", work) == 2
        with pytest.raises(ZeroDivisionError):
            await fights.compute_once("duel", "a third", lambda: 1 // 0)
        assert await fights.compute_once("duel", "a third", work) == 3

    with_fights(store, proved)


@STORES
def test_a_fight_that_nobody_uses_or_follows_is_put_away(store: Store) -> None:
    async def forgotten(fights: OpenFights) -> None:
        held = Held()
        using = await holding(fights, held)
        for _ in range(2 * module.IDLE_LOOKS):
            fights.close_unused()
        reading = asyncio.create_task(fights.fight("duel"))
        held.ends.set()
        await using
        first = await reading
        for _ in range(2 * module.IDLE_LOOKS):
            fights.close_unused({"duel"})
        assert await fights.fight("duel") is first
        for _ in range(module.IDLE_LOOKS):
            fights.close_unused()
        assert fights.find_snapshot("duel") is not None
        fights.close_unused()
        assert fights.find_snapshot("duel") is None
        assert (await fights.fight("duel")).head == first.head

    with_fights(store, forgotten)


# --- two who begin the same fight at once ---


@STORES
@pytest.mark.parametrize("other", ["begin", "fork"])
def test_of_two_who_begin_the_same_fight_at_once_one_does(
    server: Server, store: Store, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """Both find the name free, and meet where it is taken."""
    meet = Barrier(2, timeout=PATIENCE)
    for name in ("begin_fight", "fork_fight"):
        real = getattr(module, name)

        def met(*about: Any, real: Any = real, **more: Any) -> Any:
            meet.wait()
            return real(*about, **more)

        monkeypatch.setattr(module, name, met)
    with ThreadPoolExecutor(2) as both:
        one = both.submit(server.host.asks, "POST", "/api/fights", {"id": "new", "toml": ENCOUNTER})
        path = "/api/fights" if other == "begin" else FORK
        body = {"id": "new", "toml": ENCOUNTER} if other == "begin" else {"id": "new"}
        answers = [one.result(PATIENCE) for one in (one, both.submit(server.host.asks, "POST", path, body))]
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    lost = next(answer for answer in answers if answer.status_code == 409)
    assert lost.json()["code"] == "taken"
    assert open_fight("new", store).head == next(one.json()["head"] for one in answers if one.status_code == 201)


@STORES
def test_many_who_begin_it_in_processes_of_their_own_leave_one_whole_fight(kind: Any, tmp_path: Path) -> None:
    """Its seed is the one that its log promises."""
    meet = Barrier(8, timeout=PATIENCE)

    def begin(nth: int) -> bool:
        store = kind(tmp_path)
        meet.wait()
        try:
            begin_fight("new", msgspec.toml.decode(ENCOUNTER), who="gm", seed=bytes([nth]) * 32, store=store)
        except Exists:
            return False
        return True

    with ThreadPoolExecutor(8) as all_of_them:
        assert sum(all_of_them.map(begin, range(8))) == 1
    assert open_fight("new", kind(tmp_path)).head
