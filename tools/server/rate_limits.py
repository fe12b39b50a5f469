"""Fair scheduling of links: each has few requests at work at once, a rate, and a bounded queue.

A link that asks for more is slowed, then refused; other links do not wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import NamedTuple

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from .open_fights import TooMany


class Allowance(NamedTuple):
    """The limits of one link.

    Attributes:
        at_once: How many requests and messages are at work at once.
        queued: How many more may wait for that.
        a_second: At what rate they begin in the long run.
        burst: How many may begin at once after a rest.
    """

    at_once: int
    queued: int
    a_second: float
    burst: int


PLAYING = Allowance(at_once=4, queued=100, a_second=200, burst=1_000)
"""For a link of a player or a game master: a person with several pages, or a fast program."""

WATCHING = Allowance(at_once=4, queued=2_000, a_second=1_000, burst=5_000)
"""For a link of spectators, which a whole audience shares."""

HOSTING = Allowance(at_once=16, queued=2_000, a_second=100_000, burst=100_000)
"""For the host, whose programs may do much."""

ANONYMOUS = Allowance(at_once=2, queued=2_000, a_second=2_000, burst=10_000)
"""For an address that sends no token, or none that is known; behind a proxy that may be everybody's."""

TELLING = Allowance(at_once=1, queued=20, a_second=10, burst=20)
"""For an address that has logs of its own told, of many megabytes each."""

TELLING_TO_ALL = Allowance(at_once=4, queued=100, a_second=100, burst=200)
"""For all addresses together that have logs told: so many are read, or wait to be told, in memory."""


class TooFast(TooMany):
    """A link has as many requests in its queue as may be there.

    Attributes:
        seconds: After how many it may come again.
    """

    def __init__(self, allowance: Allowance, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        super().__init__(
            f"{allowance.queued} requests of this link are queued already, and it may begin "
            f"{allowance.a_second:,.0f} a second; come again in {self.seconds} s"
        )


class Gone(TooMany):
    """The client hung up while its request was queued."""


def _never() -> bool:
    return False


class _Lane:
    """One link's requests: how many are queued, who may work, and when the next may begin."""

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.slots = asyncio.Semaphore(allowance.at_once)
        self.users = 0
        self._booked = 0.0

    @property
    def ahead(self) -> float:
        """By how many seconds the link is ahead of its rate, its burst allowed for."""
        return max(0.0, self._booked - monotonic() - self.allowance.burst / self.allowance.a_second)

    def book(self) -> float:
        """Count one more beginning; return how many seconds it must wait."""
        self._booked = max(self._booked, monotonic()) + 1 / self.allowance.a_second
        return self.ahead

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing is known of the link that must be kept."""
        return not self.users and self._booked <= monotonic()


class Turn:
    """A request or message at work. Ending it lets the next one of its link begin.

    Args:
        within: A turn that it rests on, which ends with it.
    """

    def __init__(self, lane: _Lane, within: Turn | None = None) -> None:
        self._lane: _Lane | None = lane
        self._within = within

    def end(self) -> None:
        """Let the next one begin; does nothing the second time."""
        if self._lane is not None:
            self._lane.slots.release()
            self._lane.users -= 1
            self._lane = None
        if self._within is not None:
            self._within.end()


class Turns:
    """The lanes of all links of a server."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    def ahead(self, key: str) -> float:
        """Return by how many seconds a link is ahead of its rate."""
        lane = self._lanes.get(key)
        return lane.ahead if lane is not None else 0.0

    async def begin(
        self, key: str, allowance: Allowance, gone: Callable[[], bool] = _never, within: Turn | None = None
    ) -> Turn:
        """Wait for a turn of a link; other links get theirs in between.

        Args:
            gone: Tells whether the client has hung up.
            within: A turn that is held already, and ends with this one.

        Raises:
            TooFast: too many wait already.
            Gone: the client did not wait.
        """
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = _Lane(allowance)
        if lane.users >= allowance.at_once + allowance.queued:
            raise TooFast(allowance, lane.users / allowance.a_second)
        lane.users += 1
        try:
            await lane.slots.acquire()
        except BaseException:
            lane.users -= 1
            raise
        turn = Turn(lane, within)
        try:
            await asyncio.sleep(lane.book())  # 0 lets everybody else go on once
            if gone():
                raise Gone("the client has hung up")
        except BaseException:
            turn.end()
            raise
        return turn

    async def begin_telling(self, address: str, gone: Callable[[], bool] = _never) -> Turn:
        """Wait until the log file of an address may be read: one at a time, and a few of all addresses.

        Raises:
            TooFast, Gone: see ``begin``.
        """
        own = await self.begin(f"told@{address}", TELLING, gone)
        try:
            return await self.begin("told", TELLING_TO_ALL, gone, within=own)
        except BaseException:
            own.end()
            raise

    @asynccontextmanager
    async def turn(self, key: str, allowance: Allowance) -> AsyncIterator[None]:
        """Do something in a turn of a link.

        Raises:
            TooFast: too many wait already.
        """
        turn = await self.begin(key, allowance)
        try:
            yield
        finally:
            turn.end()

    def forget(self) -> None:
        """Forget the links that hold no turns."""
        for key, lane in list(self._lanes.items()):
            if lane.is_idle:
                del self._lanes[key]


TURN = "turn"
"""Where in the state of a request's scope its turn is."""

GONE = "gone"
"""Where there is what tells whether its client has hung up."""


def ending_turns(app: ASGIApp) -> ASGIApp:
    """End the turn of each request when its answer begins: the pace of its reader is not the server's work."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                _end(scope)
            await send(message)

        try:
            await app(scope, receive, sent)
        finally:
            _end(scope)

    return answer


def _end(scope: Scope) -> None:
    turn = scope.get("state", {}).pop(TURN, None)
    if turn is not None:
        turn.end()
