"""The fights that are open in this process: one ``Fight`` each, and one at a time who writes to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from secrets import token_bytes
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from affray.engine.errors import Exists, StoreFailed
from affray.engine.fight import Fight
from affray.engine.forking import Fork, fork
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.events import LogError

from .seats import Seat, Standing, failed

T = TypeVar("T")

SECRET_BYTES = 32
MOST_FIGHTS = 5_000
"""How many fights one store may hold before no more are begun over the network."""

IDLE_LOOKS = 5
"""After how many looks at which nobody uses or follows a fight it is put away."""


class Missing(Exception):
    """There is no such thing, or none that its viewer may know of."""


class Taken(Exception):
    """There is a fight of that name already."""


class TooMany(Exception):
    """There are as many of something as there may be."""


class Fights:
    """Opens fights when they are asked for, and keeps them up to date with what other processes write.

    What is read in a moment is read on the event loop. What takes long is done in a thread, so that everybody else is
    served meanwhile: opening a fight, going back in its record, and for a store across a network whatever asks it.

    Attributes:
        store: What keeps them.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._open: dict[str, Seat] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._proved: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        self._remote = not isinstance(store, FileStore | SqliteStore)

    @asynccontextmanager
    async def using(self, name: str, *, mend: bool = False) -> AsyncIterator[Fight]:
        """Give a fight to one user at a time, with all that is recorded by now.

        Args:
            name: The fight's.
            mend: Whether it is given even if it would go on differently under the present rules, to be taken back.

        Raises:
            Missing: there is no fight of that name.
            Diverged: what is half resolved would go on differently under the present rules.
        """
        if name not in self._open and name not in await self.names():
            raise Missing(f"there is no fight {name}")
        seat = self._open.setdefault(name, Seat())
        await seat.take()
        try:
            fight = await self._up_to_date(name, seat)
            if fight.diverged is not None and not mend:
                raise fight.diverged
            yield fight
        except StoreFailed:
            seat.fight = None  # whether anything was written is looked up when it is opened again
            raise
        finally:
            seat.let_go()

    @asynccontextmanager
    async def reading(self, name: str, *, mend: bool = False) -> AsyncIterator[Fight]:
        """Give a fight to somebody who looks at it for long.

        Only one of these waits for it at a time, so that whoever plays waits for one of them at most.

        Args:
            name, mend: As for ``using``.
        """
        waiting = self._reading.setdefault(name, asyncio.Lock())
        async with waiting, self.using(name, mend=mend) as fight:
            yield fight

    async def proved(self, name: str, hash: str, work: Callable[[], T]) -> T:
        """Return what follows from a record alone and takes long: found out once for all who ask for the same record.

        Args:
            name: The fight's.
            hash: Of its head.
            work: Finds it out.
        """
        known = self._proved.get(name)
        if known is None or known[0] != hash or failed(known[1]):
            known = self._proved[name] = hash, asyncio.get_running_loop().run_in_executor(None, work)
        found: T = await asyncio.shield(known[1])
        return found

    async def fight(self, name: str) -> Fight:
        """Return a fight with all that is recorded by now; to be read before the next ``await``, and not written."""
        async with self.using(name) as fight:
            return fight

    async def refresh(self, name: str) -> None:
        """Look whether another process wrote to a fight."""
        await self.fight(name)

    def present(self, name: str) -> Standing | None:
        """Return how a fight stands in this process, if it is open."""
        seat = self._open.get(name)
        return seat.standing if seat else None

    async def names(self) -> list[str]:
        """Return the names of all fights that are kept."""
        return await self.aside(self.store.fights)

    async def begin(self, name: str, encounter: Mapping[str, Any], who: str, dice: str) -> None:
        """Open a new fight from an encounter's content.

        Raises:
            Taken: there is one of that name.
            TooMany: no more can be kept here.
        """
        seed = token_bytes(SECRET_BYTES) if dice == "engine" else None
        await self._begun(name, lambda: begin_fight(name, encounter, who=who, seed=seed, store=self.store))

    async def fork(self, wanted: Fork) -> None:
        """Begin a fork of a fight.

        Raises:
            Taken, TooMany: as in ``begin``.
        """
        await self._begun(wanted.name, lambda: fork(wanted, self.store, self.store, fresh=token_bytes(SECRET_BYTES)))

    async def doing(self, fight: Fight, work: Callable[..., T], *about: Any, long: bool = True) -> T:
        """Do something with a fight that is being used, and let nobody else use it before that is done.

        Args:
            fight: The fight.
            work: What to do.
            about: What it is given.
            long: Whether it may take so long that everybody else would notice.
        """
        if long or self._remote:
            return await self._open[fight.name].in_thread(work, *about)
        return work(*about)

    async def aside(self, work: Callable[..., T], *about: Any) -> T:
        """Do what asks the store: in a thread where the store is across a network, at once where it is a file."""
        return await asyncio.to_thread(work, *about) if self._remote else work(*about)

    def forget(self, followed: Collection[str] = ()) -> None:
        """Look which fights nobody uses or follows, and put those away of which that was so for a while."""
        for name, seat in list(self._open.items()):
            seat.idle = 0 if seat.users or name in followed else seat.idle + 1
            if seat.idle > IDLE_LOOKS:
                del self._open[name]
                self._proved.pop(name, None)

    async def _begun(self, name: str, begin: Callable[[], Fight]) -> None:
        names = await self.names()
        if name in names:
            raise Taken(f"there is a fight {name} already")
        if len(names) >= MOST_FIGHTS:
            raise TooMany(f"there are {len(names)} fights here, and there may be no more than {MOST_FIGHTS}")
        try:
            fight = await asyncio.to_thread(begin)
        except Exists:  # somebody was quicker
            raise Taken(f"there is a fight {name} already") from None
        if name not in self._open:
            self._open[name] = seat = Seat()
            seat.fight = fight

    async def _up_to_date(self, name: str, seat: Seat) -> Fight:
        """Return a fight with what other processes wrote meanwhile."""
        fight = seat.fight
        if fight is not None:
            new = await self.aside(self.store.since, name, fight.head)
            if not new:
                return fight
            try:
                await seat.in_thread(fight.catch_up, new)
            except LogError:
                seat.fight = None  # it is not the log that it was
            else:
                return fight
        seat.fight = await seat.in_thread(self._opened, name)
        return seat.fight

    def _opened(self, name: str) -> Fight:
        return open_fight(name, self.store, mend=True)
