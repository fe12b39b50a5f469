"""Which documents belong to a store of fights."""

from hashlib import sha256
from typing import cast

from affray.engine.stores.files import FileStore
from affray.engine.stores.protocol import Store
from affray.engine.stores.sqlite import SqliteStore

from .files import FileDocuments
from .protocol import Documents
from .sqlite import SqliteDocuments


def documents_of(store: Store) -> Documents:
    """Return the documents that belong to a store of fights: in its folder, or in its database."""
    if isinstance(store, FileStore):
        return FileDocuments(store.folder, durable=store.durable)
    if isinstance(store, SqliteStore):
        return SqliteDocuments(store)
    return cast("Documents", store.documents)  # type: ignore[attr-defined]  # a database server's store


def owner_of(fight: str, beginning: str) -> str:
    """Return the owner of a fight's documents, so that the next fight of its name does not find them.

    Args:
        beginning: The hash of the event that began the fight; see ``History.beginning``.
    """
    return f"{fight} {beginning}"


def document_of(owner: str) -> str:
    """Return the name of an owner's document: a fight may be called what no document can."""
    return sha256(owner.encode("utf-8", "surrogatepass")).hexdigest()[:32]
