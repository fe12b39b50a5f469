"""A race of several declarations, with the same dice; only a significant winner is chosen."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.analysis.search import Budget
from affray.engine.analysis.search.race import STEP, Try, run_race

BUDGET = Budget(trials=96)


def coming_out(*means: float, noise: float = 0.0, seed: int = 0) -> Try:
    """Return trials with a given mean; their noise is the trial's and a little extra."""

    def trying(nth: int, number: int, rounds: int) -> float | None:
        shared, own = Random(f"{seed} {number}"), Random(f"{seed} {number} {nth}")
        return means[nth] + noise * (shared.gauss(0, 1) + 0.2 * own.gauss(0, 1))

    return trying


def test_what_is_better_every_time_is_taken() -> None:
    assert run_race(3, BUDGET, coming_out(0.5, 0.4, 0.6)).best == 2
    assert run_race(3, BUDGET, coming_out(0.6, 0.4, 0.5)).best == 0


def test_of_several_that_are_better_the_best_is_taken() -> None:
    assert run_race(5, BUDGET, coming_out(0.1, 0.2, 0.4, 0.3, 0.39)).best == 2


def test_what_comes_out_the_same_changes_nothing() -> None:
    """The usual stays, and is not asked to win again."""
    best, trials = run_race(4, BUDGET, coming_out(0.5, 0.5, 0.5, 0.5))
    assert best == 0
    assert trials <= BUDGET.trials + 4 * STEP


def test_once_everything_else_has_fallen_behind_no_more_trials_are_fought() -> None:
    assert run_race(4, BUDGET, coming_out(0.5, 0.4, 0.3, 0.2)) == (0, 4 * STEP)


def test_a_difference_that_is_too_small_to_matter_changes_nothing() -> None:
    assert run_race(2, BUDGET, coming_out(0.5, 0.502)).best == 0


def test_common_dice_show_a_difference_that_their_noise_would_hide() -> None:
    """The noise that both share is ten times the difference between them."""
    assert run_race(2, BUDGET, coming_out(0.5, 0.53, noise=0.05)).best == 1


def test_what_is_better_soon_and_worse_later_is_not_taken() -> None:
    """The last check fights more rounds, with other dice."""
    looked: dict[int, set[int]] = {}

    def trying(nth: int, number: int, rounds: int) -> float | None:
        looked.setdefault(rounds, set()).add(number)
        return (0.5, 0.8 if rounds == 1 else 0.4)[nth]

    assert run_race(2, BUDGET, trying).best == 0
    assert set(looked) == {1, BUDGET.far}
    assert len(looked[BUDGET.far]) == BUDGET.again
    assert looked[1].isdisjoint(looked[BUDGET.far])


def test_equals_are_seldom_taken_for_better() -> None:
    """Both looks must be deceived: one in fifteen times, and of those one in three."""
    taken = sum(run_race(2, BUDGET, coming_out(0.5, 0.5, noise=0.2, seed=seed)).best for seed in range(600))
    assert taken <= 20


def test_what_may_not_be_done_drops_out() -> None:
    def trying(nth: int, number: int, rounds: int) -> float | None:
        return (0.1, None, 0.9)[nth]

    assert run_race(3, BUDGET, trying).best == 2


@pytest.mark.parametrize("which", [0, 1])
def test_what_may_not_be_done_in_the_last_look_is_not_decided_on(which: int) -> None:
    """Other dice may let a trial come to where it cannot be told what comes of it."""

    def trying(nth: int, number: int, rounds: int) -> float | None:
        return None if rounds == BUDGET.far and nth == which and number % 2 else 0.5 + 0.1 * nth

    assert run_race(2, BUDGET, trying).best == 0


def test_where_the_usual_itself_cannot_be_tried_it_stays() -> None:
    assert run_race(3, BUDGET, lambda nth, number, rounds: nth or None).best == 0


@given(many=st.integers(1, 14), trials=st.integers(1, 200), seed=st.integers(0, 999))
def test_a_budget_is_kept_but_for_the_step_it_ends_in(many: int, trials: int, seed: int) -> None:
    """A step is finished for all candidates; then two of them are tried again."""
    best, fought = run_race(many, Budget(trials=trials), coming_out(*[0.5] * many, noise=0.2, seed=seed))
    assert 0 <= best < many
    assert fought < trials + many * STEP + 2 * Budget().again
    assert run_race(many, Budget(trials=trials), coming_out(*[0.5] * many, noise=0.2, seed=seed)) == (best, fought)
