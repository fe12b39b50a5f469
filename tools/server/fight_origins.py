"""Origins of fights: the encounter and the party that each was created from."""

from __future__ import annotations

from affray.engine.errors import EngineError
from affray.engine.logger import Logger
from affray.tools.api.access import NotFound
from affray.tools.api.fight_origin import Origin, note_origin, noted_origin

from .documents import use_documents
from .server_state import ServerState

_log = Logger(__name__)


async def store_origin(server: ServerState, fight: str, origin: Origin) -> None:
    """Store the origin of a fight. A failure is only logged, since the fight can go on without it."""
    owner = await server.document_owner(fight)
    try:
        await use_documents(server, lambda documents: note_origin(documents, owner, origin))
    except EngineError as error:
        _log.warning("could_not_keep_origin", fight=fight, reason=str(error))


async def load_origin(server: ServerState, fight: str) -> Origin | None:
    """Return the origin of a fight; None if it was not stored, or there is no such fight."""
    try:
        owner = await server.document_owner(fight)
    except NotFound:
        return None
    return await use_documents(server, lambda documents: noted_origin(documents, owner))
