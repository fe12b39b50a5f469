"""Measure an audit against deciding and recording the same fight."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from affray.engine.commands import Command
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import fold
from affray.engine.integrity.audit import audit
from affray.engine.opening import begin_fight
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.engine.stores import FileStore
from affray.events import seal

from .brawl import NOON, SEED, brawl, recorded_brawl


class Recorded(NamedTuple):
    """A fight that was fought, with the runs to measure.

    Attributes:
        recording: Decides it and encodes and chains what follows, with nothing around that.
        living: Lets a live fight carry out its commands, as they were sent, without a disk.
        auditing: Audits its log in all layers, its dice included.
        events: How many it has.
    """

    recording: Callable[[], object]
    living: Callable[[], object]
    auditing: Callable[[], object]
    events: int


def recorded(combatants: int, events: int) -> Recorded:
    """Fight a fight, to compare its cost with that of its audit."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        fight, intents = recorded_brawl(combatants, events, store)
        lines = store.read("brawl")
    opening = fold(one for one in fight.history.recorded if one.cause == "opening")
    commands = [Command(id=str(nth), who="gm", intent=intent) for nth, intent in enumerate(intents)]

    def recording() -> None:
        decider = Decider(fight.ruleset, Draft(opening), fight.table.config, NamedDice(SEED))
        position, previous = 0, ""
        for intent in intents:
            decided = decider.carry_out(intent)
            sealed, _ = seal(decided, after=position, previous=previous, time=NOON, who="gm", cause="1")
            position, previous = sealed[-1].position, sealed[-1].hash

    def living() -> None:
        live = begin_fight("brawl", brawl(combatants), who="gm", seed=SEED, clock=lambda: NOON)
        for command in commands:
            live.submit(command)

    def auditing() -> None:
        report = audit(lambda: iter(lines), seed=SEED)
        assert report.clean
        assert report.rules.judged == len(intents)

    return Recorded(recording, living, auditing, len(lines))
