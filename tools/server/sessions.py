"""Session of an open fight: its lock, its users, and the work of a thread on it."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from affray.engine.core.state import State
from affray.engine.errors import Altered
from affray.engine.fight import Fight
from affray.engine.history.timeline import History

T = TypeVar("T")


AGAIN_SECONDS = 5.0
"""Seconds for which a fight with a changed log refuses requests, before its log is checked again."""


class FightSnapshot(NamedTuple):
    """Consistent state and history of a fight, read while no writer was at work."""

    state: State
    history: History


class FightSession:
    """Session of one open fight in this process.

    Attributes:
        lock: Held by the user of the fight.
        users: The number of requests that hold the lock or wait for it.
        fight: The fight; None until it is opened, and after its record failed.
        work: The present or last work of a thread on it. While it runs, no other request reads the fight.
        before: The consistent state before that work.
        idle: The number of looks in a row at which it had no user.
        known: The last position and hash that are surely recorded, also while the fight is closed.
        beginning: The id that tells the fight from others of its name; see ``History.beginning``.
        altered: The error of its changed log, while the log is changed.
        held: The number of events when they were counted last.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.fight: Fight | None = None
        self.work: asyncio.Future[Any] | None = None
        self.before: FightSnapshot | None = None
        self.idle = 0
        self.known: tuple[int, str] | None = None
        self.beginning = ""
        self.altered: Altered | None = None
        self.held = 0
        self._again = 0.0

    @property
    def is_working(self) -> bool:
        """True while a thread works on the fight."""
        return self.work is not None and not self.work.done()

    @property
    def snapshot(self) -> FightSnapshot | None:
        """The last consistent state of an open fight, even while a thread works on it."""
        if self.is_working or self.fight is None:
            return self.before if self.is_working else None
        return FightSnapshot(self.fight.state, self.fight.history)

    @property
    def is_free(self) -> bool:
        """True if no request uses or awaits the fight, and its log is whole."""
        return not self.users and self.altered is None

    def close(self) -> None:
        """Close the fight, and drop everything but its last position and hash."""
        self.note_known()
        self.fight = self.work = self.before = None

    async def acquire(self) -> None:
        """Wait for the lock of the fight."""
        self.users += 1
        self.idle = 0
        try:
            await self.lock.acquire()
        except BaseException:
            self.users -= 1
            raise

    def suspend(self, altered: Altered) -> None:
        """Refuse requests for a while, because the log was changed."""
        self.altered = altered
        self._again = monotonic() + AGAIN_SECONDS

    def check_suspended(self) -> None:
        """Refuse a request for a fight with a changed log; let one through at intervals to check the log.

        Raises:
            Altered: the log was changed.
        """
        if self.altered is not None:
            if monotonic() < self._again:
                raise Altered(self.altered.fight, self.altered.position)
            self._again = monotonic() + AGAIN_SECONDS

    def release(self) -> None:
        """Release the lock: at once, or when the thread's work is done if its user did not wait for it."""
        if self.is_working and self.work is not None:
            self.work.add_done_callback(self._release_after)
        else:
            self._release()

    async def run_in_thread(self, work: Callable[..., T], *about: Any) -> T:
        """Run work on the fight in a thread; it goes on even if the waiting request is cancelled."""
        self.before = self.snapshot
        done = asyncio.get_running_loop().run_in_executor(None, work, *about)
        self.work = done
        return await asyncio.shield(done)

    def _release_after(self, work: asyncio.Future[Any]) -> None:
        if has_failed(work):
            self.fight = None
        self._release()

    def _release(self) -> None:
        self.note_known()
        self.users -= 1
        self.lock.release()

    def note_known(self) -> None:
        """Store the last recorded position and hash."""
        if self.fight is not None:
            self.known = self.fight.head, self.fight.history.head_hash
            self.beginning = self.fight.history.beginning


def has_failed(work: asyncio.Future[Any]) -> bool:
    """Tell whether work has ended without a result."""
    return work.done() and (work.cancelled() or work.exception() is not None)
