"""Check renewed dice: what had fallen before they were asked for, and what fell then."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from affray.engine.runtime.dice import Faces
from affray.events import DiceRenewed, Id, Recorded, Rolled

from .effort import Effort
from .findings import Fell, Renewed

_NAME = re.compile(r"(?:(g\d+):)?(.*)", re.ASCII | re.DOTALL)
"""The name of a roll: the generation of its dice, unless it is the first, and the rest."""


class Renewals:
    """Lists each time somebody asked for fresh dice, beside what fell.

    Args:
        renewals: The positions gone back to, each with that of the asking.
    """

    def __init__(self, renewals: Sequence[tuple[int, int]], effort: Effort) -> None:
        self._to_come = sorted(renewals, key=lambda one: one[1], reverse=True)
        self._farthest = list(accumulate((to for to, _ in self._to_come), min))
        self._effort = effort
        self._fell: list[tuple[int, Id, Faces]] = []
        self._taken_back: dict[Id, Faces] = {}
        self._asked: list[tuple[Recorded, int, list[Fell]]] = []

    def look(self, one: Recorded) -> None:
        """Look at one event."""
        event = one.event
        if type(event) is Rolled:
            self._roll(event, one.position)
        elif type(event) is DiceRenewed and self._to_come and self._to_come[-1][1] == one.position - 1:
            to, _ = self._to_come.pop()
            self._farthest.pop()
            behind = self._fell[self._behind(to) :]
            self._effort.spend(len(behind))
            self._taken_back = {roll: faces for _, roll, faces in behind}
            self._asked.append((one, event.generation, []))
            del self._fell[: self._behind(self._farthest[-1]) if self._to_come else None]

    def _roll(self, event: Rolled, position: int) -> None:
        parts = _NAME.fullmatch(event.roll)
        assert parts is not None
        generation, roll = parts.groups()
        faces = tuple(group.faces for group in event.dice if group.thrown)
        if self._asked and roll in self._taken_back and generation == f"g{self._asked[-1][1]}":
            self._asked[-1][2].append(Fell(roll, self._taken_back.pop(roll), faces))
        if self._to_come and self._farthest[-1] < position:
            self._fell.append((position, roll, faces))

    def _behind(self, position: int) -> int:
        """Return which is the first of the rolls behind a position."""
        return bisect_right(self._fell, position, key=lambda fell: fell[0])

    def listed(self) -> tuple[Renewed, ...]:
        """Return what is to be listed."""
        return tuple(
            Renewed(position=one.position, who=one.who, generation=generation, fell=tuple(fell))
            for one, generation, fell in self._asked
        )
