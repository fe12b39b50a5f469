"""The encounter and the party that a fight was created from."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.errors import NoDocument
from affray.engine.stores.documents import Documents, document_name_of

KIND = "origin"
JSON = "application/json"


class Origin(Struct, frozen=True, omit_defaults=True):
    """The encounter and the party that a fight was opened from.

    Attributes:
        encounter: The encounter as it was opened, with the party in it.
        saved: The name of the stored encounter; empty if it came from another source.
        party: The name of the party that joined it; empty without one.
    """

    encounter: dict[str, Any]
    saved: str = ""
    party: str = ""


def note_origin(documents: Documents, owner: str, origin: Origin) -> None:
    """Note what a fight was opened from; see ``document_owner_of``."""
    try:
        version = documents.read(KIND, document_name_of(owner)).version
    except NoDocument:
        version = ""
    documents.write(KIND, document_name_of(owner), JSON, msgspec.json.encode(origin), version)


def noted_origin(documents: Documents, owner: str) -> Origin | None:
    """Return a fight's stored origin, if there is one."""
    try:
        found = documents.read(KIND, document_name_of(owner))
    except NoDocument:
        return None
    return msgspec.json.decode(found.content, type=Origin)
