"""The policy that looks ahead: what it does is legal, always the same, owes nothing to secret dice, and is no worse."""

from __future__ import annotations

from random import Random

import pytest

from affray.engine import Fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.analysis.search import Budget, SearchPolicy
from affray.engine.core.draft import Draft
from affray.engine.integrity.commitment import engine_dice
from affray.engine.runtime.decider import Decider
from affray.events import Declared
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import submit_accepted
from tests.engine.searching.scenes import Idle, not_to_be_thrown, open_at_the_brink, open_unplayed_fight
from tests.rulesets.systems import PRESENT

QUICK = SearchPolicy(Budget(candidates=2, trials=8, again=2, far=1))
"""Looks ahead as cheaply as it can."""


def first_of(system: str) -> Fight:
    """Return a fight from the template of a system."""
    return open_unplayed_fight(load_shipped_encounters()[f"{system}/template"], bytes([7]) * 32)


def let_policy_play(fight: Fight, policy: SearchPolicy, chance: Random, many: int) -> Fight:
    """Let a policy play all combatants for a number of commands at most."""
    for _ in range(many):
        intent = policy(fight, chance)
        if intent is None:
            break
        submit_accepted(fight, intent)
    return fight


def on(fight: Fight) -> None:
    """Let a combatant take its sensible action."""
    intent = choose_sensibly(fight, Random(0))
    assert intent is not None
    submit_accepted(fight, intent)


@pytest.mark.parametrize("system", PRESENT)
def test_what_it_does_may_be_done_and_is_the_same_whatever_the_stream_of_chance(system: str) -> None:
    """Every choice is accepted, at quiet moments and in the middle of things; and two runs stay in step."""
    one = let_policy_play(first_of(system), QUICK, Random(1), 20)
    other = let_policy_play(first_of(system), QUICK, Random(2), 20)
    assert one.history.head_hash == other.history.head_hash


@pytest.mark.parametrize("system", PRESENT)
def test_no_die_of_the_fight_falls_while_it_thinks_and_nothing_is_written(system: str) -> None:
    """So it cannot foresee what will; what it would do with the dice out of reach is what it does."""
    fight = first_of(system)
    for _ in range(12):
        before = fight.head
        intent = QUICK(fight, Random(0))
        assert intent is not None
        assert intent == QUICK(not_to_be_thrown(fight), Random(0))
        assert fight.head == before
        submit_accepted(fight, intent)


def test_it_would_rather_strike_a_at_the_brink_than_do_nothing() -> None:
    """The search finds the better action, even if the policy prefers to do nothing."""
    idle = Idle(open_at_the_brink())
    usual, found = choose_sensibly(idle, Random(0)), SearchPolicy()(idle, Random(0))
    assert isinstance(usual, Declared)
    assert isinstance(found, Declared)
    assert (usual.kind, found.kind) == ("end_turn", "attack")
    assert found.actor == usual.actor


def test_it_decides_only_for_those_it_is_asked_to() -> None:
    fight = first_of("wyrd")
    on(fight)
    who = fight.table.draft.acting[0]
    mine = fight.state.combatants[who].side
    theirs = {name for name, one in fight.state.combatants.items() if one.side != mine}
    assert QUICK(fight, Random(0), theirs.__contains__) is None
    intent = QUICK(fight, Random(0), lambda name: name not in theirs)
    assert isinstance(intent, Declared)
    assert intent.actor == who


def test_what_there_is_no_choice_about_is_done_without_a_trial() -> None:
    """The game master's beginning; and once it is over, nothing is left to do."""
    fight = first_of("wyrd")
    begun = SearchPolicy().search(fight, Random(0))
    assert begun.intent == choose_sensibly(fight, Random(0))
    assert (begun.candidates, begun.trials) == ((), 0)
    while (intent := choose_sensibly(fight, Random(0))) is not None:
        submit_accepted(fight, intent)
    assert fight.state.ended
    assert SearchPolicy().search(fight, Random(0)).intent is None


def test_a_decider_in_the_middle_of_something_is_played_sensibly() -> None:
    """It has no record of what led there; a whole fight is searched there too."""
    fight = first_of("wyrd")
    decider = Decider(
        fight.ruleset, Draft(fight.state), fight.table.config, engine_dice(fight.history.recorded, bytes([7]) * 32)
    )
    while decider.draft.quiet:
        intent = choose_sensibly(decider, Random(0))
        assert intent is not None
        decider.carry_out(intent)
        submit_accepted(fight, intent)
    asked = QUICK.search(decider, Random(0))
    assert (asked.intent, asked.candidates) == (choose_sensibly(decider, Random(0)), ())


@pytest.mark.parametrize("system", PRESENT)
def test_a_budget_is_kept(system: str) -> None:
    """It never tries more declarations than the budget, or more trials than the budget and one step."""
    fight = first_of(system)
    searched = 0
    for _ in range(12):
        decision = QUICK.search(fight, Random(0))
        assert decision.intent is not None
        searched += decision.trials > 0
        assert len(decision.candidates) <= 1 + QUICK.budget.candidates
        assert len(set(map(str, decision.candidates))) == len(decision.candidates)
        most = QUICK.budget.trials + 8 * len(decision.candidates) + 2 * QUICK.budget.again
        assert decision.trials < most
        submit_accepted(fight, decision.intent)
    assert searched > 1
