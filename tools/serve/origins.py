"""What each fight was opened from: kept beside it, so that what it cost finds its party, and a party its members."""

from __future__ import annotations

from typing import Any

import msgspec
import structlog
from msgspec import Struct

from affray.engine.errors import EngineError, NoDocument
from affray.engine.stores.documents import Documents

from .kept import asked, document_of
from .serving import Serving

_log = structlog.get_logger(__name__)

KIND = "origin"
JSON = "application/json"


class Origin(Struct, frozen=True, omit_defaults=True):
    """What a fight was opened from.

    Attributes:
        encounter: As it was opened, with the party in it.
        saved: The name of the encounter that is kept, if it was one.
        party: The name of the party that joined it, if one did.
    """

    encounter: dict[str, Any]
    saved: str = ""
    party: str = ""


async def keep_origin(serving: Serving, fight: str, origin: Origin) -> None:
    """Note what a fight was opened from. A fight goes on without that, so it is no fault if it cannot be kept."""
    content = msgspec.json.encode(origin)

    def write(documents: Documents) -> None:
        try:
            version = documents.read(KIND, document_of(fight)).version
        except NoDocument:
            version = ""
        documents.write(KIND, document_of(fight), JSON, content, version)

    try:
        await asked(serving, write)
    except EngineError as error:
        _log.warning("could_not_keep_origin", fight=fight, reason=str(error))


async def origin_of(serving: Serving, fight: str) -> Origin | None:
    """Return what a fight was opened from; nothing of one that was begun elsewhere."""
    try:
        found = await asked(serving, lambda documents: documents.read(KIND, document_of(fight)))
    except NoDocument:
        return None
    return msgspec.json.decode(found.content, type=Origin)
