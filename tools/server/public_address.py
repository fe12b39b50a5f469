"""The public address of the server, which the host sets at any time; stored beside the fights."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from affray.engine.errors import NoDocument, Unusable
from affray.engine.stores.documents import Documents

from .addresses import check_public_url
from .documents import use_documents
from .server_state import ServerState

KIND, NAME = "server", "public-address"
"""The document that holds the public address, beside the fights."""


class _PublicAddress(Struct, frozen=True):
    """The stored public address; empty if the host took it back."""

    url: str


def read_public_url(documents: Documents) -> str:
    """Return the stored public address; empty if there is none."""
    try:
        return check_public_url(msgspec.json.decode(documents.read(KIND, NAME).content, type=_PublicAddress).url, NAME)
    except (NoDocument, msgspec.MsgspecError, Unusable):  # a person may have edited the file
        return ""


def write_public_url(documents: Documents, url: str) -> None:
    """Store the public address for all servers of the store; an empty one takes it back.

    Raises:
        Superseded: another host was quicker.
    """
    try:
        version = documents.read(KIND, NAME).version
    except NoDocument:
        if not url:
            return
        version = ""
    documents.write(KIND, NAME, "application/json", msgspec.json.encode(_PublicAddress(url)), version)


async def find_public_url(server: ServerState) -> str:
    """Return the public address that the host set last; empty if there is none."""
    return await use_documents(server, read_public_url)


async def set_public_url(server: ServerState, url: str) -> None:
    """Store the public address; new links begin with it at once."""
    await use_documents(server, lambda documents: write_public_url(documents, url))


async def find_origin(server: ServerState) -> str:
    """Return the address that links begin with."""
    return await find_public_url(server) or server.origin


def join_reach(server: ServerState, public: str) -> list[str]:
    """Return the addresses at which other machines reach the server, the public one first."""
    return [*filter(None, [public]), *server.reach]
