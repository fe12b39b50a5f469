"""Generator of types and schemas for clients in other languages."""

from .files import FOLDER, made
from .typescript import typescript

__all__ = ["FOLDER", "made", "typescript"]
