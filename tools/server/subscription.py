"""Feed subscriptions: the position of each follower, and the next message for it.

A follower has a position instead of a queue, so a slow one costs no memory. A snapshot comes before the lines that it
covers, so a client that is cut off between them misses nothing. Such lines are not folded.

"""

from __future__ import annotations

from asyncio import Future, Lock, TimerHandle, get_running_loop, sleep
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import WeakSet

from affray.engine.errors import Altered, EngineError, Unusable
from affray.engine.fight import Fight
from affray.engine.logger import Logger
from affray.engine.stores import Store
from affray.engine.visibility import Viewer
from affray.events import LogError
from affray.tools.api.access import NotFound
from affray.tools.api.schemas.feed import (
    Halted,
    HeadlineChanged,
    Heartbeat,
    Lagging,
    PresenceChanged,
    Ready,
    SceneChanged,
    Settled,
)
from affray.tools.parse.faults import reason_in_log

from . import fight_size
from .line_cache import LineCache
from .messages import Batch, Message
from .view_cache import Rights, View, rights_of

T = TypeVar("T")

_log = Logger(__name__)

LAG_LINES = 1_000
"""The most lines that a follower may be behind, without the last command's, before its stream ends."""

LAG_BYTES = 1 << 20
"""The same limit in bytes."""

PRESENT_SECONDS = 1.0
"""The least seconds between two messages that players came or went."""


class FeedOptions(NamedTuple):
    """Kinds of message beside the record that a follower asked for.

    Attributes:
        present: A message when a player comes or goes.
        headline: A message when the headline changes.
        scene: A message when the scene changes as far as the follower sees it.
        settled: A message whenever all recorded lines were sent.
    """

    present: bool = False
    headline: bool = False
    scene: bool = False
    settled: bool = False


RECORD_ONLY = FeedOptions()


class FightSource(Protocol):
    """The open fights of this process."""

    @property
    def store(self) -> Store:
        """The store of the fights."""
        ...

    async def fight(self, name: str) -> Fight:
        """Return a fight, up to date with its store. It stays consistent until the next ``await``."""
        ...

    def lock(self, name: str) -> AbstractAsyncContextManager[Fight]:
        """Lock a fight for one user."""
        ...

    async def run_on(self, fight: Fight, work: Callable[..., T], *about: Any) -> T:
        """Run work on a fight that this request holds, in a thread."""
        ...

    async def call_store(self, work: Callable[..., T], *about: Any) -> T:
        """Run work that reads the store."""
        ...


