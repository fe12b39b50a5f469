"""Attacks of Worlds Without Number against mathematics: hits, damage, Shock on a miss and as a floor, two weapons."""

from __future__ import annotations

import icepool
import pytest
from icepool import d

from affray.events import Event, PoolChanged
from tests.rulesets.statistics import (
    SHARE,
    agree,
    chances,
    make_declaration,
    open_unstored_fight,
    sample_outcomes,
    standing_back,
    submit_intent,
)

TIMES = 17_000 // SHARE
BONUS, STR, SHOCK, SHOCK_AC = 5, 1, 2 + 1, 13
"""Asha's hit bonus, Strength, and her long sword's Shock with its greatest AC."""


def sum_raider_losses(events: list[Event]) -> int:
    """Return the losses of the raider."""
    return sum(one.before - one.after for one in events if isinstance(one, PoolChanged) and one.pool == "hp")


def damage(face: int, die: int, ac: int, dual: bool) -> int:
    """Return the damage for a face of the d20 and one of the d8 (WWN-008, 025, 036, 039, 041 to 043)."""
    shock = SHOCK if ac <= SHOCK_AC else 0
    hit = face == 20 or (face != 1 and face + BONUS - dual >= ac)
    return max(die + STR + 2 * dual, shock) if hit else shock


@pytest.mark.parametrize("ac", [13, 14, 18])
@pytest.mark.parametrize("dual", [False, True])
def test_an_attack_hits_shocks_and_hurts_as_often_as_it_should(ac: int, dual: bool) -> None:
    asha = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "str": 14, "dex": 14, "hp": 20}
    asha |= {"skills": {"stab": 1}, "weapons": ["sword_long", "sword_short"]}
    raider = {"name": "Raider", "side": "raiders", "ac": ac, "hp": 60, "attack": 1, "weapons": ["sword_short"]}
    close = {"members": ["asha", "raider"]}
    told = {"system": "wwn", "combatant": [asha, raider], "melee": [close]}
    fight = open_unstored_fight(told)
    standing_back(fight)
    submit_intent(fight, make_declaration("gm", "begin"))
    if fight.state.acting != ("asha",):
        submit_intent(fight, make_declaration("raider", "end_turn"))
    second = {"dual": "asha.sword_short"} if dual else {}
    blow = make_declaration("asha", "attack", target="raider", weapon="asha.sword_long", **second)
    found, rolls = sample_outcomes(fight, blow, sum_raider_losses, TIMES)
    assert rolls >= TIMES
    assert agree(found, chances(icepool.map(lambda face, die: damage(face, die, ac, dual), d(20), d(8)))) == []
