"""What each fight of a server was opened from."""

from __future__ import annotations

from affray.engine.errors import EngineError
from affray.engine.logger import Logger
from affray.tools.origin import Origin, note_origin, noted_origin

from .kept import asked
from .serving import Serving

_log = Logger(__name__)


async def keep_origin(serving: Serving, fight: str, origin: Origin) -> None:
    """Note what a fight was opened from. A fight goes on without that, so it is no fault if it cannot be kept."""
    try:
        await asked(serving, lambda documents: note_origin(documents, fight, origin))
    except EngineError as error:
        _log.warning("could_not_keep_origin", fight=fight, reason=str(error))


async def origin_of(serving: Serving, fight: str) -> Origin | None:
    """Return what a fight was opened from; nothing of one of which nobody noted that."""
    return await asked(serving, lambda documents: noted_origin(documents, fight))
