"""Generate what clients in other languages need from our structs."""

from .files import FOLDER, made
from .typescript import typescript

__all__ = ["FOLDER", "made", "typescript"]
