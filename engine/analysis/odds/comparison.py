"""Which of several declarations is better: all are tried with the same dice, so that only they make a difference.

Two trials of one number meet the same faces wherever they make the same rolls. What is left of chance in the difference
of the two is smaller than in either of them (common random numbers).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from .sampling import Wanted, batches
from .tally import Share, Z, share
from .trials import Plan, dice_of
from .workers import Work, here


class Difference(Struct, frozen=True, kw_only=True):
    """By how much one declaration is better than another.

    Attributes:
        value: The difference of the chances, from -1 to 1.
        low, high: The interval that holds the true one in 95 of 100 cases.
        cut: By which part common dice make the variance smaller than that of independent trials.
    """

    value: float
    low: float
    high: float
    cut: float

    @property
    def is_noise(self) -> bool:
        """Tell whether it may as well be nothing."""
        return self.low <= 0 <= self.high


class Compared(Struct, frozen=True, kw_only=True):
    """What is known of several plans after so many trials of each.

    Attributes:
        side: Whose victory counts.
        won: For each plan and trial whether it was won.
        enough: Whether that is as much as was wanted.
    """

    side: str
    won: list[list[bool]]
    enough: bool = False

    def chance(self, nth: int) -> Share:
        """Return the chance to win by a plan."""
        return share(sum(self.won[nth]), len(self.won[nth]))

    @property
    def widest(self) -> float:
        """The largest half-width of all the chances."""
        return max(self.chance(nth).half for nth in range(len(self.won)))

    def difference(self, nth: int, other: int) -> Difference:
        """Return by how much a plan is better than another."""
        return difference(self.won[nth], self.won[other])


def difference(one: Sequence[bool], other: Sequence[bool]) -> Difference:
    """Return by how much a plan is better than another, by whether each of the same trials was won.

    The interval is that of the mean of paired differences. It is never narrower than three in the number of trials on
    either side: what made no difference in any of them may still be as frequent as that.
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
    return Difference(value=mean, low=low, high=high, cut=1 - paired / alone if alone else 0.0)


def compared(plans: Sequence[Plan], side: str, wanted: Wanted, work: Work = here) -> Iterator[Compared]:
    """Yield what is known after every few trials of each plan; the last is what there is to know.

    Raises:
        Refused, Unusable: something that is said first in one of them is not possible.
    """
    for plan in plans:
        plan.moment.stand(dice_of(plan, 0))  # or a refusal would come from another process, and without its clause
    won: list[list[bool]] = [[] for _ in plans]
    with closing(work(batches(tuple(plans), wanted.most))) as done:
        for trials in done:
            fresh = [[one.won_by(side) for one in of_plan] for of_plan in zip(*trials, strict=True)]
            won = [then + now for then, now in zip(won, fresh, strict=True)]
            known = Compared(side=side, won=won)
            enough = wanted.is_met(len(won[0]), known.widest)
            yield replace(known, enough=enough)
            if enough:
                return
