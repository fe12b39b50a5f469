"""No link holds the server: others are served in between, however much it sends; counted in turns, not in seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
import uvicorn
from litestar import Litestar
from uvicorn.server import ServerState

from affray.tools.api.schemas.feed import Ready
from affray.tools.server import rate_limits, slow_clients, subscription
from affray.tools.server.grants import hash_token
from affray.tools.server.messages import Batch
from affray.tools.server.rate_limits import Allowance, Disconnected, RateLimitExceeded, RateLimits
from affray.tools.server.server_state import ALLOWED
from affray.tools.server.slow_clients import LimitedWebSocketProtocol
from affray.tools.server.subscription import FeedOptions
from tests.crowding.hostile import PING, frame
from tests.serve.followed import GM, NAME, SPECTATOR, Process
from tests.serve.server import Server, serve_duel
from tests.serve.test_header_limits import UPGRADE, Clock, Wire

MANY = 300
"""So many hostile messages are queued before anybody else asks for something."""

SOON = 30
"""So many of them may be handled before another link is answered."""

ONE = Allowance(at_once=1, queued=2, a_second=10, burst=1_000)

PASSED = {"type": "Passed", "window": "none", "who": "ilse"}
NOTE = {"type": "Ruled", "kind": "note", "params": {"text": "x"}, "reason": "so"}


class Talking:
    """A WebSocket with all messages ready at once, as from a client that does not wait.

    Attributes:
        handled: How many messages of it were taken so far.
        answers: What was sent to it.
    """

    def __init__(self, app: Litestar, token: str, *messages: bytes) -> None:
        self.app = app
        self.queue = [{"type": "websocket.connect"}, *map(_text, (msgspec.json.encode({"token": token}), *messages))]
        self.left = asyncio.Event()
        self.handled = -2
        self.answers: list[Any] = []

    async def run(self) -> None:
        """Talk until there is nothing left to say, and then until one is told to leave."""
        scope = _scope("websocket", "/api/fights/duel/feed")
        await self.app(cast("Any", scope), self._receive, self._send)

    def begin(self) -> asyncio.Task[None]:
        """Run beside others."""
        self.task = asyncio.create_task(self.run())
        return self.task

    async def until(self, so: Callable[[], bool]) -> None:
        """Run all tasks until a condition holds."""
        while not so():
            assert not self.task.done(), (self.task.exception(), self.answers[:3])
            await asyncio.sleep(0)

    async def _receive(self) -> Any:
        self.handled += 1
        if self.queue:
            return self.queue.pop(0)
        await self.left.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.answers.append(msgspec.json.decode(message["text"]))


def _text(content: bytes) -> dict[str, str]:
    return {"type": "websocket.receive", "text": content.decode()}


def _scope(kind: str, path: str, token: str = "", method: str = "GET") -> dict[str, Any]:
    headers = [(b"authorization", b"Bearer %b" % token.encode()), (b"content-type", b"application/json")]
    about: dict[str, Any] = {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "state": {},
    }
    about["headers"] = headers if token else []
    about |= {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2)}
    about |= {"http_version": "1.1", "scheme": "http", "extensions": {}}
    if kind == "http":
        return about | {"method": method}
    return about | {"subprotocols": list[str]()}


async def look_with_other_link(app: Litestar, token: str) -> int:
    """Look at the fight with another link, and return the status of the answer."""
    statuses: list[int] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(cast("Any", _scope("http", "/api/fights/duel", token)), receive, cast("Any", send))
    return statuses[0]


def within(server: Server, work: Callable[[], Awaitable[None]]) -> None:
    """Do something in the event loop of a server."""
    server.client.blocking_portal.call(work)


def order(intent: object, nth: int) -> bytes:
    """Return a command as it is sent."""
    return msgspec.json.encode({"type": "command", "id": f"hostile-{nth}", "intent": intent})


@pytest.mark.parametrize(
    ("who", "message"),
    [
        ("ilse", lambda nth: order(PASSED, nth)),
        ("ilse", lambda nth: order({"type": "Said", "words": "nobody " * 150, "reason": ""}, nth)),
        ("ilse", lambda nth: order(NOTE, nth)),
        ("gm", lambda nth: order(NOTE, nth)),
        ("ilse", lambda _: b'{"type":"command","id":"x","intent":{"type":"Nothing"}}'),
        ("spectator", lambda nth: order(PASSED, nth)),
        ("spectator", lambda _: b"{}"),
        ("spectator", lambda _: b"no JSON"),
        ("spectator", lambda _: b"[" * 3_000),
    ],
    ids=["refused", "words", "not theirs", "valid", "unknown", "spectator", "{}", "no JSON", "nested"],
)
def test_another_link_is_served_among_queued_messages(
    tmp_path: Path, who: str, message: Callable[[int], bytes]
) -> None:
    """For any messages; each is answered in the end."""
    with serve_duel(tmp_path) as server:
        hostile = getattr(server, who).token
        server.bram.looks()

        async def scene() -> None:
            talking = Talking(server.app, hostile, *map(message, range(MANY)))
            task = talking.begin()
            await talking.until(lambda: talking.handled >= 10)
            before = talking.handled
            assert await look_with_other_link(server.app, server.bram.token) == 200
            assert talking.handled - before <= SOON
            await talking.until(lambda: not talking.queue)
            talking.left.set()
            await task
            told = [one["type"] for one in talking.answers]
            assert told.count("problem") + told.count("outcome") == MANY

        within(server, scene)


def test_what_a_client_queued_ends_with_it(tmp_path: Path) -> None:
    """Once it has gone, nothing more of it is carried out."""
    with serve_duel(tmp_path) as server:
        head = server.gm.looks().json()["head"]

        async def scene() -> None:
            talking = Talking(server.app, server.gm.token, *(order(NOTE, nth) for nth in range(MANY)))

            async def gone(message: Any) -> None:
                if message["type"] == "websocket.send" and b"outcome" in message["text"].encode()[:20]:
                    raise OSError

            talking._send = gone  # type: ignore[method-assign]
            await talking.run()
            assert len(talking.queue) >= MANY - 3

        within(server, scene)
        assert server.gm.looks().json()["head"] <= head + 3


def test_a_link_that_is_ahead_of_its_rate_is_slowed_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, and all of its messages are carried out."""
    monkeypatch.setitem(ALLOWED, "gm", Allowance(at_once=1, queued=2, a_second=1_000_000, burst=1))
    monkeypatch.setattr(rate_limits, "monotonic", lambda: 100.0)
    with serve_duel(tmp_path) as server:

        async def scene() -> None:
            talking = Talking(server.app, server.gm.token, *(order(NOTE, nth) for nth in range(20)))
            task = talking.begin()
            await talking.until(lambda: [one["type"] for one in talking.answers].count("outcome") == 20)
            talking.left.set()
            await task
            assert [one for one in talking.answers if one["type"] == "slowed"] == [
                {"type": "slowed", "rate": 1_000_000}
            ]

        within(server, scene)


