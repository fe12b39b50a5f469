"""Whether one policy is stronger than another, told by the pairs of games that one of them won twice.

A pair that each wins once says nothing of who is stronger. Of the others, an equal policy wins half.
"""

from __future__ import annotations

from math import comb, log

from msgspec import Struct


class Sequential(Struct, frozen=True, kw_only=True):
    """A sequential probability ratio test (Wald, 1945): after every pair it may be enough.

    Attributes:
        equal: Which part of the pairs that are decided is won where neither is stronger.
        better: Which part is won at least where one is as much stronger as matters.
        alpha: How often at most one of equal strength is taken for stronger.
        beta: How often at most one that is so much stronger is not.
    """

    equal: float = 0.5
    better: float = 0.6
    alpha: float = 0.01
    beta: float = 0.01

    @property
    def bounds(self) -> tuple[float, float]:
        """Return below which evidence the policy is not stronger, and above which it is."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def evidence(self, won: int, lost: int) -> float:
        """Return the logarithm of how much likelier these pairs are where the policy is stronger."""
        return won * log(self.better / self.equal) + lost * log((1 - self.better) / (1 - self.equal))

    def verdict(self, won: int, lost: int) -> str:
        """Return ``stronger`` or ``not stronger`` once that is sure enough; nothing before."""
        low, high = self.bounds
        evidence = self.evidence(won, lost)
        return "stronger" if evidence >= high else "not stronger" if evidence <= low else ""


def p_value(won: int, lost: int) -> float:
    """Return how likely an equal policy wins so many of these pairs or more: the exact sign test, one-sided."""
    many = won + lost
    ways: int = sum(comb(many, more) for more in range(won, many + 1))
    return ways / (1 << many)
