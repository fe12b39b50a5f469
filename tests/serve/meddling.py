"""Stores of each kind, and changes of their contents from outside."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psycopg

from affray.engine.stores import FileStore, SqliteStore, Store
from affray.engine.stores.postgres import PostgresStore
from affray.events import read_line
from tests.engine import postgres

KINDS = ("files", "sqlite", "postgres")


def store_of(kind: str, folder: Path) -> Store:
    """Return an empty store."""
    match kind:
        case "files":
            return FileStore(folder)
        case "sqlite":
            return SqliteStore(folder / "club.db")
        case _:
            return PostgresStore(postgres.fresh())


def overwrite_lines(store: Store, fight: str, lines: Sequence[bytes]) -> None:
    """Overwrite a stored fight with these lines; delete it if there are none."""
    rows = split_commands(lines)
    match store:
        case FileStore():
            path = store.path(fight)
            path.unlink(missing_ok=True)
            if lines:
                path.write_bytes(b"\n".join([*lines, b""]))
        case SqliteStore():
            with closing(sqlite3.connect(store.path)) as database, database:
                database.execute("DELETE FROM commands WHERE fight = ?", (fight,))
                database.execute("DELETE FROM heads WHERE fight = ?", (fight,))
                database.executemany("INSERT INTO commands VALUES (?, ?, ?)", [(fight, *row) for row in rows])
                if lines:
                    database.execute("INSERT INTO heads VALUES (?, ?)", (fight, len(lines)))
        case PostgresStore():
            with psycopg.connect(postgres.server().url()) as club:
                club.execute("DELETE FROM affray.commands WHERE fight = %s", (fight,))
                club.execute("DELETE FROM affray.secrets WHERE fight = %s", (fight,))
                club.execute("DELETE FROM affray.heads WHERE fight = %s", (fight,))
                if lines:
                    club.execute("INSERT INTO affray.heads VALUES (%s, %s)", (fight, len(lines)))
                for last, content in rows:
                    club.execute("INSERT INTO affray.commands VALUES (%s, %s, %s)", (fight, last, content))


def split_commands(lines: Sequence[bytes]) -> list[tuple[int, bytes]]:
    """Return for each command where it ends, and its lines."""
    ends = [number for number, line in enumerate(lines, 1) if not read_line(line).more]
    return [(end, b"\n".join(lines[start:end])) for start, end in zip([0, *ends], ends, strict=False)]
