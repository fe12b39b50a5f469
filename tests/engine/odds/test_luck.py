"""Luck: the worth of dice and decisions sums to the result; each die has its own change."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.engine.analysis.luck import Curve, compute_curve, compute_curves, list_points
from affray.engine.analysis.odds import Plan, find_rollout_start, open_workers
from affray.engine.analysis.odds import fight_rollout as trial
from affray.engine.analysis.odds.shared_rollouts import fight_together
from affray.engine.fight import Fight
from affray.events import Rolled
from tests.engine.fights import submit_accepted
from tests.engine.odds.moments import RECORDED, ROOT, fight_to_the_end, last_blows, load_recorded_fight
from tests.examples import THOROUGH, of_this_version
from tests.rulesets.statistics import make_declaration


def sides(fight: Fight) -> list[str]:
    """Return the sides of a fight, in joining order."""
    return list(dict.fromkeys(one.side for one in fight.state.combatants.values()))


def sum_shares(found: Curve) -> Fraction:
    """Return what it began with, and all that moved it."""
    return Fraction(found.opening, found.trials) + found.sum_of("luck", "decision", "ruling", "unclear")


PLAYED = of_this_version(RECORDED)[:: 1 if THOROUGH else 3]
"""The recorded fights that are fought again; a third of them unless the tests may take hours."""


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_luck_and_decisions_sum_to_the_result_of_every_recorded_fight(path: Path) -> None:
    """The sum is exact, from the view of either side."""
    fight = load_recorded_fight(path)
    side = sides(fight)[-1]
    found = compute_curve(fight, side, trials=1)
    assert sum_shares(found) == found.result
    if found.ended:
        assert found.result == (fight.state.victors == side)
    for before, after in zip(found.moves, found.moves[1:], strict=False):
        assert before.after == after.before
        assert before.position < after.position


def test_each_point_is_counted_from_its_own_moment() -> None:
    """The chance does not change at a decision that the policy would have made too."""
    fight = load_recorded_fight(ROOT / "replays/wwn/surprise-and-shock.jsonl")
    trials = 4 if THOROUGH else 2
    found, points = compute_curve(fight, "heroes", trials=trials), list_points(fight)
    assert any(one.same for one in points)
    count = found.opening
    for point, move in zip(points[1:], found.moves, strict=True):
        if point.moment is None:
            count = trials * (fight.state.victors == "heroes")
        elif not point.same:
            count = sum(trial(Plan(moment=point.moment, seed="luck"), nth).victors == "heroes" for nth in range(trials))
        assert move.after == count


@pytest.mark.parametrize("system", ["hexblade/before-the-palisade", "verdigris/ogre-cave", "wwn/riders-at-the-ford"])
def test_what_is_fought_together_ends_as_it_would_alone(system: str) -> None:
    """Also where most of the fight was not fought again."""
    points = list_points(load_recorded_fight(ROOT / f"replays/{system}.jsonl"))
    plans = [Plan(moment=one.moment) for one in points if one.moment is not None]
    plans = plans[len(plans) // 2 :][:24]
    assert fight_together(plans, 7) == [replace(trial(plan, 7), costs={}) for plan in plans]


def test_only_the_same_dice_and_fighters_are_fought_together() -> None:
    """Trials share neither random choices nor results of an aborted trial; another seed word neither."""
    moment = find_rollout_start(load_recorded_fight(ROOT / "replays/wwn/surprise-and-shock.jsonl"), 175)
    for policy, most in [("anything", 3000), ("sensible", 20), ("sensible", 21)]:
        plans = {word: Plan(moment=moment, policy=policy, most=most, seed=word) for word in "ab"}
        alone = {word: replace(trial(plan, 3), costs={}) for word, plan in plans.items()}
        assert fight_together([plans[word] for word in "aabba"], 3) == [alone[word] for word in "aabba"]


def test_a_curve_is_whole_after_every_few_trials() -> None:
    """It sums each time, and the last is that of all trials."""
    fight = fight_last_blows()
    found = list(compute_curves(fight, "red", trials=12))
    assert [one.trials for one in found] == [5, 10, 12]
    assert all(sum_shares(one) == one.result == (fight.state.victors == "red") for one in found)
    assert found[-1] == compute_curve(fight, "red", trials=12)


def fight_last_blows() -> Fight:
    """Return the last blows, fought to the end."""
    return fight_to_the_end(last_blows())


def test_the_dice_alone_move_a_fight_in_which_everybody_does_what_the_trials_do() -> None:
    """Each combatant has only one legal action; the blow that hits is worth the remaining chance."""
    fight = fight_last_blows()
    found = compute_curve(fight, fight.state.victors, trials=300)
    assert found.sum_of("decision", "ruling") == 0
    assert found.sum_of("luck") == 1 - Fraction(found.opening, 300)
    rolls = [one for one in found.moves if isinstance(fight.history.at(one.position).event, Rolled)]
    assert all(one.by == "luck" for one in rolls)
    hits = [one for one in rolls if one.after == 300 > one.before]
    assert hits
    assert not hits[0].noise


def test_a_foolish_decision_costs_what_it_costs() -> None:
    """To end the turn without a blow hands the first one to the other: 7 of 33."""
    fight = last_blows()
    actor = fight.state.acting[0]
    side = fight.state.combatants[actor].side
    submit_accepted(fight, make_declaration(actor, "end_turn"))
    found = compute_curve(fight, side, trials=500)
    (move,) = [one for one in found.moves if one.by == "decision" and one.who == actor]
    assert float(move.value) == pytest.approx(-7 / 33, abs=0.05)
    assert not move.noise
    assert not found.ended
    assert found.sum_of("decision", who=frozenset({actor})) == move.value


def test_what_the_fighters_of_the_trials_would_do_as_well_is_no_decision_that_moves_anything() -> None:
    fight = last_blows()
    points = list_points(fight)
    assert [one.same for one in points[1:2]] == [True]


def test_a_swing_in_few_trials_is_noise() -> None:
    fight = fight_last_blows()
    found = compute_curve(fight, fight.state.victors, trials=3)
    assert all(one.noise for one in found.moves if abs(one.after - one.before) < 4)


def test_luck_is_the_same_in_any_number_of_processes() -> None:
    fight = fight_last_blows()
    with open_workers(2) as work:
        assert compute_curve(fight, "red", trials=20, work=work) == compute_curve(fight, "red", trials=20)
