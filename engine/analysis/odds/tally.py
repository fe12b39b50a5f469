"""The tally of many trials: shares with their uncertainty, means and quantiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from msgspec import Struct, field

from affray.events import Id

from .costs import LastingNumber
from .trials import RolloutResult, Unended

Z = 1.959963984540054
"""The number of standard errors that the middle 95 % of a normal distribution reach on either side."""


class ShareEstimate(Struct, frozen=True, kw_only=True):
    """A share of the trials, with its 95 % confidence interval (Wilson, 1927).

    Attributes:
        count, of: The number of such trials, and of all trials.
        low, high: The interval's ends, from 0 to 1.
    """

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself, from 0 to 1."""
        return self.count / self.of if self.of else 0.0

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def estimate_share(count: int, of: int) -> ShareEstimate:
    """Return a share of trials with its confidence interval."""
    if not of:
        return ShareEstimate(count=0, of=0, low=0.0, high=1.0)
    part, spread = count / of, Z * Z / of
    middle = (part + spread / 2) / (1 + spread)
    half = Z * sqrt(part * (1 - part) / of + spread / (4 * of)) / (1 + spread)
    return ShareEstimate(count=count, of=of, low=max(0.0, middle - half), high=min(1.0, middle + half))


class Tally(Struct, kw_only=True):
    """The counted results of trials.

    Attributes:
        trials: The number of trials.
        wins: The number of victories of each side. The empty name counts ended fights without a victor.
        why_not: The number of trials that did not end, by reason.
        rounds: The number of trials that ended in each round.
        fallen: The number of trials after which each combatant could no longer fight.
        pools: The count of each final value of each pool, by combatant and pool.
        costs: The count of each final value of other lasting numbers, where it changed.
    """

    trials: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    why_not: Counter[Unended] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    fallen: Counter[Id] = field(default_factory=Counter)
    pools: dict[tuple[Id, str], Counter[int]] = {}
    costs: dict[LastingNumber, Counter[int]] = {}

    def add(self, trials: Iterable[RolloutResult]) -> None:
        """Count further trials."""
        for one in trials:
            self.trials += 1
            if one.unended:
                self.why_not[one.unended] += 1
            else:
                self.wins[one.victors] += 1
            self.rounds[one.rounds] += 1
            self.fallen.update(one.fallen)
            for who, pools in one.pools.items():
                for name, left in pools.items():
                    self.pools.setdefault((who, name), Counter())[left] += 1
            for cost, now in one.costs.items():
                self.costs.setdefault(cost, Counter())[now] += 1

    def chance(self, side: str) -> ShareEstimate:
        """Return the share of a side's victories."""
        return estimate_share(self.wins[side], self.trials)

    def cost(self, cost: LastingNumber, before: int) -> Counter[int]:
        """Return the count of each final value of a number, with unchanged ones."""
        found = Counter(self.costs.get(cost, {}))
        found[before] += self.trials - found.total()
        return found

    @property
    def unended(self) -> int:
        """The number of trials that did not end."""
        return self.why_not.total()

    @property
    def widest(self) -> float:
        """The largest half-width of the shares of victories and of fights without end."""
        counts = (*self.wins.values(), *self.why_not.values())
        return max((estimate_share(count, self.trials).half for count in counts), default=1.0)


def find_counted_mean(counted: Counter[int]) -> float:
    """Return the mean of counted numbers."""
    total = sum(counted.values())
    return sum(number * count for number, count in counted.items()) / total if total else 0.0


def find_counted_quantile(counted: Counter[int], part: float) -> int:
    """Return the least number that this part of the trials does not exceed."""
    left = part * sum(counted.values())
    for number in sorted(counted):
        left -= counted[number]
        if left <= 0:
            return number
    return max(counted, default=0)
