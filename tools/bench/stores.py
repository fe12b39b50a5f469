"""The stores in which appending is measured."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from affray.engine.stores import FileStore, SqliteStore, Store
from affray.tools.places import store_of

SERVER = "AFFRAY_POSTGRES"
"""The environment variable that names a PostgreSQL database to measure in; what is written there stays."""


def stores(folder: Path) -> Iterator[tuple[str, Store]]:
    """Yield every store with how durably it appends; PostgreSQL's only if a database of it is named."""
    yield "JSON Lines, fdatasync", FileStore(folder)
    yield "SQLite, synchronous=FULL", SqliteStore(folder / "full.db")
    yield "SQLite, synchronous=NORMAL", SqliteStore(folder / "normal.db", durable=False)
    server = os.environ.get(SERVER)
    if server:
        yield "PostgreSQL, synchronous_commit=on", store_of(server)
