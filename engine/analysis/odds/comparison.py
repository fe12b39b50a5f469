"""Compare declarations by trials with the same dice.

Two trials of one number meet the same faces wherever they make the same rolls. So the difference of
the two varies less by chance than either of them (common random numbers).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from .sampling import Precision, split_into_batches
from .tally import ShareEstimate, Z, estimate_share
from .trials import Plan, make_trial_dice
from .workers import Work, fight_in_process


class PlanDifference(Struct, frozen=True, kw_only=True):
    """The advantage of one declaration over another.

    Attributes:
        value: The difference of the chances, from -1 to 1.
        low, high: The 95 % confidence interval.
        cut: The part of the variance that common dice remove, compared with independent trials.
    """

    value: float
    low: float
    high: float
    cut: float

    @property
    def is_noise(self) -> bool:
        """True if the interval contains 0."""
        return self.low <= 0 <= self.high


class PlanComparison(Struct, frozen=True, kw_only=True):
    """The results of several plans after the same number of trials of each.

    Attributes:
        side: The side that is to win.
        won: Whether the side won, by plan and trial.
        enough: Whether the wanted precision is reached.
    """

    side: str
    won: list[list[bool]]
    enough: bool = False

    def chance(self, nth: int) -> ShareEstimate:
        """Return the chance to win by a plan."""
        return estimate_share(sum(self.won[nth]), len(self.won[nth]))

    @property
    def widest(self) -> float:
        """The largest half-width of all the chances."""
        return max(self.chance(nth).half for nth in range(len(self.won)))

    def difference(self, nth: int, other: int) -> PlanDifference:
        """Return the advantage of a plan over another."""
        return estimate_difference(self.won[nth], self.won[other])


def estimate_difference(one: Sequence[bool], other: Sequence[bool]) -> PlanDifference:
    """Return the advantage of a plan, by which of the same trials each plan won.

    The interval is that of the mean of paired differences. It is at least three trials wide on
    either side. An effect seen in none of the trials may still be as frequent as that.
    """
    many = len(one)
    better = sum(a and not b for a, b in zip(one, other, strict=True))
    worse = sum(b and not a for a, b in zip(one, other, strict=True))
    mean = (better - worse) / many
    paired = (better + worse) / many - mean * mean
    first, second = sum(one) / many, sum(other) / many
    alone = first * (1 - first) + second * (1 - second)
    half = max(Z * sqrt(paired / many), 3 / many)
    low, high = max(-1.0, mean - half), min(1.0, mean + half)
    return PlanDifference(value=mean, low=low, high=high, cut=1 - paired / alone if alone else 0.0)


def compare_plans(
    plans: Sequence[Plan], side: str, wanted: Precision, work: Work = fight_in_process
) -> Iterator[PlanComparison]:
    """Yield the results after every few trials of each plan. The last ones are final.

    Raises:
        Refused, Unusable: the first input of a plan is not possible.
    """
    for plan in plans:
        plan.moment.make_decider(make_trial_dice(plan, 0))  # a refusal from a worker would lack its clause
    won: list[list[bool]] = [[] for _ in plans]
    with closing(work(split_into_batches(tuple(plans), wanted.most))) as done:
        for trials in done:
            fresh = [[one.won_by(side) for one in of_plan] for of_plan in zip(*trials, strict=True)]
            won = [then + now for then, now in zip(won, fresh, strict=True)]
            known = PlanComparison(side=side, won=won)
            enough = wanted.is_met(len(won[0]), known.widest)
            yield replace(known, enough=enough)
            if enough:
                return
