"""Fights that do not end, and why it is said that they do not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from affray.engine import begin_fight
from affray.engine.analysis import policy_registry
from affray.engine.analysis.odds import Plan, RolloutResult, Tally, estimate_share, fight_rollout, find_rollout_start
from affray.engine.analysis.policies import DecidesFor, Playable, choose_sensibly, decide_for_all
from affray.engine.analysis.stalemate import PATIENCE
from affray.engine.fight import Fight
from affray.events import Event, Ruled
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.odds.moments import endless, fists_on_leather, last_blows
from tests.rulesets.statistics import make_declaration, params

FEW = 60
"""So many commands are enough for all that is tried here."""


def place_four_apart(hex_feet: int = 5) -> Fight:
    """Return two of Hexblade, with nothing but daggers, four hexes apart."""
    ada = {"name": "Ada", "side": "wardens", "pc": True, "at": "0,0"}
    hook = {"name": "Hook", "side": "robbers", "initiative": 9, "at": "4,0"}
    encounter = {
        "system": "hexblade",
        "name": "apart",
        "config": {"hex_feet": hex_feet},
        "combatant": [{"hp": 4, "weapons": ["dagger"], **one} for one in (ada, hook)],
    }
    fight = begin_fight("apart", encounter, who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, make_declaration("gm", "begin"))
    return fight


def trial(fight: Fight, **how: Any) -> RolloutResult:
    """Fight on once."""
    return fight_rollout(Plan(moment=find_rollout_start(fight), **how), 0)


def test_nobody_gets_to_anybody() -> None:
    """A hex is 100 feet wide, and no combatant moves 100 feet a turn: all rounds would be the same."""
    found = trial(place_four_apart(hex_feet=100), most=FEW)
    assert (found.ended, found.unended, found.victors, found.rounds) == (False, "stalemate", "", 3)
    assert trial(place_four_apart(hex_feet=5)).ended


def test_real_dice_for_the_order_of_turns_matter_no_more_than_the_engine_s() -> None:
    fight = place_four_apart(hex_feet=100)
    submit_accepted(fight, Ruled(kind="dice", params=params(owner="*", source="entered"), reason="their own dice"))
    assert trial(fight, most=FEW).unended == "stalemate"


def test_nobody_can_hurt_anybody() -> None:
    """Two with more protection than might; they stand before each other and wait."""
    assert trial(endless(), most=FEW).unended == "stalemate"


def test_whatever_is_tried_comes_to_nothing() -> None:
    """They strike in every round; after a hundred that left them as they were when the second began, it is given up."""
    found = trial(fists_on_leather())
    assert (found.unended, found.rounds) == ("stalemate", 2 + PATIENCE)


def test_with_nobody_against_anybody_any_more_it_is_over() -> None:
    fight = last_blows()
    assert trial(fight).ended
    submit_accepted(
        fight, Ruled(kind="relate", params=params(relation="allies", members=["asha", "bran"]), reason="a truce")
    )
    assert trial(fight, most=FEW).ended


def test_as_long_as_a_time_runs_it_is_no_stalemate() -> None:
    """Another action may be possible when the time is over."""
    fight = place_four_apart(hex_feet=100)
    submit_accepted(
        fight, Ruled(kind="effect", params=params(who="ada", condition="blinded", rounds=10), reason="smoke")
    )
    found = trial(fight)
    assert (found.unended, found.rounds) == ("stalemate", 13)


@pytest.mark.parametrize(("policy", "most", "why"), [("sensible", FEW, "stalemate"), ("anything", 16, "limit")])
def test_a_stalemate_leaves_nothing_to_chance(policy: str, most: int, why: str) -> None:
    """A combatant that acts at random may do another thing in the next round; a ruling at random may end the fight."""
    assert trial(place_four_apart(hex_feet=100), policy=policy, most=most).unended == why


def test_a_fight_may_take_so_many_commands() -> None:
    assert trial(last_blows(), most=1).unended == "limit"
    assert trial(last_blows()).unended == ""


def test_a_policy_that_finds_nothing_gets_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
        return choose_sensibly(fight, dice, among) if fight.table.draft.round == 0 else None

    monkeypatch.setitem(policy_registry.POLICIES, "lost", lost)
    assert trial(last_blows(), policy="lost").unended == "stuck"


def test_they_are_counted_by_why() -> None:
    tally = Tally()
    tally.add([trial(last_blows(), most=1), trial(place_four_apart(hex_feet=100)), trial(last_blows())])
    assert (tally.unended, tally.why_not) == (2, {"limit": 1, "stalemate": 1})
    assert sum(tally.wins.values()) == 1


def test_that_none_ends_is_soon_known() -> None:
    """It is a chance like those of the sides, so the trials end before their maximum."""
    tally = Tally()
    tally.add([trial(place_four_apart(hex_feet=100))] * 128)
    assert tally.widest == estimate_share(128, 128).half < 0.03
