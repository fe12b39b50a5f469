"""Many fights in one SQLite file: a row for each command, so that a command is there wholly or not at all."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from weakref import finalize

from affray.engine.errors import OutOfDate, StoreFailed, Unusable

from .rows import behind

_SCHEMA = """
CREATE TABLE IF NOT EXISTS heads (fight TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS commands (
    fight TEXT NOT NULL, last INTEGER NOT NULL, lines BLOB NOT NULL, PRIMARY KEY (fight, last)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS secrets (fight TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID;
"""


class SqliteStore:
    """Fights in one database file, which is made when it is first written. For one thread at a time.

    Args:
        path: The file.
        durable: Whether an append survives a power cut (``synchronous=FULL``) or only a killed process.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.durable = durable
        self._connection: sqlite3.Connection | None = None

    def fights(self) -> list[str]:
        """See ``Store``."""
        with self._using() as database:
            return [row[0] for row in database.execute("SELECT fight FROM heads ORDER BY fight")]

    def read(self, fight: str) -> list[bytes]:
        """See ``Store``."""
        return list(self.lines(fight))

    def lines(self, fight: str) -> Iterator[bytes]:
        """See ``Store``."""
        for _, content in self._commands(fight, 0):
            yield from content.split(b"\n")

    def since(self, fight: str, after: int) -> list[bytes]:
        """See ``Store``."""
        return behind(after, self._commands(fight, after))

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """See ``Store``."""
        with self._using() as database, _transaction(database):
            begun = database.execute("INSERT OR IGNORE INTO heads VALUES (?, ?)", (fight, len(lines)))
            if begun.rowcount != 1:
                raise StoreFailed(f"{self.path} holds a fight {fight} already")
            database.execute("INSERT INTO commands VALUES (?, ?, ?)", (fight, len(lines), b"\n".join(lines)))
            if seed is not None:
                database.execute("INSERT INTO secrets VALUES (?, ?)", (fight, seed))

    def append(self, fight: str, lines: Sequence[bytes], after: int) -> None:
        """See ``Store``."""
        last = after + len(lines)
        with self._using() as database, _transaction(database):
            moved = database.execute(
                "UPDATE heads SET position = ? WHERE fight = ? AND position = ?", (last, fight, after)
            )
            if moved.rowcount != 1:
                found = database.execute("SELECT position FROM heads WHERE fight = ?", (fight,)).fetchone()
                if found is None:
                    raise Unusable(f"there is no fight {fight} in {self.path}")
                raise OutOfDate(after, found[0])
            database.execute("INSERT INTO commands VALUES (?, ?, ?)", (fight, last, b"\n".join(lines)))

    def seed(self, fight: str) -> bytes | None:
        """See ``Store``."""
        with self._using() as database:
            found = database.execute("SELECT seed FROM secrets WHERE fight = ?", (fight,)).fetchone()
        return bytes(found[0]) if found else None

    def _commands(self, fight: str, after: int) -> Iterator[tuple[int, bytes]]:
        """Yield the commands that end behind a position."""
        if not self.path.exists():
            raise Unusable(f"there is no database {self.path}")
        with self._using() as database:
            if not database.execute("SELECT 1 FROM heads WHERE fight = ?", (fight,)).fetchone():
                there = ", ".join(self.fights()) or "none"
                raise Unusable(f"there is no fight {fight} in {self.path}; there are {there}")
            yield from database.execute(
                "SELECT last, lines FROM commands WHERE fight = ? AND last > ? ORDER BY last", (fight, after)
            )

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._connection is None:
                self._connection = self._connect()
                finalize(self, self._connection.close)
            yield self._connection
        except sqlite3.Error as error:
            raise StoreFailed(f"{self.path}: {error}; nothing was written") from None

    def _connect(self) -> sqlite3.Connection:
        try:
            os.close(os.open(self.path, os.O_RDONLY | os.O_CREAT, 0o600))  # it holds the secret seeds
        except OSError as error:
            raise StoreFailed(f"{self.path}: {error.strerror}") from None
        database = sqlite3.connect(self.path, isolation_level=None, timeout=10, check_same_thread=False)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(f"PRAGMA synchronous = {'FULL' if self.durable else 'NORMAL'}")
        database.executescript(_SCHEMA)
        return database


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
