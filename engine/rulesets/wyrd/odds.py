"""The exact chances of Wyrd: the bands of a test, what armor leaves, the wound, an exchange of blows.

Dodging, sundering and what the game master answers are decisions and no dice: no chance holds any of them.
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
"""Who is hit in an exchange of blows: the foe, or whoever engaged."""


class Struck(NamedTuple):
    """What came of a hit: what armor left, and the wound; no wound where nothing is left."""

    remaining: int
    wound: str


class Blow(NamedTuple):
    """What came of a test to hit: its band, who was hit (nobody after a miss that nothing answers), and how hard."""

    band: str
    who: str
    struck: Struck


NOTHING = Struck(0, "")


def band(config: Config, faces: tuple[int, ...]) -> str:
    """Return what a test is by its faces."""
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
    """Return the chance that what is tested works."""
    return at_least(highest(*map(die, dice)), SETBACK if config.setback_hits else SUCCESS)


def against_shot(armor: tuple[int, ...], config: Config = DEFAULT) -> tuple[int, ...]:
    """Return armor as it is rolled against a shot: each die a size smaller."""
    return tuple(hindered(config, one, 1) for one in armor)


def wound(face: int, remaining: int, sides: int, config: Config = DEFAULT) -> str:
    """Return the wound that a face of Power makes of what armor left."""
    if not remaining:
        return ""
    if face > remaining:
        return "incidental"
    if face > 1:
        return "debilitating"
    return "severe" if smaller(config, sides) else "mortal"


@cache
def struck(damage: int, armor: tuple[int, ...], power: int, config: Config = DEFAULT) -> Exact[Struck]:
    """Return what a hit of some damage comes to."""

    def left(stopped: int, face: int) -> Struck:
        remaining = max(0, damage - stopped)
        return Struck(remaining, wound(face, remaining, power, config))

    return each(left, highest(*map(die, armor)), die(power))


@cache
def blown(weapons: tuple[int, ...], armor: tuple[int, ...], power: int, config: Config = DEFAULT) -> Exact[Struck]:
    """Return what comes of a hit that needs no test: the weapon dice are the damage."""
    return followed(highest(*map(die, weapons)), lambda damage: struck(damage, armor, power, config))


class Fighter(NamedTuple):
    """The dice of one side in an exchange of blows."""

    ability: int
    weapons: tuple[int, ...]
    armor: tuple[int, ...]
    power: int


@cache
def exchanged(own: Fighter, foe: Fighter, help_dice: tuple[int, ...] = (), config: Config = DEFAULT) -> Exact[Blow]:
    """Return what comes of an engagement: the foe is hit by the weapon face, or strikes."""
    return followed(
        thrown((own.ability, *own.weapons, *help_dice)),
        lambda faces: _hit(own, foe, faces, config) or _struck_back(own, foe, faces, config),
    )


def _hit(own: Fighter, foe: Fighter, faces: tuple[int, ...], config: Config) -> Exact[Blow] | None:
    """Return the foe hit with the highest weapon face of the test, if it worked."""
    if max(faces) < (SETBACK if config.setback_hits else SUCCESS):
        return None
    damage = max(faces[1 : 1 + len(own.weapons)], default=1)
    return each(lambda one: Blow(band(config, faces), HIT, one), struck(damage, foe.armor, foe.power, config))


def _struck_back(own: Fighter, foe: Fighter, faces: tuple[int, ...], config: Config) -> Exact[Blow]:
    return each(lambda one: Blow(band(config, faces), HURT, one), blown(foe.weapons, own.armor, own.power, config))


@cache
def shot(own: Fighter, foe: Fighter, hindrance: int = 0, config: Config = DEFAULT) -> Exact[Blow]:
    """Return what comes of a shot that nobody answers."""
    shooter = own._replace(ability=hindered(config, own.ability, hindrance) if hindrance else own.ability)
    mark = foe._replace(armor=against_shot(foe.armor, config))

    def came(faces: tuple[int, ...]) -> Exact[Blow]:
        return _hit(shooter, mark, faces, config) or sure(Blow(band(config, faces), "", NOTHING))

    return followed(thrown((shooter.ability, *shooter.weapons)), came)
