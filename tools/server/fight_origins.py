"""What each fight of a server was opened from."""

from __future__ import annotations

from affray.engine.errors import EngineError
from affray.engine.logger import Logger
from affray.tools.api.fight_origin import Origin, note_origin, noted_origin

from .documents import asked
from .open_fights import Missing
from .server_state import Serving

_log = Logger(__name__)


async def keep_origin(serving: Serving, fight: str, origin: Origin) -> None:
    """Note what a fight was opened from. A fight goes on without that, so it is no fault if it cannot be kept."""
    owner = await serving.owner(fight)
    try:
        await asked(serving, lambda documents: note_origin(documents, owner, origin))
    except EngineError as error:
        _log.warning("could_not_keep_origin", fight=fight, reason=str(error))


async def origin_of(serving: Serving, fight: str) -> Origin | None:
    """Return what a fight was opened from; nothing where that was not noted, or where there is no such fight."""
    try:
        owner = await serving.owner(fight)
    except Missing:
        return None
    return await asked(serving, lambda documents: noted_origin(documents, owner))
