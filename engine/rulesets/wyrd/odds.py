"""The exact chances of Wyrd: test bands, armor, wounds, exchanges of blows.

Dodging, sundering and the game master's answers are decisions, not dice. No chance includes them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from affray.engine.kit.odds import (
    Distribution,
    chain_rolls,
    combine,
    die,
    find_chance_at_least,
    make_certain,
    take_highest,
)

from .attack.testing import SETBACK, SUCCESS
from .config import Config
from .sheet import find_smaller, hinder_size

DEFAULT = Config()

HIT, HURT = "foe", "self"
"""The side that is hit in an exchange of blows: the foe, or the one who engaged."""


class HitEffect(NamedTuple):
    """The effect of a hit: the damage behind armor, and the wound, if any."""

    remaining: int
    wound: str


class ExchangeResult(NamedTuple):
    """The result of a test to hit: its band, who was hit, and the effect.

    After a miss without an answer, ``who`` is empty.
    """

    band: str
    who: str
    struck: HitEffect


NOTHING = HitEffect(0, "")


def band_of_faces(config: Config, faces: tuple[int, ...]) -> str:
    """Return the band of a test by its faces."""
    top = max(faces)
    if top < SETBACK:
        return "failure"
    if top < SUCCESS:
        return "setback"
    return "multiple success" if sum(face >= SUCCESS for face in faces) >= config.multi_success_min_dice else "success"


@cache
def thrown_faces(dice: tuple[int, ...]) -> Distribution[tuple[int, ...]]:
    """Return the faces of dice of these sizes, in order."""
    return combine(lambda *faces: faces, *map(die, dice))


@cache
def band_chances(dice: tuple[int, ...], config: Config = DEFAULT) -> Distribution[str]:
    """Return the bands of a test with these dice: ability, gear, help."""
    return combine(lambda faces: band_of_faces(config, faces), thrown_faces(dice))


def success_chance(dice: tuple[int, ...], config: Config = DEFAULT) -> Fraction:
    """Return the chance that a test succeeds."""
    return find_chance_at_least(take_highest(*map(die, dice)), SETBACK if config.setback_hits else SUCCESS)


def armor_against_shot(armor: tuple[int, ...], config: Config = DEFAULT) -> tuple[int, ...]:
    """Return armor dice as rolled against a shot: each a size smaller."""
    return tuple(hinder_size(config, one, 1) for one in armor)


def wound_by_face(face: int, remaining: int, sides: int, config: Config = DEFAULT) -> str:
    """Return the wound by a face of Power and the damage behind armor."""
    if not remaining:
        return ""
    if face > remaining:
        return "incidental"
    if face > 1:
        return "debilitating"
    return "severe" if find_smaller(config, sides) else "mortal"


@cache
def hit_effects(damage: int, armor: tuple[int, ...], power: int, config: Config = DEFAULT) -> Distribution[HitEffect]:
    """Return the effects of a hit of some damage."""

    def apply_armor(stopped: int, face: int) -> HitEffect:
        remaining = max(0, damage - stopped)
        return HitEffect(remaining, wound_by_face(face, remaining, power, config))

    return combine(apply_armor, take_highest(*map(die, armor)), die(power))


@cache
def blow_effects(
    weapons: tuple[int, ...], armor: tuple[int, ...], power: int, config: Config = DEFAULT
) -> Distribution[HitEffect]:
    """Return the effects of a hit without a test: the weapon dice are the damage."""
    return chain_rolls(take_highest(*map(die, weapons)), lambda damage: hit_effects(damage, armor, power, config))


class Fighter(NamedTuple):
    """The dice of one side in an exchange of blows."""

    ability: int
    weapons: tuple[int, ...]
    armor: tuple[int, ...]
    power: int


@cache
def exchange_results(
    own: Fighter, foe: Fighter, help_dice: tuple[int, ...] = (), config: Config = DEFAULT
) -> Distribution[ExchangeResult]:
    """Return the results of an engagement, which hits either the foe or the tester."""
    return chain_rolls(
        thrown_faces((own.ability, *own.weapons, *help_dice)),
        lambda faces: _hit_results(own, foe, faces, config) or _answer_results(own, foe, faces, config),
    )


def _hit_results(
    own: Fighter, foe: Fighter, faces: tuple[int, ...], config: Config
) -> Distribution[ExchangeResult] | None:
    """Return the foe hit with the highest weapon face of the test, if it succeeded."""
    if max(faces) < (SETBACK if config.setback_hits else SUCCESS):
        return None
    damage = max(faces[1 : 1 + len(own.weapons)], default=1)
    return combine(
        lambda one: ExchangeResult(band_of_faces(config, faces), HIT, one),
        hit_effects(damage, foe.armor, foe.power, config),
    )


def _answer_results(own: Fighter, foe: Fighter, faces: tuple[int, ...], config: Config) -> Distribution[ExchangeResult]:
    return combine(
        lambda one: ExchangeResult(band_of_faces(config, faces), HURT, one),
        blow_effects(foe.weapons, own.armor, own.power, config),
    )


@cache
def shot_results(
    own: Fighter, foe: Fighter, hindrance: int = 0, config: Config = DEFAULT
) -> Distribution[ExchangeResult]:
    """Return the results of a shot without an answering volley."""
    shooter = own._replace(ability=hinder_size(config, own.ability, hindrance) if hindrance else own.ability)
    mark = foe._replace(armor=armor_against_shot(foe.armor, config))

    def shot_result(faces: tuple[int, ...]) -> Distribution[ExchangeResult]:
        return _hit_results(shooter, mark, faces, config) or make_certain(
            ExchangeResult(band_of_faces(config, faces), "", NOTHING)
        )

    return chain_rolls(thrown_faces((shooter.ability, *shooter.weapons)), shot_result)
