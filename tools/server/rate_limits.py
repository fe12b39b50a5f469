"""Rate limits of links: each has few requests at work at once, a rate, and a bounded queue.

A link that asks for more is slowed, then refused. Other links do not wait for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import NamedTuple

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from .open_fights import LimitReached


class Allowance(NamedTuple):
    """The limits of one link.

    Attributes:
        at_once: The most requests and messages at work at once.
        queued: The most that may wait beside those.
        a_second: The rate in the long run, a second.
        burst: The most that may begin at once after a pause.
    """

    at_once: int
    queued: int
    a_second: float
    burst: int


PLAYING = Allowance(at_once=4, queued=100, a_second=200, burst=1_000)
"""For a link of a player or a game master: a user with several pages, or a fast program."""

WATCHING = Allowance(at_once=4, queued=2_000, a_second=1_000, burst=5_000)
"""For a link of spectators, which a whole audience shares."""

HOSTING = Allowance(at_once=16, queued=2_000, a_second=100_000, burst=100_000)
"""For the host, whose programs may do much."""

ANONYMOUS = Allowance(at_once=2, queued=2_000, a_second=2_000, burst=10_000)
"""For an address that sends no token or an unknown one. A proxy's address may stand for all clients."""

SETTINGS = Allowance(at_once=1, queued=3, a_second=0.5, burst=300)
"""For a player's commands that a fight allows at any moment and without end; the record keeps each for ever."""

LARGE_RULINGS = Allowance(at_once=1, queued=10, a_second=1, burst=100)
"""For a game master's rulings of more than 4 KiB, which the record and the memory of the server keep."""

STORIES = Allowance(at_once=1, queued=20, a_second=10, burst=20)
"""For an address that sends log files to be told, of many megabytes each."""

ALL_STORIES = Allowance(at_once=4, queued=100, a_second=100, burst=200)
"""For all such addresses together: so many log files are in memory at once."""


PICTURES = Allowance(at_once=2, queued=20, a_second=10, burst=40)
"""For the pictures that are sent to one fight, of 8 MiB each, over all its links."""

ALL_PICTURES = Allowance(at_once=16, queued=200, a_second=100, burst=400)
"""For all pictures that are being sent: so many are in memory at once."""


