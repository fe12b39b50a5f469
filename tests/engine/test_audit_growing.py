"""The audit of a fight that goes on while it is audited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from affray.engine import Undo, begin_fight
from affray.engine.integrity.audit import audit
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon, submit_accepted
from tests.engine.memory import MemoryStore
from tests.engine.test_second_waves import rule_on_wave


@pytest.mark.parametrize("grows", [True, False])
def test_what_is_recorded_while_an_audit_runs_is_left_to_the_next_one(grows: bool) -> None:
    """The first pass notes where the record goes back; an undo that it did not see would be called a fault."""
    store = MemoryStore()
    fight = begin_fight(NAME, load_shipped_encounters()["wwn/template"], who="gm", seed=SEED, store=store, clock=noon)
    rule_on_wave(fight, "note", text="before")
    passes = 0

    def lines() -> Iterator[bytes]:
        nonlocal passes
        passes += 1
        if passes == 2 and grows:
            rule_on_wave(fight, "note", text="meanwhile")
            submit_accepted(fight, Undo(commands=2))
        yield from store.lines(NAME)

    there = fight.head
    report = audit(lines, seed=SEED)
    assert (passes, report.findings, report.events) == (2, (), there)
