"""The luck of a fight for programs, made from its curve."""

from __future__ import annotations

from affray.engine.analysis.luck import By, Curve
from affray.engine.fight import Fight
from affray.tools.present.luck import Luck, Swing, Turning
from affray.tools.present.story.words import Names

from .luck_text import turning_points, turning_said

TURNING = 7
"""Number of turning points listed with a fight."""


def make_luck(fight: Fight, found: Curve, names: Names, turning: int) -> Luck:
    """Make the luck of a fight with a given number of turning points."""
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
