"""A PostgreSQL store, for several server processes; needs the extra ``postgres``."""

from .listening import Moved
from .store import PostgresStore

__all__ = ["Moved", "PostgresStore"]
