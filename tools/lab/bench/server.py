"""Measurements of a server: its rate of commands, and the delay of events."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from affray.engine.commands import Command
from affray.engine.errors import Unusable
from affray.engine.stores import SqliteStore
from affray.events import EVERYBODY, AskingSet, Event
from affray.tools.cli.progress import Shows, bar

from .brawl import begin_brawl, brawl, fighting
from .measurement import Measured
from .subscribers import Caller, Subscriber, open_subscriptions

SUBSCRIBERS = (1, 100, 1_000)
PACE = 20
"""Commands a second while the delay of events is measured."""

TOKEN = "the token of a server that is only measured"
FIGHT = "/api/fights/brawl"

MOST = 1_000
"""Commands a second that are prepared: more than any server can take."""

COMBATANTS = 12
"""Enough combatants that none falls within half a minute of commands."""

Passed = Callable[[float], None]
"""Takes the seconds that have passed with one number of subscribers."""


class RampStep(NamedTuple):
    """A command, and the head after it."""

    intent: Event
    head: int


class Spent(NamedTuple):
    """Resources that a process has used: processor seconds, and memory in bytes."""

    seconds: float
    memory: int


def serving(seconds: float, subscribers: Sequence[int] = SUBSCRIBERS, folder: Path = Path()) -> Iterator[Measured]:
    """Measure a new server for each number of subscribers.

    Args:
        seconds: Duration of each run.
        folder: Folder for the fights, which decides the disk.
    """
    with bar(2 * len(subscribers) * seconds, "seconds", calm=True) as shows:
        for nth, many in enumerate(subscribers):
            with tempfile.TemporaryDirectory(dir=folder) as kept:
                store = Path(kept) / "fights.db"
                steps = a_fight(store)
                with a_server(store) as (process, port):
                    passed = _after(2 * nth * seconds, shows)
                    yield from asyncio.run(_measure_run(process, port, steps, many, seconds, passed))


def _after(before: float, shows: Shows) -> Passed:
    """Return a function that updates the bar by the seconds of this part."""
    return lambda passed: shows(int(before + passed), "")


def a_fight(store: Path) -> Iterator[RampStep]:
    """Begin a fight in a store; return commands that a copy of it has decided."""
    for kept in (SqliteStore(store), None):
        twin = begin_brawl(brawl(COMBATANTS), store=kept)
        twin.submit(Command(id="asking", who="gm", intent=AskingSet(who=EVERYBODY, ask="always")))

    def steps() -> Iterator[RampStep]:
        for number, intent in enumerate(fighting(twin)):
            twin.submit(Command(id=str(number), who="gm", intent=intent))
            yield RampStep(intent, twin.head)

    return steps()


@contextmanager
def a_server(store: Path) -> Iterator[tuple[int, int]]:
    """Run a server; yield its process id and its port."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    program = [sys.executable, "-c", "from affray.tools.cli.main import main; main()"]
    server = subprocess.Popen(
        [*program, "serve", "--store", str(store), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "AFFRAY_HOST_TOKEN": TOKEN},
    )
    try:
        assert server.stdout is not None
        said = next((line for line in server.stdout if line.startswith("Listening on ")), "")
        if not said:
            raise Unusable("the server did not start")
        yield server.pid, int(said.split(";")[0].rpartition(":")[2])
    finally:
        server.terminate()
        server.communicate()


async def _measure_run(
    process: int, port: int, steps: Iterator[RampStep], many: int, seconds: float, passed: Passed
) -> list[Measured]:
    """Measure commands at a steady pace, and as fast as the server takes them."""
    host = Caller(port, TOKEN)
    token = (await host.post(f"{FIGHT}/grants", {"role": "spectator", "name": "crowd"}))["token"]
    await host.leave()
    subscribers = await open_subscriptions(port, f"{FIGHT}/feed", token, many)
    gc.collect()
    gc.freeze()
    try:
        paced = await _run(process, host, list(islice(steps, int(PACE * seconds))), subscribers, passed, gap=1 / PACE)
        hurried = list(islice(steps, int(MOST * seconds)))
        fast = await _run(process, host, hurried, subscribers, lambda more: passed(seconds + more), seconds=seconds)
        cut = sum(one.cut for one in subscribers)
    finally:
        gc.unfreeze()
        for subscriber in subscribers:
            subscriber.leave()
    said = f"{many:,} subscriber{'s' if many > 1 else ''}"
    return [
        *_list_measurements(paced, f"{PACE} commands/s, {said}"),
        *_list_measurements(fast, f"one after the other, {said}"),
        Measured(what=f"commands one after the other, {said}", value=fast.pace, unit="commands/s"),
        Measured(what=f"the server's memory, {said}", value=fast.memory / 2**20, unit="MB"),
        Measured(what=f"cut off, of {said}", value=cut, unit="streams"),
    ]


def _list_measurements(run: Run, said: str) -> Iterator[Measured]:
    """Yield the measurements of a run."""
    yield Measured(what=f"to the event, {said}, median", value=run.median * 1e3, unit="ms")
    yield Measured(what=f"to the event, {said}, 99th percentile", value=run.late * 1e3, unit="ms")
    yield Measured(what=f"the server's processors, {said}", value=run.busy, unit="cores")


class Run(NamedTuple):
    """The result of a run: seconds to the event, commands a second, processors and bytes the server used."""

    median: float
    late: float
    pace: float
    busy: float
    memory: int


async def _run(
    process: int,
    host: Caller,
    steps: list[RampStep],
    subscribers: list[Subscriber],
    passed: Passed,
    *,
    gap: float = 0,
    seconds: float = 1e9,
) -> Run:
    """Send commands and wait until all subscribers have received the events.

    Commands are sent at intervals of ``gap`` seconds. With ``gap`` 0 each is sent when the one before is answered.
    """
    for subscriber in subscribers:
        subscriber.seen.clear()
    before, start = _read_usage(process), perf_counter()
    sent: list[tuple[float, int]] = []
    for number, step in enumerate(steps):
        await asyncio.sleep(max(0.0, start + number * gap - perf_counter()) if gap else 0)
        passed(perf_counter() - start)
        if perf_counter() - start > seconds:
            break
        sent.append((perf_counter(), step.head))
        await host.post(f"{FIGHT}/commands", {"id": f"{step.head}", "intent": step.intent})
    took = perf_counter() - start
    await host.leave()
    while any(not one.cut and (not one.seen or one.seen[-1][1] < sent[-1][1]) for one in subscribers):
        await asyncio.sleep(0.01)
    after, end = _read_usage(process), perf_counter()
    delays = sorted(delay for one in subscribers for delay in _delays(sent, one.seen))
    return Run(
        median=delays[len(delays) // 2],
        late=delays[len(delays) * 99 // 100],
        pace=len(sent) / took,
        busy=(after.seconds - before.seconds) / (end - start),
        memory=after.memory,
    )


def _delays(sent: Sequence[tuple[float, int]], seen: Sequence[tuple[float, int]]) -> Iterator[float]:
    """Yield the delay from each command to the receipt of its last event."""
    seeing = iter(seen)
    when, position = 0.0, 0
    for then, head in sent:
        while position < head:
            found = next(seeing, None)
            if found is None:
                return
            when, position = found
        yield when - then


def _read_usage(process: int) -> Spent:
    """Read the resources that a process has used, from Linux."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{process}/status").read_text()
    memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    ticks = int(fields[11]) + int(fields[12])
    return Spent(ticks / os.sysconf("SC_CLK_TCK"), int(memory.split()[1]) * 1024)
