"""Documents that a store keeps beside its fights."""

from .belonging import document_of, documents_of, owner_of
from .protocol import LARGEST, TOML, Document, Documents, Listed

__all__ = ["Document", "Documents", "LARGEST", "Listed", "TOML", "document_of", "documents_of", "owner_of"]
