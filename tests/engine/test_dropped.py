"""A fight without references is freed at once in any state; its rules are closed from outside in."""

from __future__ import annotations

import gc
import weakref

import pytest

from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT


@pytest.mark.parametrize("system", PRESENT)
def test_nothing_that_a_fight_holds_holds_the_fight(system: str) -> None:
    """Else they would be collected some time, in any order, and a rule be closed while one within it is."""
    every = moments(system)
    gc.disable()
    try:
        for moment in every:
            fight = moment.fight()
            gone = weakref.ref(fight._decider)
            del fight
            assert gone() is None, moment.waits
    finally:
        gc.enable()
