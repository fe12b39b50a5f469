"""The exact chances of Worlds Without Number: to hit, damage, Shock, checks, initiative."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from affray.engine.kit.odds import (
    Distribution,
    add_rolls,
    chain_rolls,
    combine,
    die,
    find_chance,
    find_chance_at_least,
    make_certain,
    repeat_roll,
)

from .config import Config

DEFAULT = Config()


class Weapon(NamedTuple):
    """The numbers of an attack.

    Attributes:
        dice, sides: Its damage dice.
        bonus: The bonus on them.
        shock: The total Shock of a miss; less than 0 without a Shock rating.
        reaches: The highest armor class that Shock reaches.
    """

    dice: int
    sides: int
    bonus: int = 0
    shock: int = -1
    reaches: int = 0


def lands(face: int, bonus: int, ac: int, config: Config = DEFAULT) -> bool:
    """Tell whether a face hits (WWN-008)."""
    if face == 1 and config.nat_1_misses:
        return False
    return face + bonus >= ac or (face == 20 and config.nat_20_hits)


@cache
def hits(bonus: int, ac: int, config: Config = DEFAULT) -> Fraction:
    """Return the chance that an attack hits (WWN-008)."""
    return find_chance(die(20), lambda face: lands(face, bonus, ac, config))


@cache
def damage(weapon: Weapon, ac: int | None = None, config: Config = DEFAULT) -> Distribution[int]:
    """Return the damage of a hit, at least its Shock if the AC allows Shock (WWN-025, WWN-039)."""
    least = config.min_damage
    if ac is not None and weapon.shock >= 0 and ac <= weapon.reaches:
        least = max(least, weapon.shock)
    rolled = add_rolls(repeat_roll(weapon.dice, die(weapon.sides)), make_certain(weapon.bonus))
    return combine(lambda amount: max(least, amount), rolled)


@cache
def attack_outcome(bonus: int, ac: int, weapon: Weapon, config: Config = DEFAULT) -> Distribution[tuple[str, int]]:
    """Return ``hit``, ``shock`` or ``miss`` with the damage of a melee attack (WWN-036).

    No shield stops the Shock.
    """
    shock = max(config.min_damage, weapon.shock) if weapon.shock >= 0 and ac <= weapon.reaches else 0

    def do_damage(hit: bool) -> Distribution[tuple[str, int]]:
        if hit:
            return combine(lambda amount: ("hit", amount), damage(weapon, ac, config))
        return make_certain(("shock", shock) if shock else ("miss", 0))

    own = hits(bonus, ac, config)
    return chain_rolls({True: own, False: 1 - own}, do_damage)


@cache
def check(bonus: int, difficulty: int) -> Fraction:
    """Return the chance that a check of 2d6 reaches its difficulty (WWN-062, WWN-067)."""
    return find_chance_at_least(repeat_roll(2, die(6)), difficulty - bonus)


@cache
def opposed_check(ahead: int, config: Config = DEFAULT) -> Fraction:
    """Return the chance to win an opposed check with a bonus ahead of the other's (WWN-067)."""
    two = repeat_roll(2, die(6))
    needs = 0 if config.opposed_tie == "attacker" else 1
    return find_chance_at_least(combine(lambda mine, theirs: mine + ahead - theirs, two, two), needs)


@cache
def morale(score: int) -> Fraction:
    """Return the chance that a Morale check holds: 2d6 no higher than the score (WWN-060, WWN-G03)."""
    return find_chance(repeat_roll(2, die(6)), lambda total: total <= score)


@cache
def first(modifier: int, quick: int = 0) -> Fraction:
    """Return the chance that a hero goes before a group of foes; heroes win ties (WWN-001 to WWN-007)."""
    return find_chance_at_least(combine(lambda mine, theirs: mine + modifier - theirs - quick, die(8), die(8)), 0)


@cache
def instinct(score: int) -> Fraction:
    """Return the chance to resist instinct: a d10 above the score (WWN-060)."""
    return find_chance_at_least(die(10), score + 1)
