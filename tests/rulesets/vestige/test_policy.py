"""Preferences of a sensible fighter of Vestige."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from affray.engine.core.actions import Action
from affray.engine.fight import Fight
from affray.engine.rulesets.vestige.attack import PLAIN, Attack, accuracy, might, sum_bonus, sum_might
from affray.engine.rulesets.vestige.chapters.delay import Delay, Reinsert
from affray.engine.rulesets.vestige.chapters.ready import Ready
from affray.engine.rulesets.vestige.chapters.skills import Improvise, Skill
from affray.engine.rulesets.vestige.gear import Reload, Swap
from affray.engine.rulesets.vestige.harm import Forfeit, Harm
from affray.engine.rulesets.vestige.movement.moving import Move, Shift
from affray.engine.rulesets.vestige.odds import hit_chance, hold_chance
from affray.engine.rulesets.vestige.policy import appraise
from affray.engine.rulesets.vestige.turns.order import EndTurn
from affray.engine.rulesets.vestige.turns.procedures import Begin
from tests.fuzz_commands.driving import encounters_of
from tests.rulesets.statistics import open_unstored_fight
from tests.rulesets.vestige.fights import FIGHTER, act_in_vestige, begin_vestige_fight, four, rule_in_vestige


def likes(fight: Fight, action: Action, who: str = "ada", manner: str = "standard") -> float:
    """Return how good an action looks."""
    return appraise(fight.table, who, action, manner)


def test_blows_are_worth_what_they_promise_by_the_chances_of_the_book() -> None:
    """The chance to hit, and what a hit takes of the health or, at the brink, of the life; energy is better kept."""
    fight = four()
    assert likes(fight, Attack(target="bo")) == 60 + 40 * float(hit_chance(0, 12)) * 3 / 9
    assert likes(fight, Attack(target="di")) == 60 + 40 * float(hit_chance(0, 10)) * 3 / 4
    assert likes(fight, Attack(target="di", ep=2)) == 60 + 40 * float(hit_chance(2, 10)) * 3 / 4 - 8
    assert likes(fight, Attack(target="di")) > likes(fight, Attack(target="di", ep=2))
    assert likes(fight, Skill(skill="lunge", target="bo", ep=1)) == 60 + 40 * float(hit_chance(1, 12)) * 3 / 9 - 4
    rule_in_vestige(fight, "pool", who="bo", pool="health", to=0)
    assert likes(fight, Attack(target="bo")) == 60 + 40 * float(hit_chance(0, 12)) * (1 - float(hold_chance()))


def test_what_an_attack_promises_adds_up_the_very_terms_that_its_roll_shows() -> None:
    """For every combatant of every encounter with each weapon and skill, useful together or not."""
    looked_at = 0
    for encounter in encounters_of("vestige"):
        table = open_unstored_fight(encounter).table
        for who in table.draft.combatants:
            things = table.items_of(who)
            skills = [PLAIN, *(one for one in things if one.kind == "skill")]
            for weapon, skill in product([one for one in things if one.kind == "weapon"], skills):
                terms = accuracy(table, who, weapon, skill, 0)
                assert sum_bonus(table, who, "accuracy", weapon, skill) == sum(one.value for one in terms)
                assert sum_might(table, who, weapon, skill) == sum(
                    one.value for one in might(table, who, weapon, skill)
                )
                looked_at += 1
    assert looked_at > 100


def test_what_is_aimed_at_nobody_has_its_own_worth() -> None:
    worth: dict[Action, float] = {
        Begin(): 2,
        Begin(surprising="foes"): 0,
        Begin(cause="first_attack", attacker="ada", target="bo"): 0,
        Reload(): 55,
        EndTurn(): 10,
        Ready(): 12,
        Reinsert(): 90,
        Delay(): -50,
        Forfeit(): -40,
        Swap(weapon="ada.bow", payment="ep"): 1,
        Shift(to="0,1"): -5,
        Skill(skill="slip-away"): -5,
        Improvise(what="sing"): 50,
        Harm(who="bo", amount=1): 0,
    }
    fight = four()
    assert {one: likes(fight, one) for one in worth} == worth


CLOSER = 30.0
AWAY = -30.0


@pytest.mark.parametrize(
    ("who", "path", "worth"),
    [
        ("ada", ("0,-1",), AWAY),  # Bo is in reach
        ("di", ("3,0",), AWAY),  # a bow reaches
        ("cy", ("1,1",), AWAY),  # a spear reaches as it is
        ("bo", ("2,0",), AWAY),
    ],
)
def test_nobody_walks_who_can_strike(who: str, path: tuple[str, ...], worth: float) -> None:
    assert likes(four(), Move(path=path), who) == worth


def test_who_cannot_strike_closes_in() -> None:
    """By as many metres as the nearest enemy who can still fight is nearer then; not to where it is as far."""
    fight = four(bo={"at": "9,0"}, di={"at": "6,0"})
    assert likes(fight, Move(path=("1,0",))) == CLOSER + 1
    assert likes(fight, Move(path=("1,1", "2,1", "3,1"))) == CLOSER + 3
    assert likes(fight, Move(path=("0,-1",))) == AWAY
    assert likes(fight, Move(path=("-1,0",))) == AWAY
    assert likes(fight, Move(path=("1,0",)), manner="readied") == 5
    rule_in_vestige(fight, "unable", who="di")
    assert likes(fight, Move(path=("1,0", "2,0"))) == CLOSER + 2
    rule_in_vestige(fight, "place", who="bo", to="0,9")
    assert likes(fight, Move(path=("0,-1",))) == AWAY
    assert likes(fight, Move(path=("0,1",))) == CLOSER + 1


def test_who_is_just_out_of_reach_closes_in() -> None:
    fight = four(bo={"at": "2,0"}, di={"at": "9,0"})
    assert likes(fight, Move(path=("1,0",))) == CLOSER + 1
    assert (
        likes(four(bo={"at": "2,0", "side": "heroes"}, di={"at": "9,0", "side": "heroes"}), Move(path=("1,0",))) == AWAY
    )


def test_without_a_board_the_longer_way_is_the_better() -> None:
    people: list[dict[str, Any]] = [{**FIGHTER, "name": name, "side": name} for name in ("Ada", "Bo")]
    fight = open_unstored_fight(
        {"system": "vestige", "combatant": people, "distance": [{"between": ["ada", "bo"], "metres": 7}]}
    )
    assert likes(fight, Move(metres=4)) == CLOSER + 4


def test_a_token_is_kept_for_an_enemy() -> None:
    """It is worth little while nothing is pending, or a friend acts; against an enemy a blow is as good as ever."""
    fight = begin_vestige_fight(four(cy={"agility": 1}))
    for who in ("cy", "di"):
        rule_in_vestige(fight, "condition", who=who, condition="readied")
    assert likes(fight, Attack(target="bo"), "cy", "readied") == 5
    act_in_vestige(fight, "ada", "attack", target="bo")
    assert likes(fight, Attack(target="bo"), "cy", "readied") == 5
    assert likes(fight, Attack(target="ada"), "di", "readied") == 60 + 40 * float(hit_chance(0, 10)) * 3 / 9
