"""Rulings about different people commute, a condition ends with its last source, and who has left leaves nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.engine.encounters import load_shipped_encounters
from tests.examples import THOROUGH
from tests.metamorphic.meanwhile import Counts
from tests.metamorphic.orders import left_again, remaining, uncommuting
from tests.rulesets.systems import PRESENT


@pytest.mark.parametrize("system", PRESENT)
def test_rulings_about_different_people_may_come_in_either_order(system: str) -> None:
    counts: Counts = Counter()
    assert list(uncommuting(system, Random("order"), counts, tries=30 if THOROUGH else 2)) == []
    assert counts["compared"] > 5


@pytest.mark.parametrize("system", PRESENT)
def test_a_condition_ends_with_its_last_source_whichever_that_is(system: str) -> None:
    counts: Counts = Counter()
    assert list(remaining(system, counts, most=100 if THOROUGH else 4)) == []
    assert counts["ended"] > 100


@pytest.mark.parametrize("system", PRESENT)
def test_who_joined_and_left_before_the_fight_changes_nothing_in_it(system: str) -> None:
    counts: Counts = Counter()
    for name, told in sorted(load_shipped_encounters().items()):
        if name.startswith(f"{system}/"):
            for seed in range(20 if THOROUGH else 2):
                assert list(left_again(told, seed, 120 if THOROUGH else 40, counts)) == []
    assert counts["the same"] > 20
