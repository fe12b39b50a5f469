"""Event stores."""

from __future__ import annotations

from .files import FileStore
from .protocol import Store
from .sqlite import SqliteStore

__all__ = ["FileStore", "SqliteStore", "Store"]
