"""The exact chances of Vestige: the one d20 of an attack, the roll at the brink, who goes first."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from affray.engine.kit.odds import chance, die, each, highest_of, sure

from .config import Config

DEFAULT = Config()


@cache
def hits(accuracy: int, agility: int) -> Fraction:
    """Return the chance that an attack reaches the target's agility.

    By VES-023 to VES-026.
    """
    return chance(die(20), lambda face: face + accuracy >= agility)


@cache
def holds_on(modifier: int = 0, config: Config = DEFAULT) -> Fraction:
    """Return the chance to hold on in a roll at the brink.

    By VES-058.
    """
    return chance(die(20), lambda face: face + config.brink_modifier + modifier >= config.brink_target)


@cache
def first(others: int, *, better: bool) -> Fraction:
    """Return the chance to roll higher than so many others; equal dice go to the better agility.

    By VES-003 and VES-004.
    """
    top = highest_of(others, 20) if others else sure(0)
    wins = each(lambda mine, theirs: mine >= theirs if better else mine > theirs, die(20), top)
    return wins.get(True, Fraction(0))
