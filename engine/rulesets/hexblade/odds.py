"""The exact chances of Hexblade: rolls against each other with levels of advantage, blows, shots that stray."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from affray.engine.kit.odds import Exact, added, chance, die, each, followed, highest_of, lowest_of, sure

from .attack.rolls import CRITICAL
from .attack.shots import CHANCE

D20 = 20


class Roll(NamedTuple):
    """A roll of one side: its bonus, and its levels of advantage, below 0 of disadvantage."""

    bonus: int = 0
    levels: int = 0


class Arms(NamedTuple):
    """What a blow is made with and stopped by.

    Attributes:
        damage: The sides of the weapon's die.
        bonus: What is added to it.
        armor: The sides of the armour die; 0 without armour.
        shield: What a shield adds.
    """

    damage: int
    bonus: int = 0
    armor: int = 0
    shield: int = 0


@cache
def kept(levels: int = 0) -> Exact[int]:
    """Return the face that counts of a d20, and one more for each level."""
    return highest_of(1 + levels, D20) if levels >= 0 else lowest_of(1 - levels, D20)


def ahead(mine: int, theirs: int, margin: int) -> int:
    """Return who is better by two faces and the totals: above 0 the first, 0 a tie.

    After HEX-021 and HEX-034.
    """
    if (mine == CRITICAL) != (theirs == CRITICAL):
        return 1 if mine == CRITICAL else -1
    return margin


@cache
def opposed(own: Roll, foe: Roll) -> Exact[str]:
    """Return how two rolls against each other go: ``wins``, ``both``, ``loses``.

    After HEX-017, HEX-021, HEX-026, HEX-034 and HEX-036.
    """

    def read(mine: int, theirs: int) -> str:
        by = ahead(mine, theirs, mine + own.bonus - theirs - foe.bonus)
        if mine == theirs == CRITICAL or by == 0:
            return "both"
        return "wins" if by > 0 else "loses"

    return each(read, kept(own.levels), kept(foe.levels))


@cache
def beats(own: Roll, foe: Roll) -> Fraction:
    """Return the chance of a total above an evade roll or another's test; a 20 against a 20 is nothing special."""

    def read(mine: int, theirs: int) -> bool:
        return ahead(mine, theirs, mine + own.bonus - theirs - foe.bonus) > 0

    return each(read, kept(own.levels), kept(foe.levels)).get(True, Fraction(0))


@cache
def contested(own: Roll, foe: Roll) -> Fraction:
    """Return the chance of a higher total where no face wins by itself, as in brawling.

    After HEX-058 and HEX-061.
    """
    read = each(lambda mine, theirs: mine + own.bonus > theirs + foe.bonus, kept(own.levels), kept(foe.levels))
    return read.get(True, Fraction(0))


def reaches(own: Roll, number: int) -> Fraction:
    """Return the chance that a test reaches a number."""
    return chance(kept(own.levels), lambda face: face + own.bonus >= number)


@cache
def harm(arms: Arms, *, critical: bool = False) -> Exact[int]:
    """Return what a blow takes from the hit points.

    After HEX-021 to HEX-025 and HEX-035.
    """
    damage = added(*[die(arms.damage)] * (1 + critical), sure(arms.bonus))
    return each(lambda dealt, stopped: max(0, dealt - stopped - arms.shield), damage, die(arms.armor))


@cache
def exchanged(own: Roll, foe: Roll, strikes: Arms, answers: Arms) -> Exact[tuple[int, int]]:
    """Return what the target and the attacker lose in an exchange.

    After HEX-017 to HEX-026 and HEX-034 to HEX-036.
    """

    def came(mine: int, theirs: int) -> Exact[tuple[int, int]]:
        by = ahead(mine, theirs, mine + own.bonus - theirs - foe.bonus)
        twice = mine == theirs == CRITICAL
        lost = harm(strikes, critical=mine == CRITICAL) if by >= 0 or twice else sure(0)
        paid = harm(answers, critical=theirs == CRITICAL) if by <= 0 or twice else sure(0)
        return each(lambda one, other: (one, other), lost, paid)

    faces = each(lambda mine, theirs: (mine, theirs), kept(own.levels), kept(foe.levels))
    return followed(faces, lambda pair: came(*pair))


@cache
def shot(shooter: Roll, target: Roll, near: Roll | None) -> Exact[str]:
    """Return whom a shot hits: ``target``, ``neighbour`` or ``nobody``; ``near`` stands beside it.

    After HEX-027 to HEX-033.
    """

    def strays(face: int) -> Exact[str]:
        if near is None:
            return sure("nobody")
        gone = _evading(near, face, face + shooter.bonus)
        danger = Fraction(CHANCE, 100) * (1 - gone)
        return {"neighbour": danger, "nobody": 1 - danger}

    def came(mine: int, theirs: int) -> Exact[str]:
        by = ahead(mine, theirs, mine + shooter.bonus - theirs - target.bonus)
        return sure("target") if by > 0 else strays(mine)

    faces = each(lambda mine, theirs: (mine, theirs), kept(shooter.levels), kept(target.levels))
    return followed(faces, lambda pair: came(*pair))


def _evading(near: Roll, face: int, total: int) -> Fraction:
    """Return the chance that a neighbour gets away from a shot that showed a face.

    After HEX-033.
    """
    return chance(kept(near.levels), lambda own: own + near.bonus >= total or (own == CRITICAL != face))
