"""Documents that a store keeps beside its fights."""

from .belonging import documents_of
from .protocol import LARGEST, Document, Documents, Listed

__all__ = ["Document", "Documents", "LARGEST", "Listed", "documents_of"]
