"""Renewed dice: the rolls that fell before fresh dice were asked for, and after."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple

from affray.engine.runtime.dice import Faces
from affray.events import DiceRenewed, Id, Recorded, Rolled

from .findings import Fell, Renewed

_NAME = re.compile(r"(?:g(\d+):)?(.*)", re.ASCII | re.DOTALL)
"""The name of a roll: the generation of its dice (none for the first), and the rest."""


class Asking(NamedTuple):
    """A request for fresh dice.

    Attributes:
        one: Its event.
        generation: The generation of the dice from there on.
        fell: The rolls that had fallen in another generation, and fell again in this one.
    """

    one: Recorded
    generation: int
    fell: dict[Id, Fell]


class Renewals:
    """Lists each request for fresh dice, with the rolls that fell again.

    Args:
        asked: The positions of the requests; the dice are renewed behind each of them.
    """

    def __init__(self, asked: Set[int]) -> None:
        self._due = asked
        self._fell: dict[Id, tuple[str, Faces]] = {}
        self._asked: list[Asking] = []
        self._by_generation: dict[str, Asking] = {}

    def follow(self, one: Recorded) -> None:
        """Follow one event."""
        event = one.event
        if type(event) is Rolled and self._due:
            self._roll(event)
        elif type(event) is DiceRenewed and one.position - 1 in self._due:
            asking = Asking(one, event.generation, {})
            self._asked.append(asking)
            self._by_generation[f"{event.generation}"] = asking

    def _roll(self, event: Rolled) -> None:
        parts = _NAME.fullmatch(event.roll)
        assert parts is not None
        generation, roll = parts[1] or "", parts[2]
        faces = tuple(group.faces for group in event.dice if group.thrown)
        earlier, before = self._fell.get(roll, (generation, faces))
        asking = self._by_generation.get(generation)
        if asking is not None and earlier != generation:
            asking.fell.setdefault(roll, Fell(roll, before, faces))
        self._fell[roll] = generation, faces

    def list_requests(self) -> tuple[Renewed, ...]:
        """Return the list."""
        return tuple(
            Renewed(position=one.position, who=one.who, generation=generation, fell=tuple(fell.values()))
            for one, generation, fell in self._asked
        )
