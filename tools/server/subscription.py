"""Followers of a fight: where each stands, and what is sent to it next.

A follower holds no queue but a position, so that whoever is slow costs no memory. A snapshot comes before the lines
it covers, so that nobody who is cut off between the two misses it: lines up to the position of the state one has are
not folded.
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

from . import fight_size
from .line_cache import Lines
from .messages import Batch, Beat, Came, Halted, Headline, Lagging, Message, Ready, Staged
from .open_fights import Missing
from .view_cache import Rights, View, rights

T = TypeVar("T")

_log = Logger(__name__)

LAG_LINES = 1_000
"""How many lines a follower may be behind, those that came last not counted, before it is cut off."""

LAG_BYTES = 1 << 20
"""The same in bytes."""

PRESENT_SECONDS = 1.0
"""How often at most followers are told that players came or went."""


class Hears(NamedTuple):
    """What somebody wants to be told beside the record.

    Attributes:
        present: When somebody who plays comes or goes.
        headline: Whose turn it is, whenever that is another one.
        scene: When what they may see of the pictures is other than it was.
    """

    present: bool = False
    headline: bool = False
    scene: bool = False


NOTHING_ELSE = Hears()


class Source(Protocol):
    """The fights that are open in this process."""

    @property
    def store(self) -> Store:
        """What keeps them."""
        ...

    async def fight(self, name: str) -> Fight:
        """Return the fight of this name as its store has it by now, not half changed until the next ``await``."""
        ...

    def using(self, name: str) -> AbstractAsyncContextManager[Fight]:
        """Give the fight of this name to one user at a time."""
        ...

    async def doing(self, fight: Fight, work: Callable[..., T], *about: Any) -> T:
        """Do something in a thread with a fight that is being used."""
        ...

    async def aside(self, work: Callable[..., T], *about: Any) -> T:
        """Do what asks the store."""
        ...


class Feed:
    """One fight for all its followers.

    Attributes:
        lines: What is recorded, as it is sent.
        settled: The head before what came last.
        followers: Who follows. One that never began to read is forgotten by itself.
        stale: Whether somebody will look soon at what is new.
        ended: Whether the server stops.
        halted: Whether the log was changed or removed.
        forks: The share of all forks of one fight, if it is one of those; see ``Hub.follow``.
    """

    def __init__(self, name: str, source: Source, fight: Fight) -> None:
        self.name = name
        self.source = source
        self.lines = Lines(self._written, fight.history)
        self.settled = fight.head
        self.followers: WeakSet[Follower] = WeakSet()
        self.stale = False
        self.ended = False
        self.halted = False
        self.forks = ""
        self.catching_up = Lock()
        self._views: dict[Rights, View] = {}
        self._telling_comings: TimerHandle | None = None

    @property
    def head(self) -> int:
        """The position up to which everything is taken in; the end of a command."""
        return self.lines.head

    def take(self, fight: Fight) -> None:
        """Take in what is new, and wake everybody who waits for it."""
        new = fight.history.recorded[self.head :]
        if new:
            self.settled = self.head
            self.lines.add(fight.history)
            for view in self._views.values():
                view.take(new, fight.state)
            for view in {follower.view for follower in self.followers if follower.hears.headline}:
                view.say(fight)
            self._wake()

    async def prepare(self, fight: Fight) -> None:
        """Work out in a thread what ``take`` would take long for, a view at a time; the fight is being used."""
        new = fight.history.recorded[self.head :]
        if self.lines.takes_long(fight.history):
            await self.source.doing(fight, self.lines.prepare, fight.history)
        if new and fight_size.are_many(len(self._views), len(new), fight.state):
            saying = {follower.view for follower in self.followers if follower.hears.headline}
            for view in list(self._views.values()):
                ahead = partial(view.prepare, new, fight, headline=view in saying)
                await self.source.doing(fight, ahead)

    async def prepare_view(self, viewer: Viewer, fight: Fight) -> None:
        """Make the view of a viewer in a thread if that takes long; the fight is being used, and taken in."""
        alike, long = rights(viewer), fight_size.are_many(1, fight.head, fight.state)
        if long and alike not in self._views:
            made = partial(View, viewer, fight.history.recorded, fight.state)
            self._views[alike] = await self.source.doing(fight, made)

    def follow(
        self, viewer: Viewer, fight: Fight, after: int | None, key: str = "", hears: Hears = NOTHING_ELSE
    ) -> Follower:
        """Return what a viewer gets to see from a position on; see ``Hub.follow``."""
        if after is not None and not 0 <= after <= self.head:
            raise Unusable(f"must be a position from 0 to {self.head}, the last one there is", "after")
        alike = rights(viewer)
        if alike not in self._views:
            self._views[alike] = View(viewer, fight.history.recorded, fight.state)
        view = self._views[alike]
        if hears.headline:
            view.say(fight)
        return Follower(self, view, after, key, viewer, hears)

    def came(self, viewer: Viewer) -> None:
        """Tell the followers who asked for it that a game master or a player came or went, if they may know of them."""
        if viewer.role == "spectator":
            return
        for follower in self.followers:
            if follower.hears.present and follower.view.knows_of(viewer):
                follower.met = True
        if self._telling_comings is None:
            self._tell_comings()

    def _tell_comings(self) -> None:
        """Wake the followers who are to hear who is there; those of the next second are woken together."""
        told = [follower for follower in self.followers if follower.met]
        for follower in told:
            follower.wake()

        def again() -> None:
            self._telling_comings = None
            if any(follower.met for follower in self.followers):
                self._tell_comings()

        self._telling_comings = get_running_loop().call_later(PRESENT_SECONDS, again) if told else None

    def stage(self, sees_it: Callable[[Viewer], bool]) -> None:
        """Hear that the scene is another one; those are told who want to know, and see that."""
        wanting = [follower for follower in self.followers if follower.hears.scene]
        seen = {id(follower.view): follower.view.viewer for follower in wanting}
        told = {key for key, viewer in seen.items() if sees_it(viewer)}
        for follower in wanting:
            if id(follower.view) in told:
                follower.staged = True
                follower.wake()

    def beat(self) -> None:
        """Let every follower give a sign of life; forget how those saw the fight who have left."""
        for follower in self.followers:
            follower.beats = True
        followed = {id(follower.view) for follower in self.followers}
        self._views = {key: view for key, view in self._views.items() if id(view) in followed}
        self._wake()

    def end(self) -> None:
        """End every stream."""
        self.ended = True
        self._wake()

    def halt(self) -> None:
        """Tell everybody that the log was changed, and end every stream."""
        self.halted = True
        self._wake()

    async def _written(self, after: int) -> list[bytes]:
        return await self.source.aside(self.source.store.since, self.name, after)

    def _wake(self) -> None:
        for follower in self.followers:
            follower.wake()


class Follower:
    """Somebody who follows a fight.

    Args:
        after: The position behind which to begin; a snapshot comes first if it is not given.
        key: The hash of their token; none if it cannot be taken back.
        viewer: Who they are, by name; those who see the same share a view.
        hears: What they want to be told beside the record.

    Attributes:
        position: Up to which lines have been sent.
        beats: Whether a sign of life is due.
        staged: Whether they are to be told that the scene is another one.
        met: Whether they are to be told that a game master or a player came or went.
        ended: Whether they may follow no more.
    """

    def __init__(
        self, feed: Feed, view: View, after: int | None, key: str, viewer: Viewer, hears: Hears = NOTHING_ELSE
    ) -> None:
        self.feed = feed
        self.view = view
        self.key = key
        self.viewer = viewer
        self.hears = hears
        self.ended = False
        self.position = feed.head if after is None else after
        self.beats = False
        self.staged = False
        self.met = False
        self._state = self.position
        self._wants_state = after is None
        self._waits: Future[None] | None = None
        feed.came(viewer)
        feed.followers.add(self)
        self._said = ""

    async def messages(self) -> AsyncGenerator[Message]:
        """Yield what is to be sent, until the reader is too slow, may read no more, or the server stops."""
        feed, caught_up = self.feed, False
        try:
            while not (feed.ended or self.ended):
                if feed.halted:
                    yield Halted(feed.head)
                    return
                if caught_up and self._lags():
                    yield Lagging(feed.head)
                    return
                if self._wants_state or self.position < feed.head:
                    self.beats = False
                    yield await self._in_turn()
                elif not caught_up:
                    caught_up = True
                    yield Ready(feed.head)
                elif (beside := self._beside()) is not None:
                    yield beside
                else:
                    self._waits = get_running_loop().create_future()
                    await self._waits
        except (Altered, Missing):
            yield Halted(feed.head)
        except (EngineError, LogError) as error:
            _log.warning("could_not_read_for_follower", fight=feed.name, reason=str(error))
        finally:
            feed.followers.discard(self)
            feed.came(self.viewer)

    def end(self) -> None:
        """End the stream of one whose token was taken back."""
        self.ended = True
        self.wake()

    def wake(self) -> None:
        """Go on, if this waits for something to send."""
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    def _beside(self) -> Message | None:
        """Return what is to be told beside the record, if anything is."""
        if self.hears.headline and self._said != self.view.headline:
            self._said = self.view.headline
            return Headline(self.feed.head, self._said)
        if self.met:
            self.met = False
            return Came(self.feed.head)
        if self.staged:
            self.staged = False
            return Staged(self.feed.head)
        if self.beats:
            self.beats = False
            return Beat()
        return None

    async def _in_turn(self) -> Batch:
        """Return the next part; of all who are behind in this fight, one at a time is given one, then all else goes on.

        A client that takes parts as fast as they are made would otherwise hold the event loop up to the head.
        """
        async with self.feed.catching_up:
            part = await self._part()
            await sleep(0)
        return part

    async def _part(self) -> Batch:
        """Return about one part of the lines behind the position; behind a state, if the viewer cannot fold them."""
        feed, view, after = self.feed, self.view, self.position
        lines = feed.lines.behind(after)
        if lines is None:
            fight = await feed.source.fight(feed.name)
            if feed.halted:
                raise Missing(f"there is no fight {feed.name} any more")
            lines = await feed.lines.older(after, fight.history.recorded)
        snapshot = self._wants_state or view.broken > self._state
        if snapshot:
            self._wants_state, self._state = False, view.head
        opened = await feed.lines.opened(after, lines[-1].one.position) if lines else ()
        batch = view.batch(after, lines, opened, snapshot=snapshot)
        self.position = batch.to
        self._state = max(self._state, batch.to)
        return batch

    def _lags(self) -> bool:
        """Tell whether the reader took too little of what lay behind its position before the last lines came."""
        settled, after = self.feed.settled, self.position
        if after >= settled:
            return False
        if settled - after > LAG_LINES:
            return True
        missed = self.feed.lines.behind(after, settled) or ()
        return sum(len(line.to(self.view.viewer)) for line in missed) > LAG_BYTES
