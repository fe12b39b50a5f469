"""Deciding leaves no garbage cycles, whose collection would stop a fight at any moment."""

from __future__ import annotations

import gc
from collections import Counter
from random import Random

import pytest

from affray.engine.core.loading import available
from affray.tools.lab.bench.brawl import begin_brawl, decided_again, sensibly
from affray.tools.lab.bench.crowd import encounter_of

SEED = bytes([2]) * 32


@pytest.mark.parametrize("system", available())
def test_a_fight_decided_again_leaves_nothing_that_refers_to_itself(system: str) -> None:
    fight = begin_brawl(encounter_of(system), SEED)
    opening = fight.state
    intents = list(sensibly(fight, Random(1)))
    assert len(intents) > 5
    for _ in decided_again(fight, opening, intents, SEED):
        pass  # so that everything that is made once has been made
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        decided = sum(len(events) for events in decided_again(fight, opening, intents, SEED))
        assert decided > len(intents)
        gc.collect()
        left = Counter(type(one).__name__ for one in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left