class RateLimitExceeded(LimitReached):
    """The queue of a link is full.

    Attributes:
        seconds: The time after which the client may try again.
    """

    def __init__(self, allowance: Allowance, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        super().__init__(
            f"{allowance.queued} requests of this link are queued already, and it may begin "
            f"{allowance.a_second:,g} a second; come again in {self.seconds} s"
        )


class Disconnected(LimitReached):
    """The client disconnected while its request was queued."""


def _never() -> bool:
    return False


class _Lane:
    """Rate limit and queue of one link."""

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.slots = asyncio.Semaphore(allowance.at_once)
        self.users = 0
        self._booked = 0.0

    @property
    def seconds_ahead(self) -> float:
        """Seconds that the link is ahead of its rate, beyond its burst."""
        return max(0.0, self._booked - monotonic() - self.allowance.burst / self.allowance.a_second)

    def book(self) -> float:
        """Count one more request; return the seconds that it must wait."""
        self._booked = max(self._booked, monotonic()) + 1 / self.allowance.a_second
        return self.seconds_ahead

    @property
    def is_idle(self) -> bool:
        """Tell whether the link has no requests and no debt of its rate."""
        return not self.users and self._booked <= monotonic()


class Permit:
    """A request or message at work; its end lets the next one of its link begin.

    Args:
        within: Another permit that it holds, which ends with it.
    """

    def __init__(self, lane: _Lane, within: Permit | None = None) -> None:
        self._lane: _Lane | None = lane
        self._within = within

    def end(self) -> None:
        """Release the slot; the second call does nothing."""
        if self._lane is not None:
            self._lane.slots.release()
            self._lane.users -= 1
            self._lane = None
        if self._within is not None:
            self._within.end()


class Turns:
    """Lets the requests of one fight begin one by one, in an iteration of the event loop each.

    However many links a fight has, the requests of other fights come in between.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def wait(self, fight: str) -> None:
        """Wait until a request of a fight may begin."""
        loop = asyncio.get_running_loop()
        queue = self._waiting.get(fight)
        if queue is None:
            self._waiting[fight] = deque()
            loop.call_soon(self._begin_next, loop, fight)
            return
        turn = loop.create_future()
        queue.append(turn)
        await turn

    def _begin_next(self, loop: asyncio.AbstractEventLoop, fight: str) -> None:
        queue = self._waiting[fight]
        while queue:
            turn = queue.popleft()
            if not turn.done():  # the client has not hung up
                turn.set_result(None)
                loop.call_soon(self._begin_next, loop, fight)
                return
        del self._waiting[fight]


class RateLimits:
    """The rate limits of all links of a server."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}
        self._turns = Turns()

    def seconds_ahead(self, key: str) -> float:
        """Return the seconds that a link is ahead of its rate."""
        lane = self._lanes.get(key)
        return lane.seconds_ahead if lane is not None else 0.0

    async def acquire(
        self,
        key: str,
        allowance: Allowance,
        gone: Callable[[], bool] = _never,
        within: Permit | None = None,
        fight: str = "",
    ) -> Permit:
        """Wait until a request of a link may begin; other links' requests run in between.

        Args:
            gone: Tells whether the client has disconnected.
            within: A permit that is held already, and ends with the new one.
            fight: The fight that the link is for; its links begin by turns.

        Raises:
            RateLimitExceeded: the queue is full.
            Disconnected: the client disconnected meanwhile.
        """
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = _Lane(allowance)
        if lane.users >= allowance.at_once + allowance.queued:
            raise RateLimitExceeded(allowance, lane.users / allowance.a_second)
        lane.users += 1
        try:
            await lane.slots.acquire()
        except BaseException:
            lane.users -= 1
            raise
        turn = Permit(lane, within)
        try:
            await asyncio.sleep(lane.book())  # a sleep of 0 lets other requests run
            if fight:
                await self._turns.wait(fight)
            if gone():
                raise Disconnected("the client has hung up")
        except BaseException:
            turn.end()
            raise
        return turn

    async def acquire_story(self, address: str, gone: Callable[[], bool] = _never) -> Permit:
        """Wait until the log file of an address may be read: one for each address, and a few for all.

        Raises:
            RateLimitExceeded, Disconnected: see ``acquire``.
        """
        own = await self.acquire(f"told@{address}", STORIES, gone)
        try:
            return await self.acquire("told", ALL_STORIES, gone, within=own)
        except BaseException:
            own.end()
            raise

    @asynccontextmanager
    async def permit(self, key: str, allowance: Allowance, fight: str = "") -> AsyncIterator[None]:
        """Run a block within the rate limit of a link; see ``acquire``.

        Raises:
            RateLimitExceeded: the queue is full.
        """
        turn = await self.acquire(key, allowance, fight=fight)
        try:
            yield
        finally:
            turn.end()

    def drop_idle(self) -> None:
        """Remove the idle links."""
        for key, lane in list(self._lanes.items()):
            if lane.is_idle:
                del self._lanes[key]


PERMIT = "turn"
"""The key of the request's permit in its scope's state."""

IS_DISCONNECTED = "gone"
"""The key of the test for a disconnected client in the scope's state."""


def release_permits(app: ASGIApp) -> ASGIApp:
    """End the permit of each request when its answer begins: a slow reader does not use the server."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_and_release(message: Message) -> None:
            if message["type"] == "http.response.start":
                _end(scope)
            await send(message)

        try:
            await app(scope, receive, send_and_release)
        finally:
            _end(scope)

    return answer


def _end(scope: Scope) -> None:
    turn = scope.get("state", {}).pop(PERMIT, None)
    if turn is not None:
        turn.end()
