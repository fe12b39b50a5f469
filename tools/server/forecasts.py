"""Forecasts of a server, a few at once, each computed in a separate process.

Clients that request the same forecast of the same record share it, or of the same encounter. It is cancelled once no
client wants it. No secret seed is read, and nothing is written to the fight.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from affray.engine.logger import Logger
from affray.tools.api.access import NotFound
from affray.tools.api.schemas.fights import Forecast
from affray.tools.api.schemas.forecasts import CPU_SECONDS, ForecastResult, Wish
from affray.tools.present.luck import Luck

from .open_fights import LimitReached
from .worker_processes import TOO_MUCH, end_process, start_process, write_input

_log = Logger(__name__)

PROCESS = "affray.tools.lab.forecast_process"
"""The module that a process runs. It belongs to the laboratory, which the server itself does not import."""

NO_FIGHT = ""
"""The fight of forecasts of encounters, of which none has been opened."""

AT_ONCE = 2
"""The most processes at once; the other forecasts wait."""

MOST_WAITING = 16
"""The most forecasts of a server that wait or are being computed."""

MOST_OF_PLAYERS = 12
"""At this many open forecasts players are refused, so that game masters and the host still get one."""

MOST_OF_FIGHT = 8
"""The most open forecasts of one fight, over all its links."""

MOST_OF_ONE = 3
"""The most open forecasts for one token."""

MOST_KEPT = 100
"""The most finished forecasts that stay in memory."""

MOST_EVENTS = 10_000
"""The longest record, in events."""

MOST_SECONDS = 2 * CPU_SECONDS
"""The most seconds of wall-clock time for one forecast."""

LONGEST_LINE = 8 << 20
"""The longest result of a process, in bytes."""


class ForecastJob:
    """A forecast, finished or under way.

    Attributes:
        told: The forecast as clients are sent it.
        askers: The hashes of the tokens that want it.
        task: The task that computes it.
    """

    def __init__(self, fight: str, told: Forecast) -> None:
        self.fight = fight
        self.forecast = told
        self.askers: set[str] = set()
        self.task: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether it waits or is being computed."""
        return self.forecast.stage in ("waiting", "working")


