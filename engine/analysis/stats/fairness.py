"""The chance that fair dice fall at least as unevenly as the observed ones.

Unevenness is measured by the sum of the squared counts of all faces, which orders outcomes as Pearson's chi-square
does. With few dice the chance is computed exactly, from the number of ways in which that many throws can fall. With 5
or more expected on every face the chi-square distribution is as good and much quicker.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, erfc, exp, isqrt, lgamma, log, log1p, log2, pi, sqrt

from msgspec import Struct

SURE = 0.95
"""The share of fair throws that lies within a band."""

ENOUGH = 5
"""The least expected count of a face for which the chi-square distribution is good enough."""

WORK = 6e8
"""The most bytes of numbers to add up for an exact chance, which takes less than a second."""


class Fairness(Struct, frozen=True, kw_only=True):
    """A test of whether counts of faces fit a fair die.

    Attributes:
        test: ``exact``, ``chi-square``, or ``chi-square in bands`` where neighbouring faces had to be counted together.
        statistic: Pearson's chi-square.
        freedom: Its degrees of freedom.
        p: The chance that fair dice fall at least this unevenly.
    """

    test: str
    statistic: float
    freedom: int
    p: float


WORK_OF_ALL = 10 * WORK
"""The most bytes for all exact chances of one answer together. Beyond it, faces are counted in bands."""


def assess_fairness(counts: Sequence[int], most: float = WORK) -> Fairness:
    """Test the counts of a die's faces. At least one throw is needed.

    Args:
        counts: The count of each face.
        most: The most bytes to add up for an exact chance.
    """
    throws, sides = sum(counts), len(counts)
    squares = sum(count * count for count in counts)
    statistic = squares * sides / throws - throws
    if throws >= ENOUGH * sides:
        p = chi_square_tail(statistic, sides - 1)
        return Fairness(test="chi-square", statistic=statistic, freedom=sides - 1, p=p)
    if estimate_work(counts) < min(WORK, most):
        return Fairness(test="exact", statistic=statistic, freedom=sides - 1, p=squares_tail(throws, sides, squares))
    return _assess_in_bands(counts, throws)


def _assess_in_bands(counts: Sequence[int], throws: int) -> Fairness:
    """Test neighbouring faces together, in as many bands as the throws allow.

    If they are too few for two bands, all faces form one.
    """
    sides = len(counts)
    bands = max((many for many in range(1, sides + 1) if sides // many * throws >= ENOUGH * sides), default=1)
    found, expected = [0] * bands, [0.0] * bands
    for face, count in enumerate(counts):
        found[face * bands // sides] += count
        expected[face * bands // sides] += throws / sides
    statistic = sum((one - due) ** 2 / due for one, due in zip(found, expected, strict=True))
    p = chi_square_tail(statistic, bands - 1)
    return Fairness(test="chi-square in bands", statistic=statistic, freedom=bands - 1, p=p)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance of at least this chi-square: the regularized upper incomplete gamma function Q(f/2, x/2).

    For whole degrees of freedom that is a finite sum of positive terms.
    """
    half = statistic / 2
    if freedom == 0 or half <= 0:
        return 1.0
    if freedom % 2:
        total, term, divisor = erfc(sqrt(half)), 2 * sqrt(half / pi) * exp(-half), 1.5
    else:
        total, term, divisor = 0.0, exp(-half), 1.0
    for _ in range(freedom // 2):
        total += term
        term *= half / divisor
        divisor += 1
    return min(1.0, total)


@lru_cache(maxsize=256)
def squares_tail(throws: int, sides: int, squares: int) -> float:
    """Return the chance that fair throws reach this sum of squared counts or more.

    Exact: counts the ways to stay below it among all ``sides ** throws``, half of the faces at a time.
    """
    if squares <= throws:
        return 1.0
    bits = 2 + int(throws * log2(sides))
    halves = _count_ways(throws, sides // 2, squares, bits), _count_ways(throws, sides - sides // 2, squares, bits)
    below = 0
    for here, one in halves[0].items():
        other = halves[1].get(throws - here)
        if other:
            below += comb(throws, here) * _count_pairs(one, other, squares, bits)
    everything: int = sides**throws
    return (everything - below) / everything


def _count_ways(throws: int, faces: int, squares: int, bits: int) -> dict[int, int]:
    """Return the ways to throw these faces, by number of throws and sum of squares.

    The ways for all sums are packed into one number: ``bits`` bits for every sum below ``squares``.
    """
    below = (1 << bits * squares) - 1
    most = min(throws, isqrt(squares - 1))
    ways = {0: 1}
    for face in range(1, faces + 1):
        wider: dict[int, int] = {}
        for total in range(min(throws, isqrt(face * (squares - 1))) + 1):
            sums = 0
            for count in range(min(most, total) + 1):
                rest = ways.get(total - count)
                if rest:
                    sums += comb(total, count) * rest << bits * count * count
            if sums & below:
                wider[total] = sums & below
        ways = wider
    return ways


def _count_pairs(one: int, other: int, squares: int, bits: int) -> int:
    """Return the number of combined ways of two halves with a sum below ``squares``."""
    cell = (1 << bits) - 1
    up_to, running = [], 0
    for _ in range(squares):
        running += other & cell
        up_to.append(running)
        other >>= bits
    total = 0
    for at in range(squares):
        ways = one >> bits * at & cell
        if ways:
            total += ways * up_to[squares - 1 - at]
    return total


def estimate_work(counts: Sequence[int]) -> float:
    """Estimate the bytes that an exact chance has to move."""
    throws, sides, squares = sum(counts), len(counts), sum(count * count for count in counts)
    half = (sides + 1) // 2
    most = min(throws, isqrt(squares))
    return half * min(throws, sqrt(half * squares)) * most * squares * throws * log2(sides) / 8


def find_binomial_band(throws: int, chance: float, sure: float = SURE) -> tuple[int, int]:
    """Return the lowest and highest count of a central binomial band."""
    if chance >= 1:
        return throws, throws
    tail = (1 - sure) / 2
    low, below = 0, 0.0
    for count in range(throws):
        ways = lgamma(throws + 1) - lgamma(count + 1) - lgamma(throws - count + 1)
        below += exp(ways + count * log(chance) + (throws - count) * log1p(-chance))
        if below <= tail:
            low = count + 1
        if below >= 1 - tail:
            return low, count
    return low, throws
