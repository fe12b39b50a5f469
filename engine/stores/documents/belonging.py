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


def document_of(fight: str) -> str:
    """Return the name of a fight's document: a fight may be called what no document can."""
    return sha256(fight.encode("utf-8", "surrogatepass")).hexdigest()[:32]
