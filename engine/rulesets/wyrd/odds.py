"""The exact chances of Wyrd: test bands, armor, wounds, exchanges of blows.

Dodging, sundering and the game master's answers are decisions, not dice. No chance includes them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from affray.engine.kit.odds import Exact, at_least, die, each, followed, highest, sure

from .attack.testing import SETBACK, SUCCESS
from .config import Config
from .sheet import hindered, smaller

DEFAULT = Config()

HIT, HURT = "foe", "self"
"""The side that is hit in an exchange of blows: the foe, or the one who engaged."""


class Struck(NamedTuple):
    """The effect of a hit: the damage behind armor, and the wound, if any."""

    remaining: int
    wound: str


class Blow(NamedTuple):
    """The result of a test to hit: its band, who was hit, and the effect.

    After a miss without an answer, ``who`` is empty.
    """

    band: str
    who: str
    struck: Struck


NOTHING = Struck(0, "")


def band(config: Config, faces: tuple[int, ...]) -> str:
    """Return the band of a test by its faces."""
    top = max(faces)
    if top < SETBACK:
        return "failure"
    if top < SUCCESS:
        return "setback"
    return "multiple success" if sum(face >= SUCCESS for face in faces) >= config.multi_success_min_dice else "success"


@cache
def thrown(dice: tuple[int, ...]) -> Exact[tuple[int, ...]]:
    """Return the faces of dice of these sizes, in order."""
    return each(lambda *faces: faces, *map(die, dice))


@cache
def bands(dice: tuple[int, ...], config: Config = DEFAULT) -> Exact[str]:
    """Return the bands of a test with these dice: ability, gear, help."""
    return each(lambda faces: band(config, faces), thrown(dice))


def succeeds(dice: tuple[int, ...], config: Config = DEFAULT) -> Fraction:
    """Return the chance that a test succeeds."""
    return at_least(highest(*map(die, dice)), SETBACK if config.setback_hits else SUCCESS)


def against_shot(armor: tuple[int, ...], config: Config = DEFAULT) -> tuple[int, ...]:
    """Return armor dice as rolled against a shot: each a size smaller."""
    return tuple(hindered(config, one, 1) for one in armor)


def wound(face: int, remaining: int, sides: int, config: Config = DEFAULT) -> str:
    """Return the wound by a face of Power and the damage behind armor."""
    if not remaining:
        return ""
    if face > remaining:
        return "incidental"
    if face > 1:
        return "debilitating"
    return "severe" if smaller(config, sides) else "mortal"


@cache
def struck(damage: int, armor: tuple[int, ...], power: int, config: Config = DEFAULT) -> Exact[Struck]:
    """Return the effects of a hit of some damage."""

    def left(stopped: int, face: int) -> Struck:
        remaining = max(0, damage - stopped)
        return Struck(remaining, wound(face, remaining, power, config))

    return each(left, highest(*map(die, armor)), die(power))


@cache
def blown(weapons: tuple[int, ...], armor: tuple[int, ...], power: int, config: Config = DEFAULT) -> Exact[Struck]:
    """Return the effects of a hit without a test: the weapon dice are the damage."""
    return followed(highest(*map(die, weapons)), lambda damage: struck(damage, armor, power, config))


class Fighter(NamedTuple):
    """The dice of one side in an exchange of blows."""

    ability: int
    weapons: tuple[int, ...]
    armor: tuple[int, ...]
    power: int


@cache
def exchanged(own: Fighter, foe: Fighter, help_dice: tuple[int, ...] = (), config: Config = DEFAULT) -> Exact[Blow]:
    """Return the results of an engagement, which hits either the foe or the tester."""
    return followed(
        thrown((own.ability, *own.weapons, *help_dice)),
        lambda faces: _hit(own, foe, faces, config) or _struck_back(own, foe, faces, config),
    )


def _hit(own: Fighter, foe: Fighter, faces: tuple[int, ...], config: Config) -> Exact[Blow] | None:
    """Return the foe hit with the highest weapon face of the test, if it succeeded."""
    if max(faces) < (SETBACK if config.setback_hits else SUCCESS):
        return None
    damage = max(faces[1 : 1 + len(own.weapons)], default=1)
    return each(lambda one: Blow(band(config, faces), HIT, one), struck(damage, foe.armor, foe.power, config))


def _struck_back(own: Fighter, foe: Fighter, faces: tuple[int, ...], config: Config) -> Exact[Blow]:
    return each(lambda one: Blow(band(config, faces), HURT, one), blown(foe.weapons, own.armor, own.power, config))


@cache
def shot(own: Fighter, foe: Fighter, hindrance: int = 0, config: Config = DEFAULT) -> Exact[Blow]:
    """Return the results of a shot without an answering volley."""
    shooter = own._replace(ability=hindered(config, own.ability, hindrance) if hindrance else own.ability)
    mark = foe._replace(armor=against_shot(foe.armor, config))

    def came(faces: tuple[int, ...]) -> Exact[Blow]:
        return _hit(shooter, mark, faces, config) or sure(Blow(band(config, faces), "", NOTHING))

    return followed(thrown((shooter.ability, *shooter.weapons)), came)
