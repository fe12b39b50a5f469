"""The command ``bench``: measure this machine, and print every number that the README quotes."""

from __future__ import annotations

import gc
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from secrets import token_hex
from time import perf_counter
from typing import Any

import click
from msgspec import Struct

from affray.engine.analysis.policies import sensible
from affray.engine.commands import Command, Undo
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import HANDLERS, fold
from affray.engine.core.ruleset import Ruleset, available, load, template
from affray.engine.core.state import State
from affray.engine.history.log import verify_chain
from affray.engine.opening import begin_fight, open_fight
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.engine.stores import FileStore
from affray.events import Event, read, seal

from .auditing import recorded
from .brawl import NOON, SEED, recorded_brawl
from .measured import Measured, report
from .offering import answering, offering
from .stores import stores

SIZES = (5, 50, 500)


@contextmanager
def _steady() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def best(*runs: Callable[[], object], times: int = 7) -> list[float]:
    """Return the shortest time of each in seconds; they run in turns, so that load affects all of them."""
    shortest = [float("inf")] * len(runs)
    for _ in range(times):
        for nth, run in enumerate(runs):
            with _steady():
                start = perf_counter()
                run()
                shortest[nth] = min(shortest[nth], perf_counter() - start)
    return shortest


def deciding(combatants: int, events: int = 50_000) -> Iterator[Measured]:
    """Measure deciding without a disk, alone and with encoding and chain; then the audit of what was recorded."""
    fight, intents = recorded_brawl(combatants, events)
    opening = fold(one for one in fight.history.recorded if one.cause == "opening")

    def alone() -> None:
        decider = Decider(fight.ruleset, Draft(opening), fight.table.config, NamedDice(SEED))
        for intent in intents:
            decider.carry_out(intent)

    count = sum(one.cause != "opening" for one in fight.history.recorded)
    whole = recorded(combatants, events)
    decided, chained, lived, audited = best(alone, whole.recording, whole.living, whole.auditing)
    yield Measured(what=f"decided, {combatants} combatants", value=count / decided, unit="events/s")
    yield Measured(what=f"decided, encoded and chained, {combatants}", value=count / chained, unit="events/s")
    yield Measured(what=f"audited in all layers, {combatants}", value=whole.events / audited, unit="events/s")
    yield Measured(what=f"audit / the live fight without a disk, {combatants}", value=audited / lived, unit="ratio")


def by_system(fights: int = 10, commands: int = 400) -> Iterator[Measured]:
    """Measure deciding the template fight of each rule system, fought sensibly by both sides."""
    played = {name: [_fought(name, nth, commands) for nth in range(fights)] for name in available()}
    taken = best(*(partial(_all_again, theirs) for theirs in played.values()), times=10)
    for (name, theirs), seconds in zip(played.items(), taken, strict=True):
        count = sum(one.events for one in theirs)
        yield Measured(what=f"decided, {fights} whole fights of {name}", value=count / seconds, unit="events/s")


def _all_again(played: list[_Fought]) -> None:
    for one in played:
        one.again()


class _Fought(Struct, frozen=True, kw_only=True):
    """A fight that was fought: its first state, its dice, and its inputs."""

    ruleset: Ruleset
    opening: State
    config: Any
    seed: bytes
    intents: list[Event]
    events: int

    def again(self) -> None:
        """Decide all of it once more."""
        decider = Decider(self.ruleset, Draft(self.opening), self.config, NamedDice(self.seed))
        for intent in self.intents:
            decider.carry_out(intent)


def _fought(system: str, nth: int, commands: int) -> _Fought:
    """Let both sides of a system's template fight sensibly, to the end or through so many commands."""
    ruleset, seed, chance = load(system), bytes([nth]) * 32, Random(nth)
    fight = begin_fight("fought", tomllib.loads(template(ruleset)), who="gm", seed=seed, clock=lambda: NOON)
    opening, before = fight.state, fight.head
    intents: list[Event] = []
    while len(intents) < commands and (intent := sensible(fight, chance)) is not None:
        intents.append(intent)
        fight.submit(Command(id=str(fight.head), who="gm", intent=intent))
    return _Fought(
        ruleset=ruleset,
        opening=opening,
        config=fight.table.config,
        seed=seed,
        intents=intents,
        events=fight.head - before,
    )


def replaying(combatants: int, events: int = 50_000) -> Iterator[Measured]:
    """Measure a replay against only decoding the same lines, with and without verifying the chain."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        recorded_brawl(combatants, events, store)
        lines = store.read("brawl")
    count = len(lines)

    def decoding() -> None:
        for line in lines:
            read(line)

    def folding() -> None:
        draft, handlers = Draft(State()), HANDLERS
        for line in lines:
            event = read(line).event
            handlers[type(event)](draft, event)

    decode, replay, verify = best(decoding, folding, lambda: verify_chain(lines))
    checked = replay + verify
    yield Measured(what=f"decode, {combatants} combatants", value=decode / count * 1e9, unit="ns/event")
    yield Measured(what=f"replay (decode + fold), {combatants}", value=replay / count * 1e9, unit="ns/event")
    yield Measured(what=f"replay / decode, {combatants}", value=replay / decode, unit="ratio")
    yield Measured(what=f"replay with the chain verified, {combatants}", value=checked / count * 1e9, unit="ns/event")
    yield Measured(what=f"verified replay / decode, {combatants}", value=checked / decode, unit="ratio")


def appending(events: int = 5_000) -> Iterator[Measured]:
    """Measure durable appends of commands of ten events, to JSON Lines and to SQLite."""
    fight, _ = recorded_brawl(5, events)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for name, store in stores(Path(folder)):
            called = f"brawl-{token_hex(4)}"  # a database keeps those of earlier runs
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


def undoing(combatants: int, events: int) -> Iterator[Measured]:
    """Measure opening a fight of so many events, and taking back the last command of the live one."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        recorded_brawl(combatants, events, store)
        (opened,) = best(lambda: open_fight("brawl", store), times=3)
        fight = open_fight("brawl", store)
    fight = fight.as_of(fight.head)
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


def all_measured() -> Iterator[Measured]:
    """Measure everything there is."""
    for size in SIZES:
        yield from deciding(size)
    yield from by_system()
    yield from offering()
    yield from answering()
    yield from appending()
    for size in SIZES:
        yield from replaying(size)
    for size, events in ((5, 10_000), (50, 10_000), (500, 10_000), (5, 100_000)):
        yield from undoing(size, events)


@click.group(short_help="Measure this machine.", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def bench(context: click.Context, as_json: bool) -> None:
    """Measure this machine: deciding, offering, auditing, appending, replaying, undoing, opening; or a server."""
    if context.invoked_subcommand is None:
        report(all_measured(), as_json=as_json)


@bench.command(short_help="Measure a server and those who follow it.")
@click.option(
    "--seconds", default=10.0, show_default=True, type=click.FloatRange(0.1, 30), help="How long each run takes."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def serve(seconds: float, as_json: bool) -> None:
    """Measure a server of this machine with 1, 100 and 1,000 subscribers.

    Commands come 20 a second, and then one right after the other.
    """
    from .serving import serving  # noqa: PLC0415 - only a server needs it

    report(serving(seconds), as_json=as_json)


if __name__ == "__main__":
    bench()
