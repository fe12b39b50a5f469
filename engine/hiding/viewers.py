"""Who looks at a fight, and which events they may read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from affray.events import Closed, Id, Recorded

GM_ONLY = "gm"
"""An audience of nobody in the fight: not even the end of the record opens the event."""


class Viewer(Struct, frozen=True, kw_only=True):
    """Somebody who looks at a fight.

    Attributes:
        role: What they are to it; only ``role`` and ``owns`` decide what they may see.
        name: Their own.
        owns: Ids of the combatants they play.
    """

    role: Literal["gm", "player", "spectator"]
    name: str = ""
    owns: tuple[Id, ...] = ()


def visible(viewer: Viewer, recorded: Recorded) -> bool:
    """Tell whether somebody may read an event: the game master always, others who play everyone it is hidden for."""
    audience = recorded.audience
    if audience is None or viewer.role == "gm":
        return True
    return bool(audience) and set(audience) <= set(viewer.owns)


def opened_at_close(recorded: Iterable[Recorded]) -> frozenset[int]:
    """Return the positions that everybody may read once the record is closed: the game master's secret rolls.

    One that names what is hidden still stays sealed.
    """
    secret, closed = [], False
    for one in recorded:
        closed = closed or isinstance(one.event, Closed)
        if one.audience == ():
            secret.append(one.position)
    return frozenset(secret) if closed else frozenset()