class Feed:
    """Feed of one fight for all its followers.

    Attributes:
        lines: The recorded lines, in the form that is sent.
        settled: The head before the last new lines.
        followers: The followers. One that never began to read is garbage collected.
        stale: Whether a look at new lines is scheduled.
        ended: Whether the server stops.
        halted: Whether the log was changed or removed.
        forks: The share of all forks of one fight, if the fight is one of those; see ``Hub.follow``.
    """

    def __init__(self, name: str, source: FightSource, fight: Fight) -> None:
        self.name = name
        self.source = source
        self.lines = LineCache(self._read_since, fight.history)
        self.settled = fight.head
        self.subscriptions: WeakSet[Subscription] = WeakSet()
        self.stale = False
        self.ended = False
        self.halted = False
        self.forks = ""
        self.catching_up = Lock()
        self._views: dict[Rights, View] = {}
        self._presence_timer: TimerHandle | None = None

    @property
    def head(self) -> int:
        """The last position that the feed has; the end of a command."""
        return self.lines.head

    def update(self, fight: Fight) -> None:
        """Add the new lines of a fight, and wake the followers."""
        new = fight.history.recorded[self.head :]
        if new:
            self.settled = self.head
            self.lines.add(fight.history)
            for view in self._views.values():
                view.update(new, fight.state)
            for view in {follower.view for follower in self.subscriptions if follower.options.headline}:
                view.update_headline(fight)
            self._wake()

    async def prepare(self, fight: Fight) -> None:
        """Prepare a slow ``update`` in a thread, a view at a time; the caller holds the fight."""
        new = fight.history.recorded[self.head :]
        if self.lines.is_slow_add(fight.history):
            await self.source.run_on(fight, self.lines.prepare, fight.history)
        if new and fight_size.is_slow_update(len(self._views), len(new), fight.state):
            saying = {follower.view for follower in self.subscriptions if follower.options.headline}
            for view in list(self._views.values()):
                ahead = partial(view.prepare, new, fight, headline=view in saying)
                await self.source.run_on(fight, ahead)

    async def prepare_view(self, viewer: Viewer, fight: Fight) -> None:
        """Build the view of a viewer in a thread if that takes long; the caller holds the fight, up to date."""
        alike, long = rights_of(viewer), fight_size.is_slow_update(1, fight.head, fight.state)
        if long and alike not in self._views:
            made = partial(View, viewer, fight.history.recorded, fight.state)
            self._views[alike] = await self.source.run_on(fight, made)

    def follow(
        self, viewer: Viewer, fight: Fight, after: int | None, key: str = "", hears: FeedOptions = RECORD_ONLY
    ) -> Subscription:
        """Subscribe a viewer from a position on; see ``Hub.follow``."""
        if after is not None and not 0 <= after <= self.head:
            raise Unusable(f"must be a position from 0 to {self.head}, the last one there is", "after")
        alike = rights_of(viewer)
        if alike not in self._views:
            self._views[alike] = View(viewer, fight.history.recorded, fight.state)
        view = self._views[alike]
        if hears.headline:
            view.update_headline(fight)
        return Subscription(self, view, after, key, viewer, hears)

    def announce_presence(self, viewer: Viewer) -> None:
        """Announce that a game master or player came or went to the followers who asked for it and may know of them."""
        if viewer.role == "spectator":
            return
        for follower in self.subscriptions:
            if follower.options.present and follower.view.knows_of(viewer):
                follower.presence_due = True
        if self._presence_timer is None:
            self._wake_for_presence()

    def _wake_for_presence(self) -> None:
        """Wake the followers with such an announcement; those of the next second are woken together."""
        told = [follower for follower in self.subscriptions if follower.presence_due]
        for follower in told:
            follower.wake()

        def again() -> None:
            self._presence_timer = None
            if any(follower.presence_due for follower in self.subscriptions):
                self._wake_for_presence()

        self._presence_timer = get_running_loop().call_later(PRESENT_SECONDS, again) if told else None

    def announce_scene(self, sees_it: Callable[[Viewer], bool]) -> None:
        """Announce a scene change to the followers who asked for it and see it."""
        wanting = [follower for follower in self.subscriptions if follower.options.scene]
        seen = {id(follower.view): follower.view.viewer for follower in wanting}
        told = {key for key, viewer in seen.items() if sees_it(viewer)}
        for follower in wanting:
            if id(follower.view) in told:
                follower.scene_due = True
                follower.wake()

    def send_heartbeat(self) -> None:
        """Schedule a heartbeat for every follower, and drop the views without followers."""
        for follower in self.subscriptions:
            follower.heartbeat_due = True
        followed = {id(follower.view) for follower in self.subscriptions}
        self._views = {key: view for key, view in self._views.items() if id(view) in followed}
        self._wake()

    def end(self) -> None:
        """End every stream, because the server stops."""
        self.ended = True
        self._wake()

    def halt(self) -> None:
        """End every stream, because the log was changed or removed."""
        self.halted = True
        self._wake()

    async def _read_since(self, after: int) -> list[bytes]:
        return await self.source.call_store(self.source.store.since, self.name, after)

    def _wake(self) -> None:
        for follower in self.subscriptions:
            follower.wake()


