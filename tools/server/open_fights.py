"""The fights that are open in this process; each has one writer at a time."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from functools import partial
from secrets import token_bytes
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from affray.engine.errors import Altered, Exists, NoFight, StoreFailed, Unusable
from affray.engine.fight import Fight
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.events import LogError
from affray.tools.api.dice_choice import choose_dice

from .fight_size import is_large
from .integrity_check import check_known
from .sessions import Seat, Standing, failed

T = TypeVar("T")

SECRET_BYTES = 32
MOST_FIGHTS = 5_000
"""How many fights one store may hold before no more are begun over the network."""

MOST_FORKED = 4_000
"""At how many of them none is forked, so that the host can begin new ones."""

IN_A_STORE = (OSError, sqlite3.Error)
"""What a store may raise that has no word of its own for what went wrong."""

IDLE_LOOKS = 5
"""After how many looks at which nobody uses or follows a fight it is put away."""


MOST_HELD = 200_000
"""How many events the open fights together may have before those that nobody uses or follows are put away.

An event takes about a kilobyte of memory. The idlest goes first, the one that was used last never.
"""

MANY = 5_000
"""Fights of so many events are put away before shorter ones, which are soon open again."""


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
        seen: Is told of a fight whenever it is used, with all that is recorded by then.
        replaced: Is told the name of a fight that was removed, once another one is open under it.
        followed: Tells which fights are followed.
        held: How many events the open fights have together.
        is_remote: Whether the store is across a network, so that whatever asks it waits.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.seen: Callable[[Fight], None] = lambda _: None
        self.replaced: Callable[[str], None] = lambda _: None
        self.followed: Callable[[], Collection[str]] = frozenset
        self.held = 0
        self._open: dict[str, Seat] = {}  # the idlest first
        self._beginnings: dict[str, str] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._proved: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        self.is_remote = not isinstance(store, FileStore | SqliteStore)

    @asynccontextmanager
    async def using(self, name: str, *, mend: bool = False) -> AsyncIterator[Fight]:
        """Give a fight to one user at a time, with all that is recorded by now.

        Args:
            mend: Whether it is given even if it would go on differently under the present rules, to be taken back.

        Raises:
            Missing: there is no fight of that name, or not any more.
            Altered: its log was changed under the server; it stands still until that is whole again.
            Diverged: what is half resolved would go on differently under the present rules.
        """
        if name not in self._open and name not in await self.names():
            raise Missing(f"there is no fight {name}")
        seat = self._open[name] = self._open.pop(name) if name in self._open else Seat()
        seat.check_still()
        await seat.take()
        try:
            fight = await self._up_to_date(name, seat)
            if fight.diverged is not None and not mend:
                raise fight.diverged
            self.seen(fight)
            yield fight
        except NoFight:
            raise Missing(f"there is no fight {name} any more") from None
        except Altered as altered:
            seat.stand_still(altered)
            raise
        except StoreFailed:
            seat.fight = None  # whether anything was written is looked up when it is opened again
            raise
        except IN_A_STORE as error:
            seat.fight = None
            raise StoreFailed(str(error)) from error
        finally:
            seat.let_go()
            self._count(seat)
            self._make_room(seat)

    @asynccontextmanager
    async def reading(self, name: str, *, mend: bool = False) -> AsyncIterator[Fight]:
        """Give a fight to somebody who looks at it for long.

        Only one of these waits for it at a time, so that whoever plays waits for one of them at most.
        """
        waiting = self._reading.setdefault(name, asyncio.Lock())
        async with waiting, self.using(name, mend=mend) as fight:
            yield fight

    async def proved(self, name: str, hash: str, work: Callable[[], T]) -> T:
        """Return what follows from a record alone and takes long: found out once for all who ask for the same record.

        Args:
            hash: Of its head.
        """
        known = self._proved.get(name)
        if known is None or known[0] != hash or failed(known[1]):
            known = self._proved[name] = hash, asyncio.get_running_loop().run_in_executor(None, work)
        found: T = await asyncio.shield(known[1])
        return found

    async def beginning(self, name: str) -> str:
        """Return what tells a fight from earlier and later ones of its name; see ``History.beginning``.

        Raises:
            Exception: it must be opened for that, and cannot; see ``using``.
        """
        seat = self._open.get(name)
        if seat is not None and seat.beginning:
            return seat.beginning
        async with self.using(name, mend=True) as fight:
            return fight.history.beginning

    async def fight(self, name: str) -> Fight:
        """Return a fight with all that is recorded by now; to be read before the next ``await``, and not written."""
        async with self.using(name) as fight:
            return fight

    def present(self, name: str) -> Standing | None:
        """Return how a fight stands in this process, if it is open."""
        seat = self._open.get(name)
        return seat.standing if seat else None

    async def names(self) -> list[str]:
        """Return the names of all fights that are kept."""
        return await self.aside(self.store.fights)

    async def look_over(self, followed: Collection[str] = ()) -> list[str]:
        """Compare the logs of fights that were used since the last look with what is known of them, line by line.

        Returns:
            Those that were changed.
        """
        changed = []
        for name, seat in list(self._open.items()):
            fight = seat.fight
            if fight is None or seat.altered is not None or (seat.idle and name not in followed):
                continue
            try:
                await asyncio.to_thread(check_known, self.store, name, fight.history.recorded)
            except Altered as altered:
                seat.stand_still(altered)
                changed.append(name)
            except (NoFight, StoreFailed, *IN_A_STORE):
                continue  # whoever uses it next is told
        return changed

    async def begin(self, name: str, encounter: Mapping[str, Any], who: str, dice: str) -> None:
        """Open a new fight from an encounter's content.

        Raises:
            Taken: there is one of that name.
            TooMany: no more can be kept here.
        """
        chosen = choose_dice(dice)
        begin = partial(begin_fight, who=who, seed=chosen.seed, entered=chosen.entered, store=self.store)
        await self._begun(name, lambda: begin(name, encounter), MOST_FIGHTS)

    async def fork(self, wanted: ForkRequest, *, by_host: bool = True) -> None:
        """Begin a fork of a fight; of one fight one at a time, since its whole record is read.

        Args:
            by_host: Whether the host does; fewer may be forked by others.

        Raises:
            Taken, TooMany: as in ``begin``.
        """
        begin = partial(fork_fight, wanted, self.store, self.store, fresh=token_bytes(SECRET_BYTES))
        async with self._reading.setdefault(wanted.parent, asyncio.Lock()):
            await self._begun(wanted.name, begin, MOST_FIGHTS if by_host else MOST_FORKED)

    async def doing(self, fight: Fight, work: Callable[..., T], *about: Any, long: bool = True) -> T:
        """Do something with a fight that is being used, and let nobody else use it before that is done.

        Args:
            long: Whether it may take so long that everybody else would notice.
        """
        if long or self.is_remote or is_large(fight):
            return await self._open[fight.name].in_thread(work, *about)
        return work(*about)

    async def aside(self, work: Callable[..., T], *about: Any) -> T:
        """Do what asks the store: in a thread where the store is across a network, at once where it is a file."""
        try:
            return await asyncio.to_thread(work, *about) if self.is_remote else work(*about)
        except IN_A_STORE as error:
            raise StoreFailed(str(error)) from error

    def forget(self, followed: Collection[str] = ()) -> None:
        """Look which fights nobody uses or follows, and put those away of which that was so for a while."""
        for name, seat in list(self._open.items()):
            seat.idle = 0 if seat.users or name in followed else seat.idle + 1
            if seat.idle > IDLE_LOOKS and seat.altered is None:
                self._put_away(name, seat)
                del self._open[name]

    def _count(self, seat: Seat) -> None:
        """Note how many events a fight holds by now."""
        held = 0 if seat.fight is None else seat.fight.head
        self.held += held - seat.held
        seat.held = held

    def _make_room(self, last: Seat) -> None:
        """Put unused fights away, except the last one, until the open ones keep the limit."""
        if self.held <= MOST_HELD:
            return
        followed = self.followed()
        others = ((name, seat) for name, seat in self._open.items() if seat.held and seat is not last)
        idle = [(name, seat) for name, seat in others if seat.is_free and name not in followed]
        for name, seat in sorted(idle, key=lambda one: one[1].held < MANY):
            if self.held <= MOST_HELD:
                return
            self._put_away(name, seat)

    def _put_away(self, name: str, seat: Seat) -> None:
        """Let go of a fight that is open; what must be in its record stays known."""
        seat.put_away()
        self._count(seat)
        self._proved.pop(name, None)

    async def _begun(self, name: str, begin: Callable[[], Fight], most: int) -> None:
        names = await self.names()
        if name in names:
            raise Taken(f"there is a fight {name} already")
        if len(names) >= most:
            raise TooMany(f"there are {len(names)} fights here, and there may be no more than {most}")
        before = self._open.get(name)  # of one that was removed
        try:
            fight = await asyncio.to_thread(begin)
        except Exists:  # somebody was quicker
            raise Taken(f"there is a fight {name} already") from None
        if self._open.get(name) is before:
            self._open[name] = seat = Seat()
            seat.fight = fight
            seat.note_known()
            self._meet(name, fight)
            self._count(seat)
            self._make_room(seat)

    def _meet(self, name: str, fight: Fight) -> None:
        """Notice a fight that was opened; tell if it is not the one that was open under its name before."""
        before, self._beginnings[name] = self._beginnings.get(name), fight.history.beginning
        if before not in (None, fight.history.beginning):
            self._proved.pop(name, None)
            self.replaced(name)

    async def _up_to_date(self, name: str, seat: Seat) -> Fight:
        """Return a fight with what other processes wrote meanwhile.

        Raises:
            NoFight: it was removed.
            Altered: its log does not go on from what was known of it.
        """
        fight = seat.fight
        if fight is None:
            fight = seat.fight = await seat.in_thread(self._opened, name, seat.known)
            self._meet(name, fight)
        elif seat.altered is not None:
            await seat.in_thread(check_known, self.store, name, fight.history.recorded)
        new = await self.aside(self.store.since, name, fight.head, fight.history.head_hash)
        if new:
            try:
                await seat.in_thread(fight.catch_up, new)
            except LogError:
                raise Altered(name, fight.head) from None
        seat.altered = None
        return fight

    def _opened(self, name: str, known: tuple[int, str] | None) -> Fight:
        """Open a fight, of which a position with its hash may be known that must be in it."""
        try:
            fight = open_fight(name, self.store, mend=True)
        except NoFight:
            raise
        except Unusable as error:  # nobody who asks for the fight can help it
            raise StoreFailed(f"{name}: {error}") from error
        if known is not None and (fight.head < known[0] or fight.history.at(known[0]).hash != known[1]):
            raise Altered(name, known[0])
        return fight
