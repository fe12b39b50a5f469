"""Tests whether one policy is stronger than another, by pairs of games.

A pair in which each policy wins once is ignored. Of the others, an equal policy wins half.
"""

from __future__ import annotations

from math import comb, log

from msgspec import Struct


class Sequential(Struct, frozen=True, kw_only=True):
    """A sequential probability ratio test (Wald, 1945), evaluated after every pair.

    Attributes:
        equal: Share of decided pairs that a policy of equal strength wins.
        better: Least share that a relevantly stronger policy wins.
        alpha: Greatest probability that a policy of equal strength is called stronger.
        beta: Greatest probability that a relevantly stronger policy is not.
    """

    equal: float = 0.5
    better: float = 0.6
    alpha: float = 0.01
    beta: float = 0.01

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the evidence for ``not stronger`` and the evidence for ``stronger``."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def evidence(self, won: int, lost: int) -> float:
        """Return the log likelihood ratio of these pairs for a stronger policy."""
        return won * log(self.better / self.equal) + lost * log((1 - self.better) / (1 - self.equal))

    def verdict(self, won: int, lost: int) -> str:
        """Return ``stronger`` or ``not stronger`` if that is sure, else an empty text."""
        low, high = self.bounds
        evidence = self.evidence(won, lost)
        return "stronger" if evidence >= high else "not stronger" if evidence <= low else ""


def p_value(won: int, lost: int) -> float:
    """Return the p-value of the one-sided exact sign test."""
    many = won + lost
    ways: int = sum(comb(many, more) for more in range(won, many + 1))
    return ways / (1 << many)
