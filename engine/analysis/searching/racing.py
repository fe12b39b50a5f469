"""Several declarations race: all are tried with the same dice, those that fall behind drop out, the others go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

STEP = 4
"""After so many trials of each those that have fallen behind drop out."""

Try = Callable[[int, int, int], float | None]
"""Tries the nth candidate with the dice of a number for so many rounds; says how good it came out, or nothing where it
may not be done."""


class Budget(Struct, frozen=True, kw_only=True):
    """What a decision may cost, and how sure it must be.

    Attributes:
        candidates: How many other declarations are tried.
        trials: How many trials may be fought to find the best of them.
        rounds: How many rounds such a trial goes on for, the one it begins in included.
        sure: By how many standard errors of the difference another one must be better.
        least: By how much it must be better, where to win is 1 and to lose 0.
        again: How many more trials it and the usual must then fight, with other dice.
        far: How many rounds those go on for.
        still: By how many standard errors it must still be better then.
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
"""Some tens of milliseconds a decision."""


class Race(NamedTuple):
    """How a race ended: which candidate is best, and how many trials were fought."""

    best: int
    trials: int


def race(many: int, budget: Budget, trying: Try) -> Race:
    """Return which of so many candidates is best: the first, which is the usual, unless another is surely better.

    Trials of a number have the same dice, so that the difference of two candidates is a mean of paired differences.
    What is better soon must still be so after a longer time, or it was paid for later.
    """
    worth: dict[int, list[float]] = {nth: [] for nth in range(many)}
    fought = 0
    while len(worth) > 1 and fought < budget.trials:
        for nth in list(worth):
            came = _some(nth, len(worth[nth]), STEP, budget.rounds, trying)
            fought += STEP
            if came is not None:
                worth[nth] += came
            elif nth:
                del worth[nth]
            else:
                return Race(0, fought)
        _drop_half(worth)
    ahead = {nth: _lead(came, worth[0]) for nth, came in worth.items() if nth}
    sure = [(lead, nth) for nth, (lead, error) in ahead.items() if lead > max(budget.least, budget.sure * error)]
    if not sure:
        return Race(0, fought)
    best = max(sure)[1]
    usual, other = (_some(nth, fought, budget.again, budget.far, trying) for nth in (0, best))
    fought += 2 * budget.again
    if usual is None or other is None:
        return Race(0, fought)
    lead, error = _lead(other, usual)
    return Race(best if lead > budget.still * error else 0, fought)


def _some(nth: int, start: int, many: int, rounds: int, trying: Try) -> list[float] | None:
    """Return how so many trials of a candidate came out; nothing if it may not be done."""
    came = [trying(nth, number, rounds) for number in range(start, start + many)]
    found = [one for one in came if one is not None]
    return found if len(found) == many else None


def _drop_half(worth: dict[int, list[float]]) -> None:
    """Let go of the worse half of the others, and of all that are behind by more than a standard error."""
    leads = {nth: _lead(came, worth[0]) for nth, came in worth.items() if nth}
    best = sorted(leads, key=lambda nth: leads[nth][0], reverse=True)
    for place, nth in enumerate(best):
        lead, error = leads[nth]
        if place >= (len(best) + 1) // 2 or lead + error < 0:
            del worth[nth]


def _lead(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Return by how much one is better than another on average, and the standard error of that."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    many = len(differences)
    mean = sum(differences) / many
    return mean, sqrt(sum((one - mean) ** 2 for one in differences) / (many * (many - 1)))
