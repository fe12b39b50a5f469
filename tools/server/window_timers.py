"""The clock of windows: whoever has not answered when the time is up lets it pass, sent by the server in their name."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct, field

from affray.engine.clock import Clock, utc_now
from affray.engine.commands import Command
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.logger import Logger
from affray.events import Id, LogError, Passed, WindowOpened
from affray.tools.api.auto_pass import TABLE, let_pass, passed_for

if TYPE_CHECKING:
    from .server_state import Serving

_log = Logger(__name__)

OF_THE_SERVER = f"{TABLE}:"
"""The prefix of the server's own command ids. No client may use it: an id in use would tell who passed."""


class Clocks(Struct):
    """The clocks that run, one at most for each window.

    Attributes:
        running: Per fight the window and what ends it.
        now: Tells the time, as a log writes it.
    """

    now: Clock = utc_now
    running: dict[str, tuple[Id, asyncio.TimerHandle]] = field(default_factory=dict)
    ending: set[asyncio.Task[None]] = field(default_factory=set)

    def look(self, serving: Serving, name: str, fight: Fight) -> None:
        """Start the clock of a window that is open, whoever opened it, and stop that of one that is open no more."""
        draft = fight.table.draft
        waits = draft.window is not None and not draft.waits_for  # else the game master decides about an attempt
        ticks = waits and draft.patience and not fight.history.closed and fight.diverged is None
        window = draft.window.id if draft.window is not None and ticks else ""
        known, handle = self.running.get(name, ("", None))
        if known == window:
            return
        if handle is not None:
            handle.cancel()
            del self.running[name]
        if window:
            loop = asyncio.get_running_loop()
            seconds = seconds_left(fight, window, self.now())
            self.running[name] = window, loop.call_later(seconds, self._end, serving, name, window)

    def leave(self, name: str) -> None:
        """Stop the clock of a fight that was removed."""
        _, handle = self.running.pop(name, ("", None))
        if handle is not None:
            handle.cancel()

    def _end(self, serving: Serving, name: str, window: Id) -> None:
        self.running.pop(name, None)
        task = asyncio.create_task(time_up(serving, name, window))
        self.ending.add(task)
        task.add_done_callback(self.ending.discard)


def seconds_left(fight: Fight, window: Id, now: str) -> float:
    """Return how long it still is until the time of an open window is up.

    Where it was up already while no server ran, whoever comes back has all of it again.
    """
    patience = fight.table.draft.patience
    events = reversed(fight.history.recorded)
    opened = next(
        (one.time for one in events if isinstance(one.event, WindowOpened) and one.event.window == window), now
    )
    with suppress(ValueError, TypeError):  # nobody has vouched for the times of a log
        gone = (datetime.fromisoformat(now) - datetime.fromisoformat(opened)).total_seconds()
        return patience - gone if 0 <= gone < patience else patience
    return patience


async def time_up(serving: Serving, name: str, window: Id) -> None:
    """Let a window pass for everybody who is still asked in it; nothing if it is open no more."""
    try:
        async with serving.fights.using(name, mend=True) as fight:
            await serving.fights.doing(fight, _pass, fight, window, long=False)
            serving.clocks.look(serving, name, fight)
    except (EngineError, LogError) as error:
        _log.warning("window_could_not_be_passed", fight=name, window=window, reason=str(error))
        return
    serving.hub.changed(name)


def _pass(fight: Fight, window: Id) -> None:
    for who in fight.table.draft.window.to if fight.table.draft.window else ():
        open_now = fight.table.draft.window if not fight.table.draft.waits_for else None
        if open_now is None or open_now.id != window or who not in open_now.to:
            return
        fight.submit(sent(fight, passed_for(fight.table.draft, who, "time")))
    passed_over(fight)


def passed_over(fight: Fight) -> None:
    """Pass for everybody who is asked and could do nothing worth it."""
    let_pass(fight, lambda one: fight.submit(sent(fight, one)), unsaid="worthwhile")


def sent(fight: Fight, passed: Passed) -> Command:
    """Return the command by which a window is passed for somebody."""
    return Command(id=f"{OF_THE_SERVER}{passed.who}@{fight.head}", who=TABLE, intent=passed)
