"""After every command a fight is sound: who is out does nothing, bonds are what clauses say, offers are accepted."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.metamorphic.meanwhile import Counts
from tests.metamorphic.sound.driving import sound, unsound
from tests.rulesets.systems import PRESENT

FIGHTS, MOST = (400, 150) if os.environ.get("AFFRAY_PROFILE") == "thorough" else (12, 80)
"""How many fights of each system are driven, and by how many commands each."""


@pytest.mark.parametrize("system", PRESENT)
def test_a_fight_is_sound_after_every_command(system: str) -> None:
    """After declarations, rulings, answers and undos; offers are accepted, and refusals are no faults."""
    counts: Counts = Counter()
    assert [found for seed in range(FIGHTS) for found in unsound(system, seed, MOST, counts)] == []
    assert counts["offered"] > 20 * FIGHTS
    assert counts["accepted"] > 5 * FIGHTS


@pytest.mark.parametrize("system", PRESENT)
def test_every_invariant_names_its_clauses(system: str) -> None:
    """So that a game master can look them up."""
    for one in sound(system).invariants:
        assert one.__module__.endswith("common") or f"({system[:3].upper()}-" in str(one.__doc__), one.__name__
