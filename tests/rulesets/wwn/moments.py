"""Moments of fights that tests stop at: rulings, and dice that fall as they are told."""

from __future__ import annotations

from typing import Any

from affray.engine import Fight
from affray.engine.runtime.dice import Faces
from affray.events import Dice, Id, Ruled
from tests.rulesets.statistics import params, submit_intent


class Thrown:
    """Dice that show these faces."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces:
        """Return the next faces."""
        return tuple(tuple(self.left.pop(0) for _ in range(one.count)) for one in dice)


def make_wwn_ruling(kind: str, **said: Any) -> Ruled:
    """Return a ruling."""
    return Ruled(kind=kind, params=params(**said), reason="so it is")


def rule(fight: Fight, kind: str, **said: Any) -> None:
    """Rule something that must be accepted."""
    submit_intent(fight, make_wwn_ruling(kind, **said))
