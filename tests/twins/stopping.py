"""Stops of the table in twins: equal, unless other combatants are asked, which is no secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from affray.engine.fight import Fight
from affray.engine.visibility import Viewer
from affray.events import WindowOpened
from affray.tools.api.projection import headline_for

from .comparing import ToldDifference

UNSEEN = "a concealed combatant"
"""Stands for the concealed combatants that are asked, however many."""


class Stop(NamedTuple):
    """The stop of a fight after a command.

    Attributes:
        asked: Who was asked in each window since the command was sent, in order.
        left: Who is still asked in the window that is open; nothing if none is.
        says: The headline, as a spectator reads it.
    """

    asked: tuple[frozenset[str], ...]
    left: frozenset[str] | None
    says: str


def find_stop(fight: Fight, before: int) -> Stop:
    """Return the stop of a fight after the command that was sent at a position."""
    concealed = {*fight.state.concealed}

    def known(people: Sequence[str]) -> frozenset[str]:
        return frozenset([UNSEEN if who in concealed else who for who in people])

    events = [one.event for one in fight.history.recorded[before:]]
    opened = {one.window: one for one in events if isinstance(one, WindowOpened)}  # the last: openly, and then whole
    window = fight.state.window
    says = headline_for(Viewer(role="spectator"), fight)
    return Stop(tuple([known(one.to) for one in opened.values()]), known(window.to) if window else None, says)


def compare_stops(one: Stop, other: Stop) -> ToldDifference | None:
    """Return how two fights differ in where they stop, if the same combatants were asked up to there."""
    for first, second in ((one, other), (other, one)):
        so_far = len(first.asked)
        if first.left is not None and second.asked[:so_far] == first.asked and first != second:
            return ToldDifference("stop in a window", str(one), str(other))
    return None
