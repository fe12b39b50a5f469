"""Distributions with exact chances: outcomes with fractions that sum to 1.

Everything is enumerated or convolved, nothing is sampled. Distributions that are combined are independent of each
other.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import add
from typing import Any, TypeVar

T = TypeVar("T")
S = TypeVar("S")

Distribution = Mapping[T, Fraction]
"""The chance of every possible outcome."""


def make_certain(outcome: T) -> Distribution[T]:
    """Return the distribution of a certain outcome."""
    return {outcome: Fraction(1)}


@cache
def die(sides: int) -> Distribution[int]:
    """Return the distribution of a die's faces. A die with 0 sides always shows 0."""
    return {face: Fraction(1, sides) for face in range(1, sides + 1)} if sides else make_certain(0)


def weigh(outcomes: Mapping[T, int]) -> Distribution[T]:
    """Return a distribution from the weights of its outcomes."""
    total = sum(outcomes.values())
    return {one: Fraction(weight, total) for one, weight in outcomes.items() if weight}


def combine(read: Callable[..., T], *parts: Distribution[Any]) -> Distribution[T]:
    """Return the distribution of a function of independent distributions."""
    found: dict[T, Fraction] = {}
    for outcomes in product(*(part.items() for part in parts)):
        weight = Fraction(1)
        for _, one in outcomes:
            weight *= one
        came = read(*(outcome for outcome, _ in outcomes))
        found[came] = found.get(came, Fraction(0)) + weight
    return found


def chain_rolls(part: Distribution[S], then: Callable[[S], Distribution[T]]) -> Distribution[T]:
    """Return a distribution of two steps, if the first outcome decides the second."""
    found: dict[T, Fraction] = {}
    for outcome, weight in part.items():
        for came, one in then(outcome).items():
            found[came] = found.get(came, Fraction(0)) + weight * one
    return found


def add_rolls(*parts: Distribution[int]) -> Distribution[int]:
    """Return the distribution of the sum."""
    return reduce(lambda one, other: combine(add, one, other), parts, make_certain(0))


def repeat_roll(count: int, part: Distribution[int]) -> Distribution[int]:
    """Return the distribution of the sum of ``count`` equal distributions."""
    return add_rolls(*[part] * count)


def take_highest(*parts: Distribution[int]) -> Distribution[int]:
    """Return the distribution of the highest outcome; 0 without any."""
    return reduce(lambda one, other: combine(max, one, other), parts, make_certain(0))


@cache
def highest_of(count: int, sides: int) -> Distribution[int]:
    """Return the distribution of the highest face of equal dice."""
    return {face: Fraction(face**count - (face - 1) ** count, sides**count) for face in range(1, sides + 1)}


@cache
def lowest_of(count: int, sides: int) -> Distribution[int]:
    """Return the distribution of the lowest face of equal dice."""
    return {sides + 1 - face: weight for face, weight in highest_of(count, sides).items()}


def find_chance(part: Distribution[T], holds: Callable[[T], bool]) -> Fraction:
    """Return the chance of the outcomes for which a condition holds."""
    return sum((weight for outcome, weight in part.items() if holds(outcome)), Fraction(0))


def find_chance_at_least(part: Distribution[int], least: int) -> Fraction:
    """Return the chance of ``least`` or more."""
    return find_chance(part, lambda amount: amount >= least)


def find_mean(part: Distribution[int]) -> Fraction:
    """Return the mean."""
    return sum((outcome * weight for outcome, weight in part.items()), Fraction(0))
