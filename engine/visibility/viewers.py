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


def visible(viewer: Viewer, recorded: Recorded, *, closed: bool = False) -> bool:
    """Tell whether somebody may read an event: the game master always, others who play everyone it is hidden for.

    Args:
        viewer: Who looks.
        recorded: The event.
        closed: Whether the record is closed, which opens the game master's secret rolls.
    """
    return _among(viewer, recorded.audience, closed)


def knows_sender(viewer: Viewer, recorded: Recorded, *, closed: bool = False) -> bool:
    """Tell in the same way whether somebody may know who sent the command of an event, and under which id."""
    return _among(viewer, recorded.known_to, closed)


def hides_some(viewer: Viewer, recorded: Recorded) -> bool:
    """Tell whether there is something in a line that somebody may not read as long as the record is open."""
    if recorded.audience is None and recorded.known_to is None:
        return False
    return not (visible(viewer, recorded) and knows_sender(viewer, recorded))


def _among(viewer: Viewer, audience: tuple[Id, ...] | None, closed: bool) -> bool:
    if audience is None or viewer.role == "gm":
        return True
    return set(audience) <= set(viewer.owns) if audience else closed


def opened_at_close(recorded: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """Return the lines of which everybody may read more once the record is closed: the game master's secret rolls.

    One that names what is hidden still stays sealed.
    """
    secret, closed = [], False
    for one in recorded:
        closed = closed or isinstance(one.event, Closed)
        if one.audience == () or one.known_to == ():
            secret.append(one)
    return tuple(secret) if closed else ()