class Subscription:
    """A client's subscription to the feed of a fight.

    Args:
        after: The client's position; if None, a snapshot comes first.
        key: The hash of its token; empty if that cannot be revoked.
        viewer: Its viewer, with its name; viewers with equal rights share a view.
        hears: Kinds of message beside the record.

    Attributes:
        position: The position up to which lines have been sent.
        beats: Whether a heartbeat is due.
        staged: Whether a message about a scene change is due.
        met: Whether a message about a game master or a player who came or went is due.
        ended: Whether its token was revoked.
    """

    def __init__(
        self, feed: Feed, view: View, after: int | None, key: str, viewer: Viewer, hears: FeedOptions = RECORD_ONLY
    ) -> None:
        self.feed = feed
        self.view = view
        self.key = key
        self.viewer = viewer
        self.options = hears
        self.ended = False
        self.position = feed.head if after is None else after
        self.heartbeat_due = False
        self.scene_due = False
        self.presence_due = False
        self._state = self.position
        self._wants_state = after is None
        self._waiting: Future[None] | None = None
        feed.announce_presence(viewer)
        feed.subscriptions.add(self)
        self._said = ""
        self._settled = -1

    async def messages(self) -> AsyncGenerator[Message]:
        """Yield the messages, until the client is too slow, its token is revoked, or the server stops."""
        feed, caught_up = self.feed, False
        try:
            while not (feed.ended or self.ended):
                if feed.halted:
                    yield Halted(feed.head)
                    return
                if caught_up and self._is_lagging():
                    yield Lagging(feed.head)
                    return
                if self._wants_state or self.position < feed.head:
                    self.heartbeat_due = False
                    yield await self._next_batch()
                elif not caught_up:
                    caught_up = True
                    yield Ready(feed.head)
                elif (beside := self._next_beside()) is not None:
                    yield beside
                else:
                    self._waiting = get_running_loop().create_future()
                    await self._waiting
        except (Altered, NotFound):
            yield Halted(feed.head)
        except (EngineError, LogError) as error:
            _log.warning("could_not_read_for_follower", fight=feed.name, reason=reason_in_log(error))
        finally:
            feed.subscriptions.discard(self)
            feed.announce_presence(self.viewer)

    def end(self) -> None:
        """End the stream, because its token was revoked."""
        self.ended = True
        self.wake()

    def wake(self) -> None:
        """Resume the stream if it waits for a message."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _next_beside(self) -> Message | None:
        """Return the next message beside the record, or None."""
        if self.options.headline and self._said != self.view.headline:
            self._said = self.view.headline
            return HeadlineChanged(self.feed.head, self._said)
        if self.options.settled and self._settled != self.feed.head:
            self._settled = self.feed.head
            return Settled(self._settled)
        if self.presence_due:
            self.presence_due = False
            return PresenceChanged(self.feed.head)
        if self.scene_due:
            self.scene_due = False
            return SceneChanged(self.feed.head)
        if self.heartbeat_due:
            self.heartbeat_due = False
            return Heartbeat()
        return None

    async def _next_batch(self) -> Batch:
        """Return the next batch; the followers of a fight who are behind get theirs one after the other.

        Other work runs in between. A client that takes batches as fast as they are built would otherwise block the
        event loop up to the head.
        """
        async with self.feed.catching_up:
            part = await self._build_batch()
            await sleep(0)
        return part

    async def _build_batch(self) -> Batch:
        """Build the next batch behind the position, with a snapshot if the viewer cannot fold its lines."""
        feed, view, after = self.feed, self.view, self.position
        lines = feed.lines.list_recent(after)
        if lines is None:
            fight = await feed.source.fight(feed.name)
            if feed.halted:
                raise NotFound(f"there is no fight {feed.name} any more")
            lines = await feed.lines.read_older(after, fight.history.recorded)
        snapshot = self._wants_state or view.broken > self._state
        if snapshot:
            self._wants_state, self._state = False, view.head
        opened = await feed.lines.list_opened(after, lines[-1].one.position) if lines else ()
        batch = view.batch(after, lines, opened, snapshot=snapshot)
        self.position = batch.to
        self._state = max(self._state, batch.to)
        return batch

    def _is_lagging(self) -> bool:
        """Tell whether the client took too little of the lines before the last new ones."""
        settled, after = self.feed.settled, self.position
        if after >= settled:
            return False
        if settled - after > LAG_LINES:
            return True
        missed = self.feed.lines.list_recent(after, settled) or ()
        return sum(len(line.encode_for(self.view.viewer)) for line in missed) > LAG_BYTES
