"""The exact chances of Vestige: hitting, holding on at the brink, going first."""

from fractions import Fraction
from functools import cache

from affray.engine.kit.odds import combine, die, find_chance, find_chance_at_least, highest_of, make_certain

from .config import Config

DEFAULT = Config()


@cache
def hit_chance(accuracy: int, agility: int) -> Fraction:
    """Return the chance that an attack reaches the target's agility (VES-023 to VES-026)."""
    return find_chance_at_least(die(20), agility - accuracy)


@cache
def hold_chance(modifier: int = 0, config: Config = DEFAULT) -> Fraction:
    """Return the chance to hold on in a roll at the brink (VES-058)."""
    return find_chance_at_least(die(20), config.brink_target - config.brink_modifier - modifier)


@cache
def first_chance(others: int, *, better: bool) -> Fraction:
    """Return the chance to roll the highest initiative (VES-003, VES-004).

    The better agility wins ties.
    """
    top = highest_of(others, 20) if others else make_certain(0)
    return find_chance(combine(lambda mine, theirs: mine >= theirs if better else mine > theirs, die(20), top), bool)
