"""What each fight was opened from: kept beside it, so that what it cost finds its party, and a party its members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from msgspec import Struct

from affray.engine.errors import EngineError, NoDocument
from affray.engine.stores.documents import Documents

from .kept import asked
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
        there = {one.name: one.version for one in documents.listed(KIND)}
        documents.write(KIND, fight, JSON, content, there.get(fight, ""))

    try:
        await asked(serving, write)
    except EngineError as error:
        _log.warning("could_not_keep_origin", fight=fight, reason=str(error))


async def origin_of(serving: Serving, fight: str) -> Origin | None:
    """Return what a fight was opened from; nothing of one that was begun elsewhere."""
    try:
        found = await asked(serving, lambda documents: documents.read(KIND, fight))
    except NoDocument:
        return None
    return msgspec.json.decode(found.content, type=Origin)


def sides_of(encounter: Mapping[str, Any]) -> list[str]:
    """Return the sides of an encounter, that which stands first first."""
    return list(dict.fromkeys(str(one.get("side", "")) for one in encounter.get("combatant", [])))
