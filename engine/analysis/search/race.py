"""A race of candidates: trials with the same dice, and the worse ones drop out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

STEP = 4
"""The number of trials of each candidate between eliminations."""

Try = Callable[[int, int, int], float | None]
"""Fights a trial of a candidate, given its index, the trial's number and the rounds. Returns its value, or ``None``
if the candidate is not legal."""


class Budget(Struct, frozen=True, kw_only=True):
    """The budget of a decision, and its required certainty.

    Attributes:
        candidates: The number of alternatives to try.
        trials: The most trials to find the best of them.
        rounds: The length of such a trial in rounds, counting the present one.
        sure: The number of standard errors of the difference by which an alternative must be better.
        least: The least advantage of an alternative, where a victory counts 1 and a defeat 0.
        again: The number of further trials, with other dice, of it and of the usual action.
        far: The length of those in rounds.
        still: The number of standard errors by which it must still be better then.
    """

    candidates: int = 11
    trials: int = 96
    rounds: int = 1
    sure: float = 1.75
    least: float = 0.003
    again: int = 32
    far: int = 4
    still: float = 0.75


USUAL = Budget()
"""The usual budget; a decision takes some tens of milliseconds."""


class Race(NamedTuple):
    """The result of a race: the index of the best candidate, and the number of trials."""

    best: int
    trials: int


def run_race(many: int, budget: Budget, trying: Try) -> Race:
    """Return the best candidate: the first, unless another is surely better.

    The first is the usual action. Trials of a number have the same dice, so the difference of two candidates is a mean
    of paired
    differences. A candidate that is better early must still be better after more rounds. Otherwise its advantage is
    paid for later.
    """
    worth: dict[int, list[float]] = {nth: [] for nth in range(many)}
    fought = 0
    while len(worth) > 1 and fought < budget.trials:
        for nth in list(worth):
            came = _run_trials(nth, len(worth[nth]), STEP, budget.rounds, trying)
            fought += STEP
            if came is not None:
                worth[nth] += came
            elif nth:
                del worth[nth]
            else:
                return Race(0, fought)
        _drop_half(worth)
    ahead = {nth: _measure_lead(came, worth[0]) for nth, came in worth.items() if nth}
    sure = [(lead, nth) for nth, (lead, error) in ahead.items() if lead > max(budget.least, budget.sure * error)]
    if not sure:
        return Race(0, fought)
    best = max(sure)[1]
    usual, other = (_run_trials(nth, fought, budget.again, budget.far, trying) for nth in (0, best))
    fought += 2 * budget.again
    if usual is None or other is None:
        return Race(0, fought)
    lead, error = _measure_lead(other, usual)
    return Race(best if lead > budget.still * error else 0, fought)


def _run_trials(nth: int, start: int, many: int, rounds: int, trying: Try) -> list[float] | None:
    """Return the values of some trials of a candidate; ``None`` if it is not legal."""
    came = [trying(nth, number, rounds) for number in range(start, start + many)]
    found = [one for one in came if one is not None]
    return found if len(found) == many else None


def _drop_half(worth: dict[int, list[float]]) -> None:
    """Drop the worse half of the alternatives, and all that are surely behind.

    Behind means by more than a standard error.
    """
    leads = {nth: _measure_lead(came, worth[0]) for nth, came in worth.items() if nth}
    best = sorted(leads, key=lambda nth: leads[nth][0], reverse=True)
    for place, nth in enumerate(best):
        lead, error = leads[nth]
        if place >= (len(best) + 1) // 2 or lead + error < 0:
            del worth[nth]


def _measure_lead(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Return the mean advantage of a candidate over another, and its standard error."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    many = len(differences)
    mean = sum(differences) / many
    return mean, sqrt(sum((one - mean) ** 2 for one in differences) / (many * (many - 1)))
