"""Luck for machines: counts of trials, which sum exactly."""

from __future__ import annotations

from msgspec import Struct

from affray.engine.analysis.luck import By, Curve
from affray.engine.fight import Fight
from affray.events import Id
from affray.tools.present.story.words import Names

from .luck_text import turning_points, turning_said

TURNING = 7
"""How many turning points are told with a fight."""


class Swing(Struct, frozen=True):
    """What a roll, a decision or a ruling moved.

    Attributes:
        position: Of its event.
        before, after: In how many of the trials the side won, before it and after it.
        noise: Whether chance alone could make such a difference.
    """

    position: int
    by: By
    who: Id
    before: int
    after: int
    noise: bool


class Turning(Struct, frozen=True):
    """A turning point: where it is, and what is said of it."""

    position: int
    says: str


class Luck(Struct, frozen=True, kw_only=True):
    """What dice and decisions were worth to a side; the opening and what was moved sum to the result.

    Attributes:
        trials: How many fights there were from each moment; all other numbers count them.
        ended: Whether the fight was fought to its end.
        opening: How many of them the side won from the opening on.
        luck, decisions, rulings, unclear: What dice, combatants and the game master moved, and what nobody can tell
            apart, since the rules have changed.
        result: What it comes to: all or none of the trials, where the fight has ended.
    """

    side: str
    trials: int
    ended: bool
    opening: int
    luck: int
    decisions: int
    rulings: int
    unclear: int
    result: int
    moves: tuple[Swing, ...]
    turning: tuple[Turning, ...]


def make_luck(fight: Fight, found: Curve, names: Names, turning: int) -> Luck:
    """Return what is known of a fight, with so many turning points."""
    turned = turning_points(found, turning)
    return Luck(
        side=found.side,
        trials=found.trials,
        ended=found.ended,
        opening=found.opening,
        luck=_count_moved(found, "luck"),
        decisions=_count_moved(found, "decision"),
        rulings=_count_moved(found, "ruling"),
        unclear=_count_moved(found, "unclear"),
        result=int(found.result * found.trials),
        moves=tuple([Swing(one.position, one.by, one.who, one.before, one.after, one.noise) for one in found.moves]),
        turning=tuple([Turning(one.position, turning_said(fight, one, names)) for one in turned]),
    )


def _count_moved(found: Curve, by: By) -> int:
    return int(found.sum_of(by) * found.trials)


def sums_said(luck: Luck) -> str:
    """Return what was moved as a sentence: ``11 % at the beginning; dice +14, decisions +7; 100 % in the end``."""
    moved = [("dice", luck.luck), ("decisions", luck.decisions), ("rulings", luck.rulings), ("unclear", luck.unclear)]
    digits = 0 if 100 % luck.trials == 0 else 1  # or what is rounded would not sum
    told = [
        f"{what} {count * 100 / luck.trials:+.{digits}f}"
        for what, count in moved
        if count or what in ("dice", "decisions")
    ]
    share = [f"{count * 100 / luck.trials:.{digits}f} %" for count in (luck.opening, luck.result)]
    return f"{share[0]} at the beginning; {', '.join(told)}; {share[1]} {'in the end' if luck.ended else 'by now'}"
