"""What a client in another language needs of our structs: made from them, so that it cannot fall behind."""

from __future__ import annotations

from .files import FOLDER, made
from .typescript import typescript

__all__ = ["FOLDER", "made", "typescript"]
