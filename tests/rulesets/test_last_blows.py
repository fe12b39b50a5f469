"""The odds of last blows contain the exact chance: two foes that one hit takes out, in each system.

The chances are counted here from the rules, with nothing of the engine's own; those of WWN stand in
``tests/engine/odds/test_odds.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import icepool
import pytest
from icepool import d

from affray.engine import Fight
from affray.engine.analysis.odds import Plan, Precision, find_rollout_start, sample_trials
from tests.rulesets.statistics import make_declaration, open_unstored_fight, submit_intent

MANY = Precision(within=0.03, most=2000)


def begin_at_first_choice(told: dict[str, Any]) -> Fight:
    """Return a fight at its first choice."""
    fight = open_unstored_fight(told)
    submit_intent(fight, make_declaration("gm", "begin"))
    return fight


def hexblade() -> tuple[Fight, float]:
    """Two of one hit point, with daggers and light armour: both roll, who is better strikes, in a tie both do.

    It makes no difference who strikes first, since both may be struck (HEX-017 to HEX-026, HEX-034 to HEX-036).
    """
    ash, bandit = 3, 1

    def fell(mine: int, theirs: int) -> Any:
        if (mine == 20) != (theirs == 20):
            ahead = 1 if mine == 20 else -1
        else:
            ahead = 0 if mine == 20 else mine + ash - theirs - bandit

        def struck(bonus: int, face: int) -> Any:
            return (1 + (face == 20)) @ d(4) + bonus - d(4) > 0

        return icepool.tupleize(
            struck(ash, mine) if ahead >= 0 else False, struck(bandit, theirs) if ahead <= 0 else False
        )

    ends = icepool.map(fell, d(20), d(20))
    won, lost, both = (float(ends.probability(end)) for end in ((True, False), (False, True), (True, True)))
    fighter: dict[str, Any] = {"hp": 1, "hp_max": 1, "weapons": ["dagger"], "armor": "light", "pc": False}
    people = [
        {"name": "Ash", "side": "red", "str": ash, "initiative": 12, "at": "0,0", **fighter},
        {"name": "Bandit", "side": "blue", "str": bandit, "initiative": 8, "at": "1,0", **fighter},
    ]
    return begin_at_first_choice({"system": "hexblade", "board": {}, "combatant": people}), won / (won + lost + both)


def verdigris() -> tuple[Fight, float]:
    """Return a hero without Wounds and an orc, of one hit point each: a hit needs more sixes than the Dodge save.

    Who is first is rolled anew in every round, 4 to 6 for the hero (VER-003, VER-010, VER-026, VER-027, VER-090,
    VER-094).
    """

    def hits(attack: int, dodge: int) -> float:
        sixes = d(6).map(lambda face: int(face == 6))
        return float((attack @ sixes > dodge @ sixes).probability(True))

    ada, orc = hits(4 + 1 + 1, 1), hits(3 + 2 + 1, 3)
    won = (ada + (1 - orc) * ada) / 2 / (1 - (1 - ada) * (1 - orc))
    people = [
        {"name": "Ada", "side": "party", "pc": True, "strength": 4, "dodge": 3, "withstand": 0, "hp": 1, "wounds": 0,
         "skills": {"light weapons": 1}, "weapons": ["hand-axe"]},
        {"name": "Orc", "side": "enemies", "strength": 3, "dodge": 1, "withstand": 0, "hp": 1,
         "skills": {"light weapons": 2}, "weapons": ["hand-axe"]},
    ]  # fmt: skip
    return begin_at_first_choice(
        {"system": "verdigris", "combatant": people, "melee": [{"members": ["ada", "orc"]}]}
    ), won


def vestige() -> tuple[Fight, float]:
    """Two of one health: the first hit brings to the brink, each further one kills with a d20 of 9 or less.

    Each strikes twice in a turn, hits with 11 or more, and has no energy to ready anything (VES-009, VES-023, VES-026,
    VES-055 to VES-058).
    """
    hit, dies = 10 / 20, 9 / 20
    wins = {(strikes, mine, theirs): 0.5 for strikes in (1, 2) for mine in (0, 1) for theirs in (0, 1)}
    for _ in range(2000):  # until nothing changes any more
        for strikes, mine, theirs in wins:
            after = {it: 1 - wins[1, it, mine] if strikes == 2 else wins[2, mine, it] for it in (0, 1)}
            struck = dies + (1 - dies) * after[1] if theirs else after[1]
            wins[strikes, mine, theirs] = hit * struck + (1 - hit) * after[theirs]
    fighter: dict[str, Any] = {"agility": 13, "might": 4, "accuracy": 2, "health": 1, "ep": 0, "weapons": ["sword"]}
    people = [{"name": name, "side": name.lower(), **fighter} for name in ("Ilse", "Brand")]
    near = {"between": ["ilse", "brand"], "metres": 1}
    fight = begin_at_first_choice(
        {"system": "vestige", "config": {"ep_regain": 0}, "combatant": people, "distance": [near]}
    )
    first = wins[1, 0, 0]
    return fight, first if fight.state.acting == ("ilse",) else 1 - first


def wyrd() -> tuple[Fight, float]:
    """Bare hands: each turn is one test of a d6, of the hero who engages or answers; 4 and more hits, less is hit.

    Bare hands take 1, so the foe's Power d4 and the hero's d6 give way to a 1 alone (WYR-014 to WYR-016, WYR-030,
    WYR-063).
    """
    success = 1 / 2
    down, out = success / 4, (1 - success) / 6
    people = [
        {"name": "Grog", "side": "party", "pc": True, "power": 6, "grace": 6},
        {"name": "Orc", "side": "orcs", "power": 4},
    ]
    told = {"system": "wyrd", "config": {"npc_morale": False}, "combatant": people}
    return begin_at_first_choice(told), down / (down + out)


@pytest.mark.parametrize("system", [hexblade, verdigris, vestige, wyrd])
def test_the_exact_chance_lies_in_the_interval(system: Callable[[], tuple[Fight, float]]) -> None:
    """For the side that joined first."""
    fight, exact = system()
    first = next(iter(fight.state.combatants.values())).side
    *_, known = sample_trials(Plan(moment=find_rollout_start(fight)), MANY)
    assert known.enough
    assert not known.tally.unended
    assert known.tally.chance(first).low <= exact <= known.tally.chance(first).high
