"""Names, sides and places are only identities: a fight and its twin take the same course."""

from __future__ import annotations

import pytest

from tests.engine.encounters import load_shipped_encounters
from tests.examples import THOROUGH
from tests.metamorphic.twins import CHANGES, differences

SHIPPED = sorted(load_shipped_encounters().items())
SEEDS, MOST = (20, 120) if THOROUGH else (1, 40)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", [name for name, _ in SHIPPED])
def test_a_fight_and_its_twin_go_the_same_way(name: str, change: str) -> None:
    """Nothing depends on a name or a coordinate except by the rules."""
    told = dict(SHIPPED)[name]
    for seed in range(SEEDS):
        assert list(differences(CHANGES[change], told, seed, MOST)) == []


def test_a_twin_is_another_fight() -> None:
    """Each change does change something, in some encounter."""
    for change in CHANGES.values():
        turns = [(change(told), told) for _, told in SHIPPED]
        assert any(turn is not None and turn.encounter(told) != told for turn, told in turns)
