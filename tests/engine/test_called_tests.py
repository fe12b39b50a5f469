"""Tests that the game master calls for: what viewers may read of those of concealed combatants."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, begin_fight
from affray.engine.core.loading import load, template
from affray.engine.visibility import can_read
from affray.events import Recorded, Ruled
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.test_hiding import SPECTATOR
from tests.engine.test_words import TESTED, begin_turns
from tests.rulesets.systems import PRESENT


def begin_with_concealed(system: str) -> tuple[Fight, str, str]:
    """Open a fight whose last combatant is concealed; return a known one and that one."""
    encounter = tomllib.loads(template(load(system)))
    encounter["combatant"][-1]["concealed"] = True
    fight = begin_fight("called", encounter, who="gm", seed=SEED, clock=noon)
    begin_turns(fight)
    return fight, next(iter(fight.state.combatants)), min(fight.state.concealed)


def without_number(tested: dict[str, object]) -> dict[str, object]:
    """Return what is tested without what it must reach."""
    return {name: value for name, value in tested.items() if not isinstance(value, int)}


def call_for_test(fight: Fight, **params: Any) -> tuple[Recorded, ...]:
    """Call for a test."""
    tested = TESTED[fight.state.system]
    told = {**(without_number(tested) if "against" in params else tested), **params}
    return submit_accepted(fight, Ruled(kind="test", params=Raw(msgspec.json.encode(told)), reason="so be it")).recorded


@pytest.mark.parametrize("system", PRESENT)
def test_nobody_reads_of_the_test_of_a_concealed_combatant(system: str) -> None:
    fight, _, hidden = begin_with_concealed(system)
    recorded = call_for_test(fight, who=hidden, dice="1d4", cause="fire", condition="scorched", own=True)
    assert [type(one.event).__name__ for one in recorded if can_read(SPECTATOR, one)] == []


@pytest.mark.parametrize("system", PRESENT)
def test_nobody_reads_what_a_concealed_combatant_rolls_against_a_known_one(system: str) -> None:
    """Nor what both rolls come to; what follows for the known one is seen."""
    fight, known, hidden = begin_with_concealed(system)
    recorded = call_for_test(fight, who=known, against=hidden, condition="scorched", own=True)
    shown = [one.event for one in recorded if can_read(SPECTATOR, one)]
    assert {type(one).__name__ for one in shown} <= {"ConditionChanged"}
    assert hidden not in msgspec.json.encode(shown).decode()
