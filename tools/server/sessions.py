"""The session of an open fight: who uses it, and what a thread is doing with it."""

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
"""How long a fight stands still whose log was changed, before it is looked whether that is whole again."""


class Standing(NamedTuple):
    """How a fight stood when nobody wrote to it last."""

    state: State
    history: History


class Seat:
    """A fight's place at the table of this process.

    Attributes:
        lock: Held by whoever uses it.
        users: How many hold the lock, or wait for it.
        fight: The fight; nothing until it is opened, and after its record failed.
        work: What a thread does or did with it last. While it does, nobody else reads the fight.
        before: How it stood before that.
        idle: At how many looks in a row nobody used it.
        known: The last position and hash that were surely on record, also while the fight is not open.
        beginning: What tells the fight from others of its name, as soon as it was open; see ``History.beginning``.
        altered: That its log was changed, for as long as it is.
        held: How many events the fight had when they were counted last.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.fight: Fight | None = None
        self.work: asyncio.Future[Any] | None = None
        self.before: Standing | None = None
        self.idle = 0
        self.known: tuple[int, str] | None = None
        self.beginning = ""
        self.altered: Altered | None = None
        self.held = 0
        self._again = 0.0

    @property
    def works(self) -> bool:
        """Whether a thread is at work on it."""
        return self.work is not None and not self.work.done()

    @property
    def standing(self) -> Standing | None:
        """How the fight stands, if it is open, whatever a thread is making of it."""
        if self.works or self.fight is None:
            return self.before if self.works else None
        return Standing(self.fight.state, self.fight.history)

    @property
    def is_free(self) -> bool:
        """True if no request uses or awaits the fight, and its log is whole."""
        return not self.users and self.altered is None

    def put_away(self) -> None:
        """Let go of the fight, and of all that was found out about it but its last position and hash."""
        self.note_known()
        self.fight = self.work = self.before = None

    async def take(self) -> None:
        """Wait until nobody else uses the fight."""
        self.users += 1
        self.idle = 0
        try:
            await self.lock.acquire()
        except BaseException:
            self.users -= 1
            raise

    def stand_still(self, altered: Altered) -> None:
        """Let nobody use the fight for a while, because its log was changed."""
        self.altered = altered
        self._again = monotonic() + AGAIN_SECONDS

    def check_still(self) -> None:
        """Refuse at once whoever wants to use a fight that stands still; one of them looks at it now and then.

        Raises:
            Altered: it does.
        """
        if self.altered is not None:
            if monotonic() < self._again:
                raise Altered(self.altered.fight, self.altered.position)
            self._again = monotonic() + AGAIN_SECONDS

    def let_go(self) -> None:
        """Let others use it: at once, or when the thread is done whose user did not wait for it."""
        if self.works and self.work is not None:
            self.work.add_done_callback(self._abandoned)
        else:
            self._release()

    async def in_thread(self, work: Callable[..., T], *about: Any) -> T:
        """Do something with the fight in a thread, which goes on even if whoever waits for it is cancelled."""
        self.before = self.standing
        done = asyncio.get_running_loop().run_in_executor(None, work, *about)
        self.work = done
        return await asyncio.shield(done)

    def _abandoned(self, work: asyncio.Future[Any]) -> None:
        if failed(work):
            self.fight = None
        self._release()

    def _release(self) -> None:
        self.note_known()
        self.users -= 1
        self.lock.release()

    def note_known(self) -> None:
        """Note what is surely on record."""
        if self.fight is not None:
            self.known = self.fight.head, self.fight.history.head_hash
            self.beginning = self.fight.history.beginning


def failed(work: asyncio.Future[Any]) -> bool:
    """Tell whether work is done and came to nothing."""
    return work.done() and (work.cancelled() or work.exception() is not None)
