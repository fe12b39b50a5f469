"""Generator of types and schemas for clients in other languages."""

from .files import FOLDER, generate_files
from .typescript import typescript

__all__ = ["FOLDER", "generate_files", "typescript"]
