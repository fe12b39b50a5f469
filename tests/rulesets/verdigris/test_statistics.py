"""Verdigris' attack against mathematics: pools against Dodge and Withstand, with and without armour and push."""

from __future__ import annotations

from typing import Any

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
    submit_intent,
)

TIMES = 13_000 // SHARE
POOL, PANIC, LISTED, DODGE, WITHSTAND = 4 + 1 + 3, 3, 2, 2, 2
"""Ada's dice for a long sword, her Panic save, the sword's damage, and the orc's saves."""


def sum_orc_losses(events: list[Event]) -> int:
    """Return the losses of the orc."""
    return sum(
        one.before - one.after
        for one in events
        if isinstance(one, PoolChanged) and (one.who, one.pool) == ("orc", "hp")
    )


def sixes(dice: int) -> Any:
    """Return the chances of each number of sixes among dice (VER-S02)."""
    return dice @ d(6).map(lambda face: int(face == 6))


def model_push() -> Any:
    """Ada's success level after a push (VER-S07, S11, S12).

    Sixes and ones stay, the rest falls again with one new stress die; a one on that forces a Panic save of one success,
    and who fails it scores nothing.
    """
    again = d(6).map(lambda face: int(face == 6) if face in (1, 6) else d(6).map(lambda second: int(second == 6)))

    def with_stress(face: int, level: int) -> Any:
        if face == 1:
            return sixes(PANIC).map(lambda calm: level if calm else 0)
        return level + (face == 6)

    return icepool.map(with_stress, d(6), POOL @ again)


def damage(attack: int, dodge: int, armor: int) -> Any:
    """Return the chances of final damage; four sixes double the listed damage (VER-027, 030, 078, 099)."""
    if attack <= dodge:
        return 0
    gross = LISTED * (2 if attack >= 4 else 1) + attack - dodge
    return sixes(WITHSTAND + armor).map(lambda soaked: max(0, gross - soaked))


@pytest.mark.parametrize(("armor", "rating"), [("", 0), ("scalemail", 4)])
@pytest.mark.parametrize("push", [False, True])
def test_an_attack_hurts_as_often_as_it_should(armor: str, rating: int, push: bool) -> None:
    ada = {"name": "Ada", "side": "party", "pc": True, "strength": 4, "agility": 3, "dodge": 3, "withstand": 2}
    ada |= {"panic": PANIC, "hp": 5, "skills": {"heavy weapons": 1}, "weapons": ["long-sword"]}
    orc: dict[str, Any] = {"name": "Orc", "side": "enemies", "block": "orc", "hp": 40, "hp_max": 40}
    orc |= {"dodge": DODGE + (1 if armor else 0), "withstand": WITHSTAND, "armor": armor}
    told = {"system": "verdigris", "combatant": [ada, orc], "melee": [{"members": ["ada", "orc"]}]}
    fight = open_unstored_fight(told)
    submit_intent(fight, make_declaration("gm", "begin"))
    submit_intent(fight, make_declaration("ada", "roll_initiative"))
    while fight.state.acting != ("ada",):
        if fight.state.acting:
            submit_intent(fight, make_declaration("orc", "end_turn"))
        else:
            first = "ada" if fight.table.draft.mark("fight", "side_due") == "party" else "orc"
            submit_intent(fight, make_declaration(first, "begin_turn"))
    replies = {"push": "push" if push else "keep"}
    found, rolls = sample_outcomes(
        fight, make_declaration("ada", "attack", target="orc"), sum_orc_losses, TIMES, replies
    )
    attack = model_push() if push else sixes(POOL)
    exact = icepool.map(lambda level, dodge: damage(level, dodge, rating), attack, sixes(DODGE))
    assert rolls >= 2 * TIMES
    assert agree(found, chances(exact)) == []
