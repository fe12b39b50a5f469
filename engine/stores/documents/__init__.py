"""Documents that a store keeps beside its fights."""

from .belonging import document_name_of, documents_of, document_owner_of
from .protocol import LARGEST, TOML, Document, Documents, DocumentInfo

__all__ = [
    "Document", "DocumentInfo", "Documents", "LARGEST", "TOML", "document_name_of", "document_owner_of", "documents_of",
]  # fmt: skip