def test_a_request_too_many_is_told_when_to_come_again(server: Server) -> None:
    """429 with Retry-After; the link's own queue was full, and another link's is not."""
    held: list[asyncio.Task[Any]] = []

    async def full() -> None:
        allowance = ALLOWED["player"]
        waiting = [
            server.app.state.server.rate_limits.acquire(hash_token(server.ilse.token), allowance) for _ in range(104)
        ]
        held.extend(asyncio.create_task(one) for one in waiting)
        await asyncio.sleep(0)

    async def left() -> None:
        for one in held:
            one.cancel()

    within(server, full)
    answer = server.ilse.looks()
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (429, "too_many", "1")
    assert server.bram.looks().status_code == 200
    assert server.host.looks().status_code == 200
    within(server, left)


# --- below the routes ---


def test_turns_of_a_link_are_few_at_once_and_its_queue_is_bounded() -> None:
    """A cancelled request frees its place; another link has separate turns."""

    async def scene() -> None:
        lanes = RateLimits()
        first = await lanes.acquire("eve", ONE)
        second, third = (asyncio.create_task(lanes.acquire("eve", ONE)) for _ in range(2))
        await asyncio.sleep(0)
        with pytest.raises(RateLimitExceeded, match="2 requests of this link are queued"):
            await lanes.acquire("eve", ONE)
        (await lanes.acquire("adam", ONE)).end()
        third.cancel()
        await asyncio.sleep(0)
        fourth = asyncio.create_task(lanes.acquire("eve", ONE))
        await asyncio.sleep(0)
        assert not second.done()
        first.end()
        first.end()  # the second time it does nothing
        (await second).end()
        (await fourth).end()

    asyncio.run(scene())


