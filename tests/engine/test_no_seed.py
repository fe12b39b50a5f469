"""Fights without a seed: all dice are entered, and no ruling makes the engine throw them."""

import pytest

from affray.engine import Refused, begin_fight
from tests.engine.conftest import two
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore
from tests.engine.phases import submit_lines


@pytest.mark.parametrize("owner", ["*", "ilse"])
def test_engine_dice_are_refused_without_a_seed(owner: str) -> None:
    """The refusal tells how to open a fight with some engine dice; nothing is recorded."""
    fight = begin_fight(NAME, two(), who="gm", seed=None, store=MemoryStore(), clock=noon)
    head = fight.head
    with pytest.raises(Refused, match="--dice entered:a") as found:
        submit_lines(fight, f"rule dice {owner} engine")
    assert (found.value.code, fight.head) == ("no_seed", head)
    submit_lines(fight, f"rule dice {owner} entered")


def test_engine_dice_are_ruled_again_with_a_seed() -> None:
    """A game master who ruled that dice are entered may take that back."""
    fight = begin_fight(NAME, two(), who="gm", seed=SEED, store=MemoryStore(), clock=noon)
    submit_lines(fight, "rule dice * entered", "rule dice * engine", "begin")
    assert fight.state.awaited is None
