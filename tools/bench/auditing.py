"""Measuring an audit against what deciding and recording the same fight took."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from affray.engine.audit import audit
from affray.engine.course import Course
from affray.engine.dice import NamedDice
from affray.engine.draft import Draft
from affray.engine.evolve import fold
from affray.engine.stores import FileStore
from affray.events import seal

from .brawl import NOON, SEED, recorded_brawl


def recording_and_auditing(combatants: int, events: int) -> tuple[Callable[[], object], Callable[[], object], int]:
    """Return what decides and records a fight without a disk, what audits it in all layers, and its events."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        fight, intents = recorded_brawl(combatants, events, store)
        lines = store.read("brawl")
    opening = fold(one for one in fight.history.recorded if one.cause == "opening")

    def recording() -> None:
        course = Course(fight.ruleset, Draft(opening), fight.table.config, NamedDice(SEED))
        position, previous = 0, ""
        for intent in intents:
            decided = course.carry_out(intent)
            recorded, _ = seal(decided, after=position, previous=previous, time=NOON, who="gm", cause="1")
            position, previous = recorded[-1].position, recorded[-1].hash

    def auditing() -> None:
        report = audit(lambda: iter(lines), seed=SEED)
        assert report.clean
        assert report.rules.judged == len(intents)

    return recording, auditing, len(lines)


__all__ = ["recording_and_auditing"]