def test_a_request_whose_client_has_hung_up_gives_its_turn_back() -> None:
    async def scene() -> None:
        lanes = RateLimits()
        with pytest.raises(Disconnected):
            await lanes.acquire("eve", ONE, lambda: True)
        (await lanes.acquire("eve", ONE)).end()

    asyncio.run(scene())


def test_a_rate_makes_a_link_wait_and_is_forgotten_when_it_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A burst goes at once; then each waits for its time."""
    now = [100.0]
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))

    monkeypatch.setattr(rate_limits, "monotonic", lambda: now[0])
    monkeypatch.setattr("affray.tools.server.rate_limits.asyncio.sleep", sleep)

    async def scene() -> None:
        lanes, allowance = RateLimits(), Allowance(at_once=1, queued=1, a_second=10, burst=3)
        for _ in range(5):
            (await lanes.acquire("eve", allowance)).end()
        assert slept == [0, 0, 0, 0.1, 0.2]
        assert round(lanes.seconds_ahead("eve"), 3) == 0.2
        lanes.drop_idle()
        assert lanes.seconds_ahead("eve") > 0
        now[0] += 0.5
        lanes.drop_idle()
        assert lanes._lanes == {}

    asyncio.run(scene())


class Paused(Wire):
    """A connection that notes what it is told about reading."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def pause_reading(self) -> None:
        """Stop reading."""
        self.told.append("pause")

    def resume_reading(self) -> None:
        """Read on."""
        self.told.append("resume")


def test_a_socket_that_sends_too_many_frames_is_not_read_for_a_while() -> None:
    """Pings count, too; and so little is read at once that few of them are handled in one iteration."""
    clock, wire = Clock(), Paused()
    protocol = LimitedWebSocketProtocol(
        uvicorn.Config(_nothing, lifespan="off", interface="asgi3"), ServerState(), {}, cast("Any", clock)
    )
    protocol.connection_made(wire)
    protocol.data_received(UPGRADE)
    ping = frame(b"", PING)
    assert len(protocol.get_buffer(-1)) // len(ping) <= 42
    wire.told.clear()
    for _ in range(slow_clients.FRAMES_AT_ONCE - 1):  # the upgrade counts as one
        protocol.data_received(ping)
    assert wire.told == []
    protocol.data_received(ping * 50)
    assert wire.told == ["pause"]
    [(seconds, rested)] = clock.due
    assert 0 < seconds <= 51 / slow_clients.FRAMES_A_SECOND
    rested()
    assert wire.told == ["pause", "resume"]
    protocol.connection_lost(None)


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """Answer nothing."""


def test_a_reader_of_a_long_log_lets_others_go_on_after_each_part(tmp_path: Path) -> None:
    """However fast it takes them."""

    async def scene() -> None:
        process = Process(tmp_path)
        await process.brawl(150)
        messages = (await process.hub.follow(NAME, SPECTATOR, 0)).messages()
        others = count()
        ticking = asyncio.create_task(_ticks(others))
        parts = 0
        async for message in messages:
            if isinstance(message, Ready):
                break
            assert isinstance(message, Batch)
            parts += 1
        ticking.cancel()
        assert parts > 5
        assert next(others) >= parts
        await messages.aclose()

    asyncio.run(scene())


async def _ticks(counter: Iterator[int]) -> None:
    while True:
        next(counter)
        await asyncio.sleep(0)


def test_who_comes_and_goes_all_the_time_is_told_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one at once and the rest together, so that one link cannot flood all followers."""
    due: list[Callable[[], None]] = []

    def later(_: float, work: Callable[[], None]) -> object:
        due.append(work)
        return work

    monkeypatch.setattr(subscription, "get_running_loop", lambda: SimpleNamespace(call_later=later))

    async def scene() -> None:
        watching = await Process(tmp_path).hub.follow(NAME, GM, hears=FeedOptions(present=True))
        woken: list[int] = []
        monkeypatch.setattr(watching, "wake", lambda: woken.append(1))
        watching.feed.announce_presence(GM)
        watching.presence_due = False  # as when it has read so
        for _ in range(49):
            watching.feed.announce_presence(GM)
        assert len(woken) == 1
        due.pop()()
        assert len(woken) == 2
        watching.presence_due = False
        due.pop()()
        assert (len(woken), due) == (2, [])

    asyncio.run(scene())
