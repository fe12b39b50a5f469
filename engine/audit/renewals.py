"""Fresh dice: what had fallen before somebody asked for them, and what fell then."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affray.engine.dice import Faces
from affray.events import DiceRenewed, Id, Recorded, Rolled

from .findings import Fell, Renewed

_NAME = re.compile(r"(?:(g\d+):)?(.*)", re.ASCII | re.DOTALL)
"""The name of a roll: the generation of its dice, unless it is the first, and the rest."""


class Renewals:
    """Lists each time somebody asked for fresh dice, beside what fell.

    Args:
        ahead: Where that was: the positions gone back to, and those of the asking.
    """

    def __init__(self, ahead: Sequence[tuple[int, int]]) -> None:
        self._ahead = sorted(ahead, key=lambda one: one[1])
        self._fell: dict[Id, tuple[int, Faces]] = {}
        self._asked: list[tuple[Recorded, int, dict[Id, Faces], list[Fell]]] = []

    def look(self, one: Recorded) -> None:
        """Look at one event."""
        event = one.event
        if type(event) is Rolled:
            self._roll(event, one.position)
        elif type(event) is DiceRenewed and self._ahead and self._ahead[0][1] == one.position - 1:
            to, _ = self._ahead.pop(0)
            taken_back = {roll: faces for roll, (position, faces) in self._fell.items() if position > to}
            self._asked.append((one, event.generation, taken_back, []))
            if not self._ahead:
                self._fell.clear()

    def _roll(self, event: Rolled, position: int) -> None:
        parts = _NAME.fullmatch(event.roll)
        assert parts is not None
        generation, roll = parts.groups()
        faces = tuple(group.faces for group in event.dice if group.thrown)
        if self._asked:
            _, asked, taken_back, fell = self._asked[-1]
            if generation == f"g{asked}" and roll in taken_back:
                fell.append(Fell(roll, taken_back.pop(roll), faces))
        if any(to < position for to, _ in self._ahead):
            self._fell[roll] = position, faces

    def listed(self) -> tuple[Renewed, ...]:
        """Return what is to be listed."""
        return tuple(
            Renewed(position=one.position, who=one.who, generation=generation, fell=tuple(fell))
            for one, generation, _, fell in self._asked
        )
