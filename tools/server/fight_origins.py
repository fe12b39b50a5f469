"""Origins of fights: the encounter and the party that each was created from."""

from __future__ import annotations

from affray.engine.errors import EngineError
from affray.engine.logger import Logger
from affray.tools.api.fight_origin import Origin, note_origin, noted_origin

from .documents import asked
from .open_fights import Missing
from .server_state import Serving

_log = Logger(__name__)


async def keep_origin(serving: Serving, fight: str, origin: Origin) -> None:
    """Store the origin of a fight. A failure is only logged, since the fight can go on without it."""
    owner = await serving.owner(fight)
    try:
        await asked(serving, lambda documents: note_origin(documents, owner, origin))
    except EngineError as error:
        _log.warning("could_not_keep_origin", fight=fight, reason=str(error))


async def origin_of(serving: Serving, fight: str) -> Origin | None:
    """Return the origin of a fight; None if it was not stored, or there is no such fight."""
    try:
        owner = await serving.owner(fight)
    except Missing:
        return None
    return await asked(serving, lambda documents: noted_origin(documents, owner))
