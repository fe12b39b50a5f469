"""Vestige's basic attack against mathematics: d20 with accuracy against agility, might less protection on a hit."""

from __future__ import annotations

import pytest
from icepool import d

from affray.events import Damaged, Event
from tests.rulesets.statistics import (
    SHARE,
    agree,
    chances,
    make_declaration,
    open_unstored_fight,
    sample_outcomes,
    submit_intent,
)

TIMES = 25_000 // SHARE


def damage(events: list[Event]) -> int:
    """Return the loss of the target; -1 for a miss."""
    return next((one.amount for one in events if isinstance(one, Damaged)), -1)


@pytest.mark.parametrize(
    ("accuracy", "ep", "agility", "protection"), [(2, 0, 13, 2), (2, 1, 13, 2), (0, 0, 20, 9), (5, 0, 6, 0)]
)
def test_an_attack_hits_and_hurts_as_often_as_it_should(accuracy: int, ep: int, agility: int, protection: int) -> None:
    striker = {"name": "Ilse", "side": "a", "agility": 12, "might": 4, "accuracy": accuracy, "health": 9, "ep": 5}
    target = {"name": "Wall", "side": "b", "agility": agility, "might": 0, "health": 99, "protection": protection}
    near = {"between": ["ilse", "wall"], "metres": 1}
    told = {"system": "vestige", "combatant": [{**striker, "weapons": ["sword"]}, target], "distance": [near]}
    fight = open_unstored_fight(told)
    submit_intent(fight, make_declaration("gm", "begin"))
    if fight.state.acting != ("ilse",):
        submit_intent(fight, make_declaration("wall", "end_turn"))
    found, rolls = sample_outcomes(fight, make_declaration("ilse", "attack", target="wall", ep=ep), damage, TIMES)
    exact = (d(20) + accuracy + ep).map(lambda total: max(0, 4 - protection) if total >= agility else -1)
    assert rolls == TIMES
    assert agree(found, chances(exact)) == []
