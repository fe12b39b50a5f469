"""The exact chances of Verdigris: pools of d6, stress, panic and attacks.

Pools are pushed or not. Wear from pushes and rerolls by luck are left out.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from affray.engine.kit.odds import (
    Distribution,
    add_rolls,
    chain_rolls,
    combine,
    find_chance_at_least,
    make_certain,
    repeat_roll,
    weigh,
)

from .config import Config

DEFAULT = Config()

SIX: Distribution[int] = weigh({1: 1, 0: 5})
AGAIN: Distribution[int] = weigh({1: 10, 0: 26})
"""The result of a pushed die: a six at once, or one of the four other faces and then a six (VER-S07)."""


class Pool(NamedTuple):
    """The dice of one roll.

    Attributes:
        dice: All dice except stress dice.
        stress: Stress dice.
        panic: The dice of the Panic save.
    """

    dice: int
    stress: int = 0
    panic: int = 3


class Target(NamedTuple):
    """The target's dice: those of Dodge, and those of Withstand with what armour adds."""

    dodge: int
    withstand: int


@cache
def sixes(dice: int) -> Distribution[int]:
    """Return the chances of each number of successes with this many dice."""
    return repeat_roll(dice, SIX)


def passes(dice: int, needs: int = 1) -> Fraction:
    """Return the chance of at least the needed successes."""
    return find_chance_at_least(sixes(dice), needs)


@cache
def nerves(stress: int, *, pushed: bool) -> Distribution[tuple[int, int]]:
    """Return the sixes and ones of stress dice; a push throws one die more."""
    usual = weigh({(1, 0): 10, (0, 1): 10, (0, 0): 16} if pushed else {(1, 0): 1, (0, 1): 1, (0, 0): 4})
    parts = [usual] * stress + ([weigh({(1, 0): 1, (0, 1): 1, (0, 0): 4})] if pushed else [])
    total: Distribution[tuple[int, int]] = make_certain((0, 0))
    for one in parts:
        total = combine(lambda so_far, more: (so_far[0] + more[0], so_far[1] + more[1]), total, one)
    return total


@cache
def level(pool: Pool, *, pushed: bool = False) -> Distribution[int]:
    """Return the SL of a player character's test.

    Ones on stress dice call for a Panic save. The SL is 0 if it fails.
    """
    own = repeat_roll(pool.dice, AGAIN if pushed else SIX)

    def keep_nerve(nerve: tuple[int, int]) -> Distribution[int]:
        more, ones = nerve
        calm = passes(pool.panic, ones) if ones else Fraction(1)
        return chain_rolls(
            {True: calm, False: 1 - calm},
            lambda holds: add_rolls(own, make_certain(more)) if holds else make_certain(0),
        )

    return chain_rolls(nerves(pool.stress, pushed=pushed), keep_nerve)


@cache
def net(own: Pool, dodge: int, *, pushed: bool = False) -> Distribution[int]:
    """Return the attack's SL above Dodge; 0 is a tie, and misses."""
    return combine(lambda mine, theirs: mine - theirs, level(own, pushed=pushed), sixes(dodge))


@cache
def damage(
    own: Pool, target: Target, listed: int, *, pushed: bool = False, config: Config = DEFAULT
) -> Distribution[int]:
    """Return the damage of a player character's attack, after Withstand.

    A hit does the listed damage and the net SL. The sixes of a critical double the listed damage (VER-027 to VER-030,
    VER-077, VER-099).
    """

    def do_damage(mine: int, theirs: int) -> Distribution[int]:
        if mine <= theirs:
            return make_certain(0)
        gross = listed * (2 if mine >= config.crit_sixes else 1)
        gross += mine - theirs if config.damage_sl == "net" else mine
        return combine(lambda saved: max(0, gross - saved), sixes(target.withstand))

    both = combine(lambda mine, theirs: (mine, theirs), level(own, pushed=pushed), sixes(target.dodge))
    return chain_rolls(both, lambda pair: do_damage(*pair))
