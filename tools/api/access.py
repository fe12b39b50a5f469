"""The roles of clients, and the refusals of what a client may not do or know of."""

from typing import Literal

from affray.engine.errors import EngineError
from affray.engine.visibility import Viewer
from affray.events import Id

Role = Literal["host", "gm", "player", "spectator"]

HOST: frozenset[Role] = frozenset({"host"})
MASTERS: frozenset[Role] = HOST | {"gm"}
PLAYERS: frozenset[Role] = MASTERS | {"player"}
ALL: frozenset[Role] = PLAYERS | {"spectator"}
OPEN: frozenset[Role] = frozenset()
"""The roles of an operation that any client may use, without a token."""


class NotAllowed(Exception):
    """The client's role or token does not allow this."""


class NotFound(Exception):
    """The thing does not exist, or the viewer may not know of it."""


class VisibleRefusal(Exception):
    """A refusal based only on what its reader sees, so that its text reveals nothing."""

    def __init__(self, error: EngineError) -> None:
        super().__init__(str(error))
        self.error = error


class HiddenRefusal(VisibleRefusal):
    """A refusal with a reason that is hidden from its reader."""


def check_own(viewer: Viewer, *who: Id) -> None:
    """Refuse questions and commands about combatants that the viewer does not play.

    Raises:
        NotAllowed: the viewer does not play them all.
    """
    if viewer.role != "gm" and not set(who) <= set(viewer.owns):
        raise NotAllowed("players speak only for their own combatants")
