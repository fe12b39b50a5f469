"""The documents of a store of fights, and their owners."""

from hashlib import sha256
from typing import cast

from affray.engine.stores.files import FileStore
from affray.engine.stores.protocol import Store
from affray.engine.stores.sqlite import SqliteStore

from .files import FileDocuments
from .protocol import Documents
from .sqlite import SqliteDocuments


def documents_of(store: Store) -> Documents:
    """Return a store's documents: in its folder, or in its database."""
    if isinstance(store, FileStore):
        return FileDocuments(store.folder, durable=store.durable)
    if isinstance(store, SqliteStore):
        return SqliteDocuments(store)
    return cast("Documents", store.documents)  # type: ignore[attr-defined]  # a database server's store


def document_owner_of(fight: str, beginning: str) -> str:
    """Return the owner of a fight's documents.

    Another fight of the same name has another owner, so it does not find them.

    Args:
        beginning: The hash of the event that began the fight; see ``History.beginning``.
    """
    return f"{fight} {beginning}"


def document_name_of(owner: str) -> str:
    """Return the name of an owner's document.

    It is a hash, because a fight's name may be no valid name of a document.
    """
    return sha256(owner.encode("utf-8", "surrogatepass")).hexdigest()[:32]
