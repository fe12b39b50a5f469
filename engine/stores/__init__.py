"""Event stores."""

from .files import FileStore
from .protocol import Store
from .sqlite import SqliteStore

__all__ = ["FileStore", "SqliteStore", "Store"]
