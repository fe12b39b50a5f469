"""The exact chances of Verdigris: pools of d6 that count sixes, pushed or not, stress and panic, attacks.

What a push wears down, and what luck throws again, are in none of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from affray.engine.kit.odds import Exact, added, at_least, drawn, each, followed, repeated, sure

from .config import Config

DEFAULT = Config()

SIX: Exact[int] = drawn({1: 1, 0: 5})
AGAIN: Exact[int] = drawn({1: 10, 0: 26})
"""What a die that is pushed comes to: a six at once, or one of the four other faces and then a six (VER-S07)."""


class Pool(NamedTuple):
    """What somebody throws.

    Attributes:
        dice: All dice but those of stress.
        stress: Stress dice.
        panic: The dice of the Panic save.
    """

    dice: int
    stress: int = 0
    panic: int = 3


class Target(NamedTuple):
    """Who is attacked: the dice of Dodge, and those of Withstand with what armour adds."""

    dodge: int
    withstand: int


@cache
def sixes(dice: int) -> Exact[int]:
    """Return the successes of so many dice."""
    return repeated(dice, SIX)


def passes(dice: int, needs: int = 1) -> Fraction:
    """Return the chance of enough successes."""
    return at_least(sixes(dice), needs)


@cache
def nerves(stress: int, *, pushed: bool) -> Exact[tuple[int, int]]:
    """Return the sixes and ones of stress dice; a push throws one more of them."""
    usual = drawn({(1, 0): 10, (0, 1): 10, (0, 0): 16} if pushed else {(1, 0): 1, (0, 1): 1, (0, 0): 4})
    parts = [usual] * stress + ([drawn({(1, 0): 1, (0, 1): 1, (0, 0): 4})] if pushed else [])
    total: Exact[tuple[int, int]] = sure((0, 0))
    for one in parts:
        total = each(lambda so_far, more: (so_far[0] + more[0], so_far[1] + more[1]), total, one)
    return total


@cache
def level(pool: Pool, *, pushed: bool = False) -> Exact[int]:
    """Return the SL of a player character's test: with ones on stress dice it takes a Panic save to keep it."""
    own = repeated(pool.dice, AGAIN if pushed else SIX)

    def kept(nerve: tuple[int, int]) -> Exact[int]:
        more, ones = nerve
        calm = passes(pool.panic, ones) if ones else Fraction(1)
        return followed({True: calm, False: 1 - calm}, lambda holds: added(own, sure(more)) if holds else sure(0))

    return followed(nerves(pool.stress, pushed=pushed), kept)


@cache
def net(own: Pool, dodge: int, *, pushed: bool = False) -> Exact[int]:
    """Return by how much an attack is above Dodge; 0 is a tie, and misses."""
    return each(lambda mine, theirs: mine - theirs, level(own, pushed=pushed), sixes(dodge))


@cache
def damage(own: Pool, target: Target, listed: int, *, pushed: bool = False, config: Config = DEFAULT) -> Exact[int]:
    """Return what a player character's attack takes: listed damage and net SL, doubled in part by a critical, saved.

    The sixes of a critical double the listed damage (VER-027 to VER-030, VER-077, VER-099).
    """

    def came(mine: int, theirs: int) -> Exact[int]:
        if mine <= theirs:
            return sure(0)
        gross = listed * (2 if mine >= config.crit_sixes else 1)
        gross += mine - theirs if config.damage_sl == "net" else mine
        return each(lambda saved: max(0, gross - saved), sixes(target.withstand))

    both = each(lambda mine, theirs: (mine, theirs), level(own, pushed=pushed), sixes(target.dodge))
    return followed(both, lambda pair: came(*pair))
