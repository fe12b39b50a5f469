"""The command ``bench``: measurements of this machine for the README."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import perf_counter

import click

from affray.engine.analysis.odds import open_workers
from affray.engine.commands import Command, Undo
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import HANDLERS, fold
from affray.engine.core.loading import available
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.history.log import verify_chain
from affray.engine.integrity.audit import audit
from affray.engine.opening import open_fight
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.events import decode_line, seal
from affray.tools.api.store_url import looking_at, store_of
from affray.tools.cli.options import Number, jobs_option
from affray.tools.cli.progress import each_with_bar

from . import calibration, strength
from .brawl import NOON, SEED, begin_brawl, brawl, decided_again, recorded_brawl, recorded_lines
from .forecasts import foreseeing
from .measurement import Measured, best, print_measurements
from .offers import answering, offering
from .play import decide_all, play_template, playing
from .workers import spreading

SIZES = (5, 50, 500)

SERVER = "AFFRAY_POSTGRES"
"""Environment variable that names a PostgreSQL database for measuring. The written fights stay in it."""


def deciding(combatants: int, events: int = 50_000) -> Iterator[Measured]:
    """Measure deciding in memory, with and without encoding, and an audit.

    Without encoding and hash chain, with them, as a live fight, and as an audit of its record.
    """
    fight, intents, lines = recorded_lines(combatants, events)
    opening = fold(one for one in fight.history.recorded if one.cause == "opening")
    commands = [Command(id=str(nth), who="gm", intent=intent) for nth, intent in enumerate(intents)]

    def alone() -> None:
        for _ in decided_again(fight, opening, intents):
            pass

    def seal_decisions() -> None:
        position, previous = 0, ""
        for decided in decided_again(fight, opening, intents):
            sealed, _ = seal(decided, after=position, previous=previous, time=NOON, who="gm", cause="1")
            position, previous = sealed[-1].position, sealed[-1].hash

    def living() -> None:
        live = begin_brawl(brawl(combatants))
        for command in commands:
            live.submit(command)

    def auditing() -> None:
        report = audit(lambda: iter(lines), seed=SEED)
        assert report.clean
        assert report.rules.judged == len(intents)

    count = sum(one.cause != "opening" for one in fight.history.recorded)
    decided, sealed, lived, audited = best(alone, seal_decisions, living, auditing)
    yield Measured(what=f"decided, {combatants} combatants", value=count / decided, unit="events/s")
    yield Measured(what=f"decided, encoded and chained, {combatants}", value=count / sealed, unit="events/s")
    yield Measured(what=f"audited in all layers, {combatants}", value=len(lines) / audited, unit="events/s")
    yield Measured(what=f"audit / the live fight without a disk, {combatants}", value=audited / lived, unit="ratio")


def by_system(fights: int = 10) -> Iterator[Measured]:
    """Measure deciding the template fights of each rule system."""
    played = {name: [play_template(name, nth) for nth in range(fights)] for name in available()}
    taken = best(*(partial(decide_all, theirs) for theirs in played.values()), times=10)
    for (name, theirs), seconds in zip(played.items(), taken, strict=True):
        count = decide_all(theirs)
        yield Measured(what=f"decided, {fights} whole fights of {name}", value=count / seconds, unit="events/s")


def replaying(combatants: int, events: int = 50_000) -> Iterator[Measured]:
    """Measure a replay against mere decoding of its lines.

    Both with and without verification of the hash chain.
    """
    _, _, lines = recorded_lines(combatants, events)
    count = len(lines)

    def decoding() -> None:
        for line in lines:
            decode_line(line)

    def folding() -> None:
        draft, handlers = Draft(State()), HANDLERS
        for line in lines:
            event = decode_line(line).event
            handlers[type(event)](draft, event)

    decode, replay, verify = best(decoding, folding, lambda: verify_chain(lines))
    checked = replay + verify
    yield Measured(what=f"decode, {combatants} combatants", value=decode / count * 1e9, unit="ns/event")
    yield Measured(what=f"replay (decode + fold), {combatants}", value=replay / count * 1e9, unit="ns/event")
    yield Measured(what=f"replay / decode, {combatants}", value=replay / decode, unit="ratio")
    yield Measured(what=f"replay with the chain verified, {combatants}", value=checked / count * 1e9, unit="ns/event")
    yield Measured(what=f"verified replay / decode, {combatants}", value=checked / decode, unit="ratio")


def appending(events: int = 5_000) -> Iterator[Measured]:
    """Measure durable appends of commands of ten events, for each store."""
    fight, _ = recorded_brawl(5, events)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for name, store in _stores(Path(folder)):
            called = f"brawl-{token_hex(4)}"  # a database still holds the fights of earlier runs
            all_events = [one.event for one in fight.history.recorded]
            commands, position, previous = [], 0, ""
            for at in range(0, len(all_events) - 9, 10):
                recorded, lines = seal(
                    all_events[at : at + 10], after=position, previous=previous, time=NOON, who="gm", cause="1"
                )
                commands.append((position, lines))
                position, previous = recorded[-1].position, recorded[-1].hash
            store.begin(called, commands[0][1], SEED)
            start = perf_counter()
            for after, lines in commands[1:]:
                store.append(called, lines, after)
            taken = perf_counter() - start
            yield Measured(what=f"appended durably, {name}", value=position / taken, unit="events/s")


def _stores(folder: Path) -> Iterator[tuple[str, Store]]:
    """Yield every store with its durability; PostgreSQL only if configured."""
    yield "JSON Lines, fdatasync", FileStore(folder)
    yield "SQLite, synchronous=FULL", SqliteStore(folder / "full.db")
    yield "SQLite, synchronous=NORMAL", SqliteStore(folder / "normal.db", durable=False)
    server = os.environ.get(SERVER)
    if server:
        yield "PostgreSQL, synchronous_commit=on", store_of(server)


def undoing(combatants: int, events: int) -> Iterator[Measured]:
    """Measure opening a fight, and undoing the last command of the live fight."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        recorded_brawl(combatants, events, store)
        (opened,) = best(lambda: open_fight("brawl", store), times=3)
        fight = open_fight("brawl", store)
    fight = fight.copy_at(fight.head)
    taken = []
    for number in range(50):
        start = perf_counter()
        fight.submit(Command(id=f"undo {number}", who="gm", intent=Undo()))
        assert fight.state is not None
        taken.append(perf_counter() - start)
    taken.sort()
    said = f"{events:,} events, {combatants} combatants"
    yield Measured(what=f"open, {said}", value=opened * 1e3, unit="ms")
    yield Measured(what=f"undo in the live fight, {said} (median of 50)", value=taken[25] * 1e3, unit="ms")


