"""One driver of random fights: it sends commands, and checks look at the fight behind each.

A tool says which commands come, and which checks are made. What every fight owes is looked at here: what it offers is
accepted, and what it refuses is not recorded.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from affray.engine import Command, Fight
from affray.engine.errors import EngineError, OutOfDate, Refused, Reused, Unusable
from affray.events import Previewed, Recorded

NO = (Refused, Unusable, OutOfDate, Reused)
"""What a command may meet; anything else is a bug."""


class Broken(Exception):
    """A property does not hold."""


def must(holds: bool, fault: str) -> None:
    """Say what does not hold."""
    if not holds:
        raise Broken(fault)


class Came(NamedTuple):
    """The result of a command.

    Attributes:
        kind: What kind of thing it is, as the tool counts it.
        command: The command.
        recorded: What was recorded of it; nothing if it was sent before.
        no: How it was refused.
    """

    kind: str
    command: Command
    recorded: tuple[Recorded, ...] = ()
    no: EngineError | None = None


Check = Callable[[Fight, Came], None]
"""Looks at a fight behind a command."""


class Driver:
    """Sends commands to a fight.

    Attributes:
        fight: As it is open now.
        checks: What is looked at behind each command, in order.
    """

    def __init__(self, fight: Fight, *checks: Check) -> None:
        self.fight = fight
        self.checks = checks

    def send(self, command: Command, kind: str = "", *, offered: bool = False) -> Came:
        """Send a command, and make the checks.

        Args:
            command: The command.
            kind: What kind of thing it is.
            offered: Whether the fight offered it, or nothing stands against it.
        """
        head = self.fight.head
        try:
            outcome = self.fight.submit(command)
            came = Came(kind, command, () if outcome.repeated else tuple(outcome.recorded))
        except NO as no:
            must(not offered or isinstance(no, Reused | OutOfDate), f"offered, and refused: {no}: {command.intent}")
            last = self.fight.history.recorded[-1]  # a refused amendment may be a look at unseen dice
            looked = isinstance(last.event, Previewed) and last.position == head + 1
            must(self.fight.head - looked == head, f"refused, and recorded: {command.intent}")
            came = Came(kind, command, no=no)
        for check in self.checks:
            check(self.fight, came)
        return came


class TookTooLong(Exception):
    """It took too long."""


@contextmanager
def in_time(seconds: int) -> Iterator[None]:
    """Stop work that takes too much processor time of this process, at any load of the machine."""

    def stop(*_: object) -> None:
        raise TookTooLong(f"took more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def locate_failure(failed: Exception) -> str:
    """Return where an exception was raised: the last line of the program's own, if there is one."""
    frames = traceback.extract_tb(failed.__traceback__)
    at = [one for one in frames if "/tests/" not in one.filename] or frames
    return f"{at[-1].filename.rpartition('affray/')[2]}:{at[-1].lineno}"
