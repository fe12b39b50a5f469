"""Hexblade's opposed attack against mathematics, from three levels of disadvantage to three of advantage."""

from __future__ import annotations

from typing import Any

import icepool
import pytest
from icepool import d

from affray.events import Event, PoolChanged, Ruled
from tests.rulesets.statistics import (
    SHARE,
    agree,
    chances,
    make_declaration,
    open_unstored_fight,
    params,
    sample_outcomes,
    submit_intent,
)

TIMES = 8_000 // SHARE


def sum_both_losses(events: list[Event]) -> tuple[int, int]:
    """Return the losses of Bandit and Ash."""
    hurt = {one.who: one.before - one.after for one in events if isinstance(one, PoolChanged) and one.pool == "hp"}
    return hurt.get("bandit", 0), hurt.get("ash", 0)


def blow(sides: int, bonus: int, armor: int, critical: bool) -> Any:
    """The damage of a blow: dice, twice as many if critical, with the bonus, less the armour (HEX-021 to 025, 035)."""
    return ((1 + critical) @ d(sides) + bonus - d(armor)).map(lambda amount: max(0, amount))


def harm(mine: int, theirs: int) -> Any:
    """Return both losses for these faces: Ash +3 with a long sword, the Bandit +1 with a hand axe (HEX-034, 036)."""
    strikes = blow(8, 3, 4, mine == 20)
    answers = blow(6, 1, 6, theirs == 20)
    if (mine == 20) != (theirs == 20):
        ahead = 1 if mine == 20 else -1
    else:
        ahead = 0 if mine == 20 else (mine + 3 > theirs + 1) - (mine + 3 < theirs + 1)
    return icepool.tupleize(strikes if ahead >= 0 else 0, answers if ahead <= 0 else 0)


@pytest.mark.parametrize("levels", range(-3, 4))
def test_both_sides_are_hurt_as_often_as_they_should(levels: int) -> None:
    ash = {"name": "Ash", "side": "party", "block": "fighter", "hp": 99, "hp_max": 99, "at": "0,0"}
    bandit = {"name": "Bandit", "side": "foes", "block": "bandit", "hp": 99, "hp_max": 99, "at": "1,0"}
    told = {"system": "hexblade", "board": {}, "combatant": [ash, bandit]}
    fight = open_unstored_fight(told)
    for words in (("gm", "begin"), ("ash", "roll_initiative")):
        submit_intent(fight, make_declaration(*words))
    if fight.state.slots[0].id == "bandit":
        for word in ("begin_turn", "end_turn"):
            submit_intent(fight, make_declaration("bandit", word))
    submit_intent(fight, make_declaration("ash", "begin_turn"))
    if levels:
        submit_intent(fight, Ruled(kind="modify", params=params(who="ash", by=levels), reason="the slope"))
    found, rolls = sample_outcomes(fight, make_declaration("ash", "attack", target="bandit"), sum_both_losses, TIMES)
    kept = d(20).highest(1 + levels, 1) if levels >= 0 else d(20).lowest(1 - levels, 1)
    assert rolls >= 4 * TIMES
    assert agree(found, chances(icepool.map(harm, kept, d(20)))) == []
