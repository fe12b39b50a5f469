"""The fights that are open in this process: one ``Fight`` each, and one at a time who writes to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from secrets import token_bytes
from typing import Any, TypeVar

from affray.engine.commands import Command, Outcome
from affray.engine.errors import StoreFailed
from affray.engine.fight import Fight
from affray.engine.forking import Fork, fork
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore, SqliteStore, Store

T = TypeVar("T")

SECRET_BYTES = 32
TRIES = 5
"""How often a command that expects no particular head is tried again when another process was quicker."""


class Missing(Exception):
    """There is no such thing, or none that its viewer may know of."""


class Taken(Exception):
    """There is a fight of that name already."""


class _Open:
    """A fight's place at the table of this process."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.fight: Fight | None = None


class Fights:
    """Opens fights when they are asked for, and keeps them up to date with what other processes write.

    Attributes:
        store: What keeps them.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._open: dict[str, _Open] = {}
        self._remote = not isinstance(store, FileStore | SqliteStore)

    @asynccontextmanager
    async def using(self, name: str) -> AsyncIterator[Fight]:
        """Give a fight to one user at a time, with all that is recorded by now.

        Raises:
            Missing: there is no fight of that name.
        """
        if name not in self._open and name not in await self.names():
            raise Missing(f"there is no fight {name}")
        held = self._open.setdefault(name, _Open())
        async with held.lock:
            held.fight = await self.aside(self._caught_up, name, held.fight)
            try:
                yield held.fight
            except StoreFailed:
                held.fight = None  # whether anything was written is looked up when it is opened again
                raise

    async def fight(self, name: str) -> Fight:
        """Return a fight with all that is recorded by now; to be read before the next ``await``, and not written."""
        async with self.using(name) as fight:
            return fight

    async def refresh(self, name: str) -> None:
        """Look whether another process wrote to a fight."""
        await self.fight(name)

    def present(self, name: str) -> Fight | None:
        """Return a fight as it stands in this process, if it is open."""
        held = self._open.get(name)
        return held.fight if held else None

    async def names(self) -> list[str]:
        """Return the names of all fights that are kept."""
        return await self.aside(self.store.fights)

    async def begin(self, name: str, encounter: Mapping[str, Any], who: str, dice: str) -> None:
        """Open a new fight from an encounter's content.

        Raises:
            Taken: there is one of that name.
        """
        await self._must_be_free(name)
        seed = token_bytes(SECRET_BYTES) if dice == "engine" else None
        await self.aside(lambda: begin_fight(name, encounter, who=who, seed=seed, store=self.store))

    async def fork(self, wanted: Fork) -> None:
        """Begin a fork of a fight.

        Raises:
            Taken: there is one of that name.
        """
        await self._must_be_free(wanted.name)
        await self.aside(lambda: fork(wanted, self.store, self.store, fresh=token_bytes(SECRET_BYTES)))

    async def submit(self, fight: Fight, command: Command) -> Outcome:
        """Carry out a command in a fight that is being used."""
        return await self.aside(fight.submit, command)

    async def aside(self, work: Callable[..., T], *about: Any) -> T:
        """Do what asks the store: in a thread where the store is across a network, at once where it is a file."""
        return await asyncio.to_thread(work, *about) if self._remote else work(*about)

    def reader(self) -> Store:
        """Return the store for a thread of its own; a connection to a file belongs to the thread that made it."""
        return SqliteStore(self.store.path) if isinstance(self.store, SqliteStore) else self.store

    async def _must_be_free(self, name: str) -> None:
        if name in await self.names():
            raise Taken(f"there is a fight {name} already")

    def _caught_up(self, name: str, fight: Fight | None) -> Fight:
        if fight is None or self.store.since(name, fight.head):
            return open_fight(name, self.store)
        return fight
