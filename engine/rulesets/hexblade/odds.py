"""The exact chances of Hexblade: opposed rolls with levels of advantage, blows, stray shots."""

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
    highest_of,
    lowest_of,
    make_certain,
)

from .attack.rolls import CRITICAL
from .attack.shots import CHANCE

D20 = 20


class Roll(NamedTuple):
    """One side's roll: its bonus, and its levels of advantage, below 0 of disadvantage."""

    bonus: int = 0
    levels: int = 0


class Arms(NamedTuple):
    """The dice of a blow and of its defence.

    Attributes:
        damage: The sides of the weapon's die.
        bonus: The bonus to the damage.
        armor: The sides of the armour die; 0 without armour.
        shield: The bonus of a shield.
    """

    damage: int
    bonus: int = 0
    armor: int = 0
    shield: int = 0


class Faces(NamedTuple):
    """The counting faces of two opposed rolls.

    ``by`` is above 0 if the first is better, and 0 in a tie.
    """

    mine: int
    theirs: int
    by: int


@cache
def counting_face(levels: int = 0) -> Distribution[int]:
    """Return the counting face of a d20, with one more die for each level."""
    return highest_of(1 + levels, D20) if levels >= 0 else lowest_of(1 - levels, D20)


def lead_of(mine: int, theirs: int, margin: int) -> int:
    """Return the lead of two faces: above 0 for the first, 0 for a tie (HEX-021, HEX-034)."""
    if (mine == CRITICAL) != (theirs == CRITICAL):
        return 1 if mine == CRITICAL else -1
    return margin


@cache
def compare_rolls(own: Roll, foe: Roll) -> Distribution[Faces]:
    """Return the faces of two opposed rolls."""

    def compare_faces(mine: int, theirs: int) -> Faces:
        return Faces(mine, theirs, lead_of(mine, theirs, mine + own.bonus - theirs - foe.bonus))

    return combine(compare_faces, counting_face(own.levels), counting_face(foe.levels))


@cache
def oppose_rolls(own: Roll, foe: Roll) -> Distribution[str]:
    """Return ``wins``, ``both`` or ``loses`` for two rolls (HEX-017, HEX-021, HEX-026, HEX-034, HEX-036)."""

    def name_outcome(faces: Faces) -> str:
        if faces.mine == faces.theirs == CRITICAL or faces.by == 0:
            return "both"
        return "wins" if faces.by > 0 else "loses"

    return combine(name_outcome, compare_rolls(own, foe))


@cache
def win_chance(own: Roll, foe: Roll) -> Fraction:
    """Return the chance of a total above an evade roll or an opposed test.

    A natural 20 on both sides decides nothing.
    """
    return find_chance(compare_rolls(own, foe), lambda faces: faces.by > 0)


@cache
def contest_chance(own: Roll, foe: Roll) -> Fraction:
    """Return the chance of a higher total without criticals, as in brawling (HEX-058, HEX-061)."""
    return find_chance(compare_rolls(own, foe), lambda faces: faces.mine + own.bonus > faces.theirs + foe.bonus)


def reach_chance(own: Roll, number: int) -> Fraction:
    """Return the chance that a test reaches a number."""
    return find_chance_at_least(counting_face(own.levels), number - own.bonus)


@cache
def blow_harm(arms: Arms, *, critical: bool = False) -> Distribution[int]:
    """Return the hit points that a blow takes (HEX-021 to HEX-025 and HEX-035)."""
    damage = add_rolls(*[die(arms.damage)] * (1 + critical), make_certain(arms.bonus))
    return combine(lambda dealt, stopped: max(0, dealt - stopped - arms.shield), damage, die(arms.armor))


@cache
def exchange_losses(own: Roll, foe: Roll, strikes: Arms, answers: Arms) -> Distribution[tuple[int, int]]:
    """Return the losses of target and attacker in an exchange (HEX-017 to HEX-026 and HEX-034 to HEX-036)."""

    def lose(faces: Faces) -> Distribution[tuple[int, int]]:
        mine, theirs, by = faces
        twice = mine == theirs == CRITICAL
        lost = blow_harm(strikes, critical=mine == CRITICAL) if by >= 0 or twice else make_certain(0)
        paid = blow_harm(answers, critical=theirs == CRITICAL) if by <= 0 or twice else make_certain(0)
        return combine(lambda one, other: (one, other), lost, paid)

    return chain_rolls(compare_rolls(own, foe), lose)


@cache
def shot_victims(shooter: Roll, target: Roll, near: Roll | None) -> Distribution[str]:
    """Return the victims of a shot: target, neighbour or none (HEX-027 to HEX-033).

    The neighbour stands beside the target and evades with ``near``.
    """

    def stray_victims(face: int) -> Distribution[str]:
        if near is None:
            return make_certain("nobody")
        gone = _evade_chance(near, face, face + shooter.bonus)
        danger = Fraction(CHANCE, 100) * (1 - gone)
        return {"neighbour": danger, "nobody": 1 - danger}

    return chain_rolls(
        compare_rolls(shooter, target),
        lambda faces: make_certain("target") if faces.by > 0 else stray_victims(faces.mine),
    )


def _evade_chance(near: Roll, face: int, total: int) -> Fraction:
    """Return the chance that a neighbour evades a shot that showed a face (HEX-033)."""
    return find_chance(counting_face(near.levels), lambda own: own + near.bonus >= total or (own == CRITICAL != face))
