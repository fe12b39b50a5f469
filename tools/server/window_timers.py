"""Timers of open windows: the server passes for combatants who have not answered in time."""

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
from affray.tools.parse.faults import reason_in_log

if TYPE_CHECKING:
    from .server_state import ServerState

_log = Logger(__name__)

OF_THE_SERVER = f"{TABLE}:"
"""The prefix of the server's own command ids. No client may use it: an id in use would reveal who passed."""


class WindowTimers(Struct):
    """The running timers, at most one for each fight's window.

    Attributes:
        running: The window and its timer, by fight.
        now: A function that returns the present time, in the form of a log.
    """

    now: Clock = utc_now
    running: dict[str, tuple[Id, asyncio.TimerHandle]] = field(default_factory=dict)
    ending: set[asyncio.Task[None]] = field(default_factory=set)

    def update(self, server: ServerState, name: str, fight: Fight) -> None:
        """Start a timer for the open window. Cancel the timer of a closed one."""
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
            self.running[name] = window, loop.call_later(seconds, self._end, server, name, window)

    def cancel(self, name: str) -> None:
        """Cancel the timer of a removed fight."""
        _, handle = self.running.pop(name, ("", None))
        if handle is not None:
            handle.cancel()

    def _end(self, server: ServerState, name: str, window: Id) -> None:
        self.running.pop(name, None)
        task = asyncio.create_task(pass_expired(server, name, window))
        self.ending.add(task)
        task.add_done_callback(self.ending.discard)


def seconds_left(fight: Fight, window: Id, now: str) -> float:
    """Return the seconds until the time of an open window is up.

    If it ran out while no server ran, the players get the whole time again.
    """
    patience = fight.table.draft.patience
    events = reversed(fight.history.recorded)
    opened = next(
        (one.time for one in events if isinstance(one.event, WindowOpened) and one.event.window == window), now
    )
    with suppress(ValueError, TypeError):  # the times of a log may be wrong or missing
        gone = (datetime.fromisoformat(now) - datetime.fromisoformat(opened)).total_seconds()
        return patience - gone if 0 <= gone < patience else patience
    return patience


async def pass_expired(server: ServerState, name: str, window: Id) -> None:
    """Pass a window for every combatant who has not answered; do nothing if it is closed."""
    try:
        async with server.fights.lock(name, mend=True) as fight:
            await server.fights.run_on(fight, _pass, fight, window, long=False)
            server.window_timers.update(server, name, fight)
    except (EngineError, LogError) as error:
        _log.warning("window_could_not_be_passed", fight=name, window=window, reason=reason_in_log(error))
        return
    server.hub.schedule_update(name)


def _pass(fight: Fight, window: Id) -> None:
    for who in fight.table.draft.window.to if fight.table.draft.window else ():
        open_now = fight.table.draft.window if not fight.table.draft.waits_for else None
        if open_now is None or open_now.id != window or who not in open_now.to:
            return
        fight.submit(build_pass(fight, passed_for(fight.table.draft, who, "time")))
    pass_idle(fight)


def pass_idle(fight: Fight) -> None:
    """Pass for every combatant who has no worthwhile action in the open windows."""
    let_pass(fight, lambda one: fight.submit(build_pass(fight, one)), unsaid="worthwhile")


def build_pass(fight: Fight, passed: Passed) -> Command:
    """Build the command that passes a window for a combatant."""
    return Command(id=f"{OF_THE_SERVER}{passed.who}@{fight.head}", who=TABLE, intent=passed)
