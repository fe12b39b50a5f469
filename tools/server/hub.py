"""Hub of all feeds: wakes the followers of a fight when events are appended to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial

from affray.engine.errors import Altered, EngineError
from affray.engine.logger import Logger
from affray.engine.visibility import Viewer
from affray.events import LogError
from affray.tools.api.access import NotFound
from affray.tools.parse.faults import reason_in_log

from . import fight_size
from .open_fights import LimitReached
from .subscription import RECORD_ONLY, Feed, FeedOptions, FightSource, Subscription

_log = Logger(__name__)

BEAT_SECONDS = 15.0
LOOK_SECONDS = 1.0

MOST_FOLLOWERS = 5_000
"""The most streams of all fights of a server; the host's are not refused even then."""

MOST_SPECTATORS = 4_000
"""At this many streams spectators are refused, so that players still get one."""

MOST_PLAYERS = 4_500
"""At this many streams players are refused, so that game masters still get one. A fight's first one always does."""

MOST_OF_FIGHT = 3_000
"""The most streams of one fight; its first game master is let in even then."""

MOST_OF_ONE = 16
"""The most streams of one link of a player or a game master: several pages on several devices."""

MOST_OF_AN_AUDIENCE = 1_000
"""The most streams of one link of spectators, which a whole audience shares."""


MOST_FORKS = 8
"""The most followed forks of one fight that the host did not begin; each of them is in memory."""


class Hub:
    """The feeds of all fights that have followers."""

    def __init__(self, source: FightSource) -> None:
        self._source = source
        self._feeds: dict[str, Feed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False

    @asynccontextmanager
    async def run(self, *, beat: float = BEAT_SECONDS, look: float | None = LOOK_SECONDS) -> AsyncIterator[None]:
        """Send heartbeats, and look for appends of other processes; end all streams at the end.

        Args:
            beat: Seconds between two heartbeats.
            look: Seconds between two looks into the store; None if the caller calls ``schedule_update`` or ``poll``.
        """
        self._start(_repeat(beat, self.send_heartbeats))
        if look is not None:
            self._start(_repeat(look, self.poll))
        try:
            yield
        finally:
            await self.stop()

    async def stop(self) -> None:
        """End every stream, and refuse new ones."""
        self._ended = True
        for feed in self._feeds.values():
            feed.end()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def follow(
        self,
        name: str,
        viewer: Viewer,
        after: int | None = None,
        key: str = "",
        hears: FeedOptions = RECORD_ONLY,
        forks: str = "",
    ) -> Subscription:
        """Subscribe a viewer to a fight, from a position on.

        Args:
            after: The client's last position; if None, a snapshot of the present comes first.
            key: The hash of the viewer's token; empty for the host's.
            hears: Kinds of message beside the record.
            forks: The share of all forks of one fight, if the fight is one of those.

        Raises:
            Unusable: the fight has not come as far as that position.
            LimitReached: a limit of streams is reached.
            Exception: as ``Source.fight`` does.
        """
        async with self._source.lock(name) as fight:
            feed = self._feeds.get(name)
            if feed is None:
                make = partial(Feed, name, self._source, fight)
                long = fight.head > fight_size.LONG
                feed = self._feeds[name] = await self._source.run_on(fight, make) if long else make()
                feed.ended = self._ended
            await feed.prepare(fight)
            feed.update(fight)
            await feed.prepare_view(viewer, fight)
        if key:  # the host has no limit
            self._check_room(feed, viewer, key, forks)
        feed.forks = forks or feed.forks
        return feed.follow(viewer, fight, after, key, hears)

    def _check_room(self, feed: Feed, viewer: Viewer, key: str, forks: str) -> None:
        """Refuse one more stream if a limit is reached.

        Raises:
            LimitReached: it is reached.
        """
        watches = viewer.role == "spectator"
        of_one = MOST_OF_AN_AUDIENCE if watches else MOST_OF_ONE
        if sum(one.key == key for one in feed.subscriptions) >= of_one:
            raise LimitReached(f"as many streams are open with this link as may: {of_one}")
        beside = [one for one in self._feeds.values() if forks and one.forks == forks and one is not feed]
        if sum(bool(one.subscriptions) for one in beside) >= MOST_FORKS:
            raise LimitReached(f"as many forks of one fight are followed already as may: {MOST_FORKS}")
        if viewer.role == "gm" and all(one.viewer.role != "gm" for one in feed.subscriptions):
            return
        if len(feed.subscriptions) >= MOST_OF_FIGHT:
            raise LimitReached(f"as many follow this fight already as may: {MOST_OF_FIGHT}")
        most = MOST_SPECTATORS if watches else MOST_PLAYERS if viewer.role == "player" else MOST_FOLLOWERS
        if sum(len(one.subscriptions) for one in self._feeds.values()) >= most:
            raise LimitReached(f"as many follow already as may: {most}")

    def list_subscriptions(self, name: str) -> list[Subscription]:
        """List the followers of a fight."""
        feed = self._feeds.get(name)
        return list(feed.subscriptions) if feed else []

    @property
    def followed_fights(self) -> set[str]:
        """The names of the fights that have followers."""
        return {name for name, feed in self._feeds.items() if feed.subscriptions}

    def schedule_update(self, name: str) -> None:
        """Schedule a look at a fight that may have grown; quick, on the event loop."""
        feed = self._feeds.get(name)
        if feed is not None and not feed.stale:
            feed.stale = True
            self._start(self._take(feed))

    def announce_scene(self, name: str, sees_it: Callable[[Viewer], bool]) -> None:
        """Announce a change of a fight's scene to the viewers who see it."""
        feed = self._feeds.get(name)
        if feed is not None:
            feed.announce_scene(sees_it)

    def remove_fight(self, name: str) -> None:
        """End the streams of a removed fight, so that no client reads the next one of its name by them."""
        feed = self._feeds.pop(name, None)
        if feed is not None:
            feed.halt()

    def poll(self) -> None:
        """Schedule a look at every followed fight, for appends of any process."""
        for name, feed in self._feeds.items():
            if feed.subscriptions:
                self.schedule_update(name)

    def send_heartbeats(self) -> None:
        """Send a heartbeat to all followers, and drop the feeds without followers."""
        for name, feed in list(self._feeds.items()):
            if feed.subscriptions:
                feed.send_heartbeat()
            else:
                del self._feeds[name]

    async def _take(self, feed: Feed) -> None:
        feed.stale = False  # a change from here on schedules another look
        try:
            async with self._source.lock(feed.name) as fight:
                if not feed.halted:
                    await feed.prepare(fight)
                    feed.update(fight)
        except (Altered, NotFound) as error:
            _log.error("fight_stands_still", fight=feed.name, reason=str(error))
            feed.halt()
            if self._feeds.get(feed.name) is feed:  # the next follower gets a new feed, once the log is whole again
                del self._feeds[feed.name]
        except (EngineError, LogError) as error:
            _log.warning("could_not_look_at_fight", fight=feed.name, reason=reason_in_log(error))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _repeat(seconds: float, do: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(seconds)
        do()
