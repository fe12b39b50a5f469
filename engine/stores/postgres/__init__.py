"""A PostgreSQL store, for several server processes; needs the extra ``postgres``."""

from .listening import HeadMoved
from .store import PostgresStore

__all__ = ["HeadMoved", "PostgresStore"]