class ForecastJobs:
    """The forecasts of a server."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[str, str], ForecastJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def join(self, fight: str, hash: str, wish: Wish, key: str) -> Forecast | None:
        """Return the forecast of a wish and a record for one more token; None if there is none yet."""
        job = self._jobs.get((fight, _id(fight, hash, wish)))
        if job is None or job.forecast.stage == "failed":
            return None
        job.askers.add(key)
        return job.forecast

    def begin(self, fight: str, position: int, hash: str, wish: Wish, lines: Sequence[bytes], key: str) -> Forecast:
        """Begin a forecast of a fight.

        Args:
            fight: Its name.
            position, hash: Its head.
            wish: The kind of forecast and its parameters.
            lines: Its log.
            key: The hash of the token that wants it.

        Raises:
            LimitReached: a limit is reached, or the record is too long.
        """
        self.check_room(len(lines), key, fight)
        return self._start(fight, position, hash, wish, (b"null", *lines), key)

    def begin_of_encounter(self, content: dict[str, Any], wish: Wish, key: str) -> Forecast:
        """Return the forecast of an encounter for one more token; begin it if there is none yet.

        Args:
            content: The content of the encounter file.
            key: The hash of the token that wants it.

        Raises:
            LimitReached: a limit is reached.
        """
        encounter = msgspec.json.encode(content, order="deterministic")
        hash = sha256(encounter).hexdigest()
        known = self.join(NO_FIGHT, hash, wish, key)
        if known is not None:
            return known
        self.check_room(0, key, NO_FIGHT)
        return self._start(NO_FIGHT, 0, hash, wish, (encounter,), key)

    def _start(self, fight: str, position: int, hash: str, wish: Wish, lines: Sequence[bytes], key: str) -> Forecast:
        """Start a forecast; ``lines`` follow the wish in the input of its process."""
        forecast = Forecast(id=_id(fight, hash, wish), what=wish.what, position=position, hash=hash, stage="waiting")
        job = ForecastJob(fight, forecast)
        job.askers.add(key)
        self._jobs[fight, forecast.id] = job
        job.task = task = asyncio.create_task(self._work(job, b"\n".join((msgspec.json.encode(wish), *lines))))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._forget()
        return forecast

    def check_room(self, events: int, key: str, fight: str, *, rules: bool = True) -> None:
        """Refuse one more forecast if there are too many, or if its record is too long.

        Args:
            key: The hash of the token that wants it.
            fight: The fight that it is about; ``NO_FIGHT`` for an encounter.
            rules: Whether the token is a game master's or the host's.

        Raises:
            LimitReached: a limit is reached, or the record is too long.
        """
        if events > MOST_EVENTS:
            raise LimitReached(f"this record has {events:,} events; up to {MOST_EVENTS:,} can be foreseen here")
        under_way = [job for job in self._jobs.values() if job.is_open]
        most = MOST_WAITING if rules else MOST_OF_PLAYERS
        if len(under_way) >= most or sum(key in job.askers for job in under_way) >= MOST_OF_ONE:
            raise LimitReached(f"as many forecasts are under way as may: {MOST_OF_ONE} for a link, {most} for all")
        if fight != NO_FIGHT and sum(job.fight == fight for job in under_way) >= MOST_OF_FIGHT:
            raise LimitReached(f"as many forecasts of this fight are under way as may: {MOST_OF_FIGHT}")

    def list_of_fight(self, fight: str) -> list[Forecast]:
        """List the forecasts of a fight, the oldest first."""
        return [job.forecast for job in self._jobs.values() if job.fight == fight]

    def get_forecast(self, fight: str, id: str) -> Forecast:
        """Return a forecast of a fight.

        Raises:
            NotFound: there is none of that id.
        """
        return self._job(fight, id).forecast

    def find_luck(self, fight: str, hash: str) -> Luck | None:
        """Return the finished luck analysis of a record by its hash, if there is one."""
        done = (
            job.forecast.luck
            for job in reversed(self._jobs.values())
            if (job.fight, job.forecast.hash) == (fight, hash)
        )
        return next((luck for luck in done if luck is not None), None)

    def drop(self, fight: str, id: str, key: str, *, for_all: bool) -> None:
        """Remove a token from a forecast, and cancel the forecast if no token is left.

        Args:
            key: The hash of the token that drops it.
            for_all: Whether to cancel it for all tokens.

        Raises:
            NotFound: there is none of that id.
        """
        job = self._job(fight, id)
        job.askers.discard(key)
        if for_all or not job.askers:
            del self._jobs[fight, id]
            if job.task is not None:
                job.task.cancel()

    def drop_all(self, fight: str) -> None:
        """Drop the forecasts of a fight that was removed."""
        for job in [job for job in self._jobs.values() if job.fight == fight]:
            self.drop(fight, job.forecast.id, "", for_all=True)

    async def stop(self) -> None:
        """Cancel all forecasts, and wait until their processes have ended."""
        self._jobs.clear()
        for task in self._tasks:
            if not task.cancelling():  # a second cancellation would interrupt the ending of its process
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _job(self, fight: str, id: str) -> ForecastJob:
        try:
            return self._jobs[fight, id]
        except KeyError:
            raise NotFound(f"there is no forecast {id}{f' of {fight}' if fight else ''}") from None

    def _forget(self) -> None:
        """Remove the oldest finished forecasts beyond the limit."""
        done = [name for name, job in self._jobs.items() if not job.is_open]
        for name in done[: max(0, len(done) - MOST_KEPT)]:
            del self._jobs[name]

    async def _work(self, job: ForecastJob, said: bytes) -> None:
        """Wait for a free process slot, and compute a forecast."""
        try:
            async with self._turns, asyncio.timeout(MOST_SECONDS):
                job.forecast = msgspec.structs.replace(job.forecast, stage="working")
                code = await _compute(job, said)
            if job.is_open and code in TOO_MUCH:
                _fail(job, "it takes more time or memory than there is for it here")
            elif job.is_open:
                _log.error("broke_off_foreseeing", fight=job.fight, code=code)
                _fail(job, "the server could not foresee it; its log says why")
        except TimeoutError:
            _fail(job, "it takes more time than there is for it here")
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            _log.error("could_not_foresee", fight=job.fight, reason=repr(error))
            _fail(job, "the server could not foresee it; its log says why")


def _id(fight: str, hash: str, wish: Wish) -> str:
    return sha256(b"\n".join((fight.encode(), hash.encode(), msgspec.json.encode(wish)))).hexdigest()[:16]


def _fail(job: ForecastJob, wrong: str) -> None:
    job.forecast = msgspec.structs.replace(job.forecast, stage="failed", wrong=wrong)


async def _compute(job: ForecastJob, said: bytes) -> int:
    """Run a process that computes a forecast, and store its results; return its exit code."""
    process = await start_process(PROCESS, LONGEST_LINE)
    try:
        await _read_results(job, process, said)
        return await process.wait()
    finally:
        await end_process(process)


async def _read_results(job: ForecastJob, process: Process, said: bytes) -> None:
    await write_input(process, said)
    assert process.stdout is not None
    while line := await process.stdout.readline():
        known = msgspec.json.decode(line, type=ForecastResult)
        stage = "failed" if known.wrong else "done" if known.complete else "working"
        job.forecast = msgspec.structs.replace(
            job.forecast,
            stage=stage,
            done=known.done,
            of=known.of,
            odds=known.odds,
            luck=known.luck,
            wrong=known.wrong,
        )
