"""Fights that policies play: by side, as far as those with a policy can act."""

from __future__ import annotations

from random import Random

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.analysis.playing import play
from affray.engine.analysis.policies import DecidesFor, Playable, choose_anything, choose_sensibly, decide_for_all
from affray.engine.commands import declare, rule
from affray.engine.errors import NoSuch
from affray.events import Event
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, submit_accepted
from tests.rulesets.systems import PRESENT

ENCOUNTERS = {content["system"]: content for content in load_shipped_encounters().values()}


def begin(system: str) -> Fight:
    return begin_fight("played", ENCOUNTERS[system], who="gm", seed=SEED, clock=noon)


def sides_of(fight: Fight) -> list[str]:
    return sorted({one.side for one in fight.state.combatants.values()})


@pytest.mark.parametrize("system", PRESENT)
def test_a_fight_whose_sides_all_have_policies_ends(system: str) -> None:
    fight = begin(system)
    one, *others = sides_of(fight)
    outcomes = list(play(fight, {one: choose_sensibly, **dict.fromkeys(others, choose_anything)}))
    assert fight.state.ended
    assert sum(len(outcome.recorded) for outcome in outcomes) == fight.head - outcomes[0].recorded[0].position + 1


def test_a_loop_that_stops_goes_on_where_it_stopped() -> None:
    fight = begin("wwn")
    policies = dict.fromkeys(sides_of(fight), choose_sensibly)
    assert len(list(play(fight, policies, most=5))) == 5
    position = fight.head
    for _ in play(fight, policies):
        break
    assert fight.head == position + len(fight.history.recorded[position:])
    assert len(fight.history.commands) == 1 + 6


def test_a_side_without_a_policy_is_left_to_the_caller() -> None:
    fight = begin("vestige")
    mine, theirs = sides_of(fight)
    for _ in play(fight, {theirs: choose_sensibly}):
        assert not fight.state.ended
    state = fight.state
    waiting = state.question.of if state.question else state.window.to if state.window else state.acting
    assert {state.combatants[who].side for who in waiting} == {mine}


def test_the_game_master_is_left_to_the_caller_if_wanted() -> None:
    fight = begin("wwn")
    everyone = dict.fromkeys(sides_of(fight), choose_sensibly)
    assert list(play(fight, {**everyone, "gm": None})) == []
    submit_accepted(fight, declare("gm", "begin"))
    assert len(list(play(fight, {**everyone, "gm": None}, most=3))) == 3


def test_the_game_master_may_have_a_policy() -> None:
    asked: list[str] = []

    def watch(fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
        asked.append(fight.table.draft.phase)
        return choose_sensibly(fight, dice, among)

    assert len(list(play(begin("wwn"), {"gm": watch}))) == 1
    assert asked[0] == "setup"


def test_real_dice_are_left_to_the_caller() -> None:
    fight = begin("wwn")
    submit_accepted(fight, rule("dice", "we like to throw", owner="*", source="entered"))
    list(play(fight, dict.fromkeys(sides_of(fight), choose_sensibly)))
    assert fight.state.awaited is not None


def test_a_side_that_is_not_there_is_said() -> None:
    with pytest.raises(NoSuch, match="there is no side lurkers; there are "):
        play(begin("wwn"), {"lurkers": choose_sensibly})


def test_the_same_head_gives_the_same_choices() -> None:
    ended = []
    for _ in range(2):
        fight = begin("wyrd")
        list(play(fight, dict.fromkeys(sides_of(fight), choose_anything), most=20))
        ended.append(fight.history.head_hash)
    assert ended[0] == ended[1]
