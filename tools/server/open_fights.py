"""Open fights of this process; each has one writer at a time."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from affray.engine.errors import Altered, Exists, NoFight, StoreFailed, Unusable
from affray.engine.fight import Fight
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.runtime.dice import draw_seed
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.events import LogError
from affray.tools.api.access import NotFound
from affray.tools.api.dice_choice import choose_dice

from .fight_size import is_large
from .integrity_check import check_known
from .sessions import FightSession, FightSnapshot, has_failed

T = TypeVar("T")

MOST_FIGHTS = 5_000
"""The most fights of a store, above which none is begun over the network."""

MOST_FORKED = 4_000
"""At this many fights none is forked, so that the host can begin new ones."""

STORE_ERRORS = (OSError, sqlite3.Error)
"""Errors of a store that it does not wrap itself."""

IDLE_LOOKS = 5
"""The number of looks without a user or follower after which a fight is closed."""


MOST_HELD = 200_000
"""The most events of all open fights together; above it, fights without users and followers are closed.

An event takes about a kilobyte of memory. The longest unused fight is closed first, the last used one never.
"""

MANY = 5_000
"""Fights with at least so many events are closed before shorter ones, which reopen soon."""


class NameTaken(Exception):
    """A fight of that name exists already."""


class LimitReached(Exception):
    """A limit is reached."""


class OpenFights:
    """Opens fights on demand, and keeps them up to date with the appends of other processes.

    Quick reads run on the event loop. Slow work runs in a thread, so that other requests go on: opening a fight, going
    back in its record, and every use of a store across a network.

    Attributes:
        store: The store of the fights.
        seen: Called with a fight whenever it is used, once it is up to date.
        replaced: Called with the name of a removed fight, once another one is open under it.
        followed: Returns the names of the fights that are followed.
        held: The events of all open fights together.
        is_remote: Whether the store is across a network.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.seen: Callable[[Fight], None] = lambda _: None
        self.replaced: Callable[[str], None] = lambda _: None
        self.followed: Callable[[], Collection[str]] = frozenset
        self.held = 0
        self._open: dict[str, FightSession] = {}  # the longest unused first
        self._beginnings: dict[str, str] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._proved: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        self.is_remote = not isinstance(store, FileStore | SqliteStore)

    @asynccontextmanager
    async def lock(self, name: str, *, mend: bool = False) -> AsyncIterator[Fight]:
        """Lock a fight for one user, and bring it up to date with its record.

        Args:
            mend: Whether to allow a fight that would go on differently under the present rules, to be taken back.

        Raises:
            NotFound: there is no fight of that name, or no longer.
            Altered: its log was changed under the server; it accepts no requests until the log is whole again.
            Diverged: its half resolved command would go on differently under the present rules.
        """
        if name not in self._open and name not in await self.list_names():
            raise NotFound(f"there is no fight {name}")
        seat = self._open[name] = self._open.pop(name) if name in self._open else FightSession()
        seat.check_suspended()
        await seat.acquire()
        try:
            fight = await self._bring_up_to_date(name, seat)
            if fight.diverged is not None and not mend:
                raise fight.diverged
            self.seen(fight)
            yield fight
        except NoFight:
            raise NotFound(f"there is no fight {name} any more") from None
        except Altered as altered:
            seat.suspend(altered)
            raise
        except StoreFailed:
            seat.fight = None  # when it is opened again, its log tells what was written
            raise
        except STORE_ERRORS as error:
            seat.fight = None
            raise StoreFailed(str(error)) from error
        finally:
            seat.release()
            self._count(seat)
            self._make_room(seat)

    @asynccontextmanager
    async def lock_for_reading(self, name: str, *, mend: bool = False) -> AsyncIterator[Fight]:
        """Lock a fight for a slow reader.

        Only one slow reader of a fight is in its queue at a time, so that a player waits for one of them at most.
        """
        waiting = self._reading.setdefault(name, asyncio.Lock())
        async with waiting, self.lock(name, mend=mend) as fight:
            yield fight

    async def compute_once(self, name: str, hash: str, work: Callable[[], T]) -> T:
        """Compute a value of a record, which takes long, once for all requests about the same record.

        Args:
            hash: The hash of the record's head.
        """
        known = self._proved.get(name)
        if known is None or known[0] != hash or has_failed(known[1]):
            known = self._proved[name] = hash, asyncio.get_running_loop().run_in_executor(None, work)
        found: T = await asyncio.shield(known[1])
        return found

    async def beginning(self, name: str) -> str:
        """Return the id that tells a fight from earlier and later ones of its name; see ``History.beginning``.

        Raises:
            Exception: the fight must be opened for it, and cannot be; see ``lock``.
        """
        seat = self._open.get(name)
        if seat is not None and seat.beginning:
            return seat.beginning
        async with self.lock(name, mend=True) as fight:
            return fight.history.beginning

    async def fight(self, name: str) -> Fight:
        """Return a fight, up to date with its record. Read it before the next ``await``, and do not change it."""
        async with self.lock(name) as fight:
            return fight

    def find_snapshot(self, name: str) -> FightSnapshot | None:
        """Return the last consistent state of a fight, if it is open in this process."""
        seat = self._open.get(name)
        return seat.snapshot if seat else None

    async def list_names(self) -> list[str]:
        """List the names of all stored fights."""
        return await self.call_store(self.store.fights)

    async def check_logs(self, followed: Collection[str] = ()) -> list[str]:
        """Compare the logs of the fights used since the last look with their events in memory.

        Returns:
            The names of the altered ones.
        """
        changed = []
        for name, seat in list(self._open.items()):
            fight = seat.fight
            if fight is None or seat.altered is not None or (seat.idle and name not in followed):
                continue
            try:
                await asyncio.to_thread(check_known, self.store, name, fight.history.recorded)
            except Altered as altered:
                seat.suspend(altered)
                changed.append(name)
            except (NoFight, StoreFailed, *STORE_ERRORS):
                continue  # the next user gets the error
        return changed

    async def begin(self, name: str, encounter: Mapping[str, Any], who: str, dice: str) -> None:
        """Create a fight from an encounter's content.

        Raises:
            NameTaken: a fight of that name exists.
            LimitReached: the store has the most fights that it may.
        """
        chosen = choose_dice(dice)
        begin = partial(begin_fight, who=who, seed=chosen.seed, entered=chosen.entered, store=self.store)
        await self._create(name, lambda: begin(name, encounter), MOST_FIGHTS)

    async def fork(self, wanted: ForkRequest, *, by_host: bool = True) -> None:
        """Create a fork of a fight. One fight is forked once at a time, since its whole record is read.

        Args:
            by_host: Whether the host does it; others may create fewer.

        Raises:
            NameTaken, LimitReached: as in ``begin``.
        """
        begin = partial(fork_fight, wanted, self.store, self.store, fresh=draw_seed())
        async with self._reading.setdefault(wanted.parent, asyncio.Lock()):
            await self._create(wanted.name, begin, MOST_FIGHTS if by_host else MOST_FORKED)

    async def run_on(self, fight: Fight, work: Callable[..., T], *about: Any, long: bool = True) -> T:
        """Run work on a fight that this request holds; no other request uses the fight meanwhile.

        Args:
            long: Whether it may take so long that other requests would notice.
        """
        if long or self.is_remote or is_large(fight):
            return await self._open[fight.name].run_in_thread(work, *about)
        return work(*about)

    async def call_store(self, work: Callable[..., T], *about: Any) -> T:
        """Run work that reads the store: in a thread if the store is across a network, else at once."""
        try:
            return await asyncio.to_thread(work, *about) if self.is_remote else work(*about)
        except STORE_ERRORS as error:
            raise StoreFailed(str(error)) from error

    def close_unused(self, followed: Collection[str] = ()) -> None:
        """Count the looks without a user or follower of each fight, and close fights with too many."""
        for name, seat in list(self._open.items()):
            seat.idle = 0 if seat.users or name in followed else seat.idle + 1
            if seat.idle > IDLE_LOOKS and seat.altered is None:
                self._close(name, seat)
                del self._open[name]

    def _count(self, seat: FightSession) -> None:
        """Update the number of events in memory."""
        held = 0 if seat.fight is None else seat.fight.head
        self.held += held - seat.held
        seat.held = held

    def _make_room(self, last: FightSession) -> None:
        """Close unused fights, except the last used one, until the limit is kept."""
        if self.held <= MOST_HELD:
            return
        followed = self.followed()
        others = ((name, seat) for name, seat in self._open.items() if seat.held and seat is not last)
        idle = [(name, seat) for name, seat in others if seat.is_free and name not in followed]
        for name, seat in sorted(idle, key=lambda one: one[1].held < MANY):
            if self.held <= MOST_HELD:
                return
            self._close(name, seat)

    def _close(self, name: str, seat: FightSession) -> None:
        """Close a fight; its last known position and hash are kept."""
        seat.close()
        self._count(seat)
        self._proved.pop(name, None)

    async def _create(self, name: str, begin: Callable[[], Fight], most: int) -> None:
        names = await self.list_names()
        if name in names:
            raise NameTaken(f"there is a fight {name} already")
        if len(names) >= most:
            raise LimitReached(f"there are {len(names)} fights here, and there may be no more than {most}")
        before = self._open.get(name)  # may belong to a removed fight
        try:
            fight = await asyncio.to_thread(begin)
        except Exists:  # another process was faster
            raise NameTaken(f"there is a fight {name} already") from None
        if self._open.get(name) is before:
            self._open[name] = seat = FightSession()
            seat.fight = fight
            seat.note_known()
            self._note_beginning(name, fight)
            self._count(seat)
            self._make_room(seat)

    def _note_beginning(self, name: str, fight: Fight) -> None:
        """Note the beginning of an opened fight; report it if it replaces a removed one of its name."""
        before, self._beginnings[name] = self._beginnings.get(name), fight.history.beginning
        if before not in (None, fight.history.beginning):
            self._proved.pop(name, None)
            self.replaced(name)

    async def _bring_up_to_date(self, name: str, seat: FightSession) -> Fight:
        """Return a fight, up to date with the appends of other processes.

        Raises:
            NoFight: it was removed.
            Altered: its log does not continue the known record.
        """
        fight = seat.fight
        if fight is None:
            fight = seat.fight = await seat.run_in_thread(self._open_checked, name, seat.known)
            self._note_beginning(name, fight)
        elif seat.altered is not None:
            await seat.run_in_thread(check_known, self.store, name, fight.history.recorded)
        new = await self.call_store(self.store.since, name, fight.head, fight.history.head_hash)
        if new:
            try:
                await seat.run_in_thread(fight.catch_up, new)
            except LogError:
                raise Altered(name, fight.head) from None
        seat.altered = None
        return fight

    def _open_checked(self, name: str, known: tuple[int, str] | None) -> Fight:
        """Open a fight, and check that it contains the known position and hash, if given."""
        try:
            fight = open_fight(name, self.store, mend=True)
        except NoFight:
            raise
        except Unusable as error:  # the client that asks for the fight cannot mend it
            raise StoreFailed(f"{name}: {error}") from error
        if known is not None and (fight.head < known[0] or fight.history.at(known[0]).hash != known[1]):
            raise Altered(name, known[0])
        return fight