STEPS: tuple[Callable[[], Iterator[Measured]], ...] = (
    *(partial(deciding, size) for size in SIZES),
    by_system,
    playing,
    offering,
    answering,
    appending,
    *(partial(replaying, size) for size in SIZES),
    *(partial(undoing, size, events) for size, events in ((5, 10_000), (50, 10_000), (500, 10_000), (5, 100_000))),
)
"""All measurements."""


def all_measured() -> Iterator[Measured]:
    """Run all measurements."""
    for step in each_with_bar(STEPS, "steps"):
        yield from step()


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def bench(context: click.Context, as_json: bool) -> None:
    """Measure this machine: deciding, offering, auditing, replaying and so on."""
    if context.invoked_subcommand is None:
        print_measurements(all_measured(), as_json=as_json)


@bench.command(short_help="Measure a server and its subscribers.")
@click.option("--seconds", default=10.0, show_default=True, type=Number(0.1, 30), help="How long each run takes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def serve(seconds: float, as_json: bool) -> None:
    """Measure a server on this machine with 1, 100 and 1,000 subscribers.

    The first run sends 20 commands a second, the second run sends them without a pause.
    """
    from .server import serving  # noqa: PLC0415 - only a server needs it

    print_measurements(serving(seconds), as_json=as_json)


@bench.command(short_help="Measure how long forecasts take.")
@click.argument("fights", metavar="FIGHT…", nargs=-1, required=True)
@click.option("--positions", default=12, show_default=True, type=click.IntRange(1), help="Moments of each fight.")
@click.option("--within", default=3.0, show_default=True, type=Number(0.01, 50), help="Points on either side.")
@jobs_option(2)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def foresee(fights: tuple[str, ...], positions: int, within: float, jobs: int, as_json: bool) -> None:
    """Measure the odds at moments of recorded fights, and the luck of each fight."""
    with open_workers(jobs) as work:
        for said in fights:
            with looking_at(said, whole=True) as fight:
                print_measurements(foreseeing(said, fight, positions, within / 100, work), as_json=as_json)


@bench.command(short_help="Measure how far trials spread over processes and machines.")
@click.argument("fights", metavar="FIGHT…", nargs=-1, required=True)
@click.option("--batches", default=16, show_default=True, type=click.IntRange(4), help="Batches of 16 trials each.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def workers(fights: tuple[str, ...], batches: int, as_json: bool) -> None:
    """Measure trials from an opening in one process, in two, and on a cluster.

    The cluster is a scheduler and workers on this machine, each in a process of its own (extra cluster).
    """
    for said in fights:
        with looking_at(said, whole=True) as fight:
            try:
                print_measurements(spreading(Path(said).stem, fight, batches), as_json=as_json)
            except ImportError:
                raise Unusable('a cluster needs the extra cluster: pip install ".[cluster]"', "workers") from None


bench.add_command(calibration.odds)
bench.add_command(strength.strength)

if __name__ == "__main__":
    bench()
