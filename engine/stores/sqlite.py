"""A store in one SQLite file: one row per command."""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from weakref import finalize

from affray.engine.errors import Altered, Exists, NoFight, OutOfDate, StoreFailed, Unsure
from affray.events import Malformed

from .input_files import must_be_a_file
from .rows import has_hash, read_behind_known, split_rows_behind
from .tables import SCHEMA, must_be_tables

_PAGE = 50
"""The number of commands fetched at once by ``lines``."""

LOCK_TIMEOUT = 10.0
"""The timeout in seconds of a write that waits for others."""


class SqliteStore:
    """Fights in one database file.

    The first write creates the file; reading changes nothing. Each thread that writes gets its own connection, and once
    one writes, so does each that reads.

    Args:
        durable: Whether an append survives a power cut (``synchronous=FULL``) or only a killed process.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.durable = durable
        self._mine = threading.local()
        self._writes = False

    def fights(self) -> list[str]:
        """See ``Store``."""
        if not self.path.exists() and self.path.parent.is_dir():
            return []
        try:
            found = self.query("SELECT fight FROM heads ORDER BY fight")
            return [name for (name,) in found if isinstance(name, str)]
        except _NoTables:
            return []

    def read(self, fight: str) -> list[bytes]:
        """See ``Store``."""
        return self.since(fight, 0)

    def lines(self, fight: str, after: int = 0) -> Iterator[bytes]:
        """See ``Store``. No lock is held between two pages."""
        begin = after
        while page := self._commands(fight, after, _PAGE):
            for last, content in page:
                yield from split_rows_behind(begin, [(last, content)]) if begin else content.split(b"\n")
            after = page[-1][0]

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        """See ``Store``."""
        return read_behind_known(
            fight, after, hash, lambda after: split_rows_behind(after, self._commands(fight, after))
        )

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """See ``Store``."""
        self.create(SCHEMA)
        with self.connect_for_writing() as database, self.transaction(database):
            begun = database.execute("INSERT OR IGNORE INTO heads VALUES (?, ?)", (fight, len(lines)))
            if begun.rowcount != 1:
                raise Exists(f"{self.path} holds a fight {fight} already")
            database.execute("INSERT INTO commands VALUES (?, ?, ?)", (fight, len(lines), b"\n".join(lines)))
            if seed is not None:
                database.execute("INSERT INTO secrets VALUES (?, ?)", (fight, seed))

    def create(self, tables: str) -> None:
        """Create missing tables, and the file if it is missing."""
        with self.connect_for_writing() as database:
            _write_ahead(database)
            database.executescript(tables)

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        """See ``Store``."""
        last = after + len(lines)
        self._must_exist()
        with self.connect_for_writing() as database, self.transaction(database):
            moved = database.execute(
                "UPDATE heads SET position = ? WHERE fight = ? AND position = ?", (last, fight, after)
            )
            if moved.rowcount != 1:
                found = database.execute("SELECT position FROM heads WHERE fight = ?", (fight,)).fetchone()
                if found is None:
                    raise NoFight(f"there is no fight {fight} in {self.path}")
                _must_hold(database, fight, after, hash)
                raise OutOfDate(after, found[0])
            _must_hold(database, fight, after, hash)
            database.execute("INSERT INTO commands VALUES (?, ?, ?)", (fight, last, b"\n".join(lines)))
        if self._mine.file != _identity(self.path):
            raise Altered(fight, after)

    def seed(self, fight: str) -> bytes | None:
        """See ``Store``."""
        self._must_exist()
        found = self.query("SELECT seed FROM secrets WHERE fight = ?", fight)
        if found and not isinstance(found[0][0], bytes):
            raise StoreFailed(f"{self.path}: the dice seed of {fight} cannot be read: it is not a blob")
        return found[0][0] if found else None

    def _commands(self, fight: str, after: int, most: int = -1) -> list[tuple[int, bytes]]:
        """Return the commands that end behind a position, up to a number."""
        self._must_exist()
        if not self.query("SELECT 1 FROM heads WHERE fight = ?", fight):
            there = ", ".join(self.fights()) or "none"
            raise NoFight(f"there is no fight {fight} in {self.path}; there are {there}")
        query = "SELECT last, lines FROM commands WHERE fight = ? AND last > ? ORDER BY last LIMIT ?"
        found = self.query(query, fight, after, most)
        if not all(isinstance(last, int) and isinstance(content, bytes) for last, content in found):
            raise Malformed(f"{self.path} does not hold lines where commands of {fight} should be")
        return found

    def _must_exist(self) -> None:
        if not self.path.exists():
            raise NoFight(f"there is no database {self.path}")

    def query(self, query: str, *values: object) -> list[Any]:
        """Run a query without changing the file or the files beside it.

        While no process has the database open, no files are needed beside it. Then it is read as a file that does not
        change, as on a read-only medium. If it has changed meanwhile, it is read again under SQLite's locks.
        """
        if self._writes:
            with self._open_connection() as database:
                return database.execute(query, values).fetchall()
        with self._convert_errors():
            must_be_a_file(self.path)
            still = _fingerprint_of_database(self.path)
            if still is not None:
                found = _query_read_only(self.path, "mode=ro&immutable=1", query, values)
                if _fingerprint_of_database(self.path) == still:
                    return found
            try:
                return _query_read_only(self.path, "mode=ro", query, values)
            except sqlite3.OperationalError as error:
                if os.access(self.path.parent, os.W_OK):
                    raise
                beside = f"what lies in {self.path}-wal must first be moved into it, where it can be written"
                raise StoreFailed(f"{self.path}: {error}; {beside}") from None

    @contextmanager
    def connect_for_writing(self) -> Iterator[sqlite3.Connection]:
        """Yield this thread's connection for writing."""
        self._writes = True
        with self._open_connection() as database:
            yield database

    @contextmanager
    def _open_connection(self) -> Iterator[sqlite3.Connection]:
        with self._convert_errors():
            connection: sqlite3.Connection | None = getattr(self._mine, "connection", None)
            if connection is not None and self._mine.file != _identity(self.path):
                connection.close()  # its writes would be lost: another file has its name now
                connection = None
            if connection is None:
                connection = self._mine.connection = self._connect()
                self._mine.file = _identity(self.path)
                finalize(self, connection.close)
            yield connection

    @contextmanager
    def _convert_errors(self) -> Iterator[None]:
        """Convert SQLite's errors to ``StoreFailed``."""
        try:
            yield
        except sqlite3.Error as error:
            if str(error).startswith("no such table"):
                raise _NoTables(f"there is no fight in {self.path}") from None
            raise StoreFailed(f"{self.path}: {error}; nothing was written") from None
        except UnicodeDecodeError as error:  # SQLite's message quotes a damaged file
            said = error.object.decode(errors="replace")
            raise StoreFailed(f"{self.path}: {said}; nothing was written") from None
        except OSError as error:
            raise StoreFailed(f"{self.path}: {error.strerror}") from None

    @contextmanager
    def transaction(self, database: sqlite3.Connection) -> Iterator[None]:
        """Run a transaction.

        Raises:
            Unsure: its commit failed in a way that leaves open whether it was written.
        """
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise
        try:
            database.execute("COMMIT")
        except sqlite3.Error as error:
            if database.in_transaction:
                database.execute("ROLLBACK")
            if error.sqlite_errorname in _NOT_COMMITTED:
                raise
            raise Unsure(f"{self.path}: {error}") from None

    def _connect(self) -> sqlite3.Connection:
        database = connect_to_file(self.path)
        database.execute(f"PRAGMA synchronous = {'FULL' if self.durable else 'NORMAL'}")
        must_be_tables(database, self.path)
        return database


def connect_to_file(path: Path) -> sqlite3.Connection:
    """Open a database file; a new one is readable by its owner alone.

    An existing file is opened by SQLite only. Closing another descriptor of it would drop all locks that this process
    has on it. Then other processes would discard data that SQLite has not moved into it yet.

    Raises:
        StoreFailed: the file cannot exist or be opened.
    """
    try:
        if path.exists():
            must_be_a_file(path)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise StoreFailed(f"{path}: {error.strerror}") from None
    return sqlite3.connect(path, isolation_level=None, timeout=LOCK_TIMEOUT, check_same_thread=False)


def _write_ahead(database: sqlite3.Connection) -> None:
    """Turn on the write-ahead log, so that reads work during writes.

    SQLite does not wait here where several processes begin at once, so it is retried.
    """
    until = monotonic() + LOCK_TIMEOUT
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return


def _fingerprint_of_database(path: Path) -> tuple[int, int, int] | None:
    """Return a fingerprint of a database file; ``None`` if content lies beside it."""
    for beside in ("-wal", "-journal"):
        with suppress(FileNotFoundError):
            if path.with_name(path.name + beside).stat().st_size:
                return None
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _query_read_only(path: Path, how: str, query: str, values: Sequence[object]) -> list[Any]:
    """Run a query over a read-only connection."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=LOCK_TIMEOUT)) as database:
        must_be_tables(database, path)
        return database.execute(query, values).fetchall()


class _NoTables(NoFight):
    """No fight was ever begun in the database, which may be another program's."""


_NOT_COMMITTED = ("SQLITE_BUSY", "SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_READONLY")
"""The errors after which a commit is certainly not in the file.

After others, such as an unconfirmed disk write, the commit may be in the file when the machine restarts.
"""


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the identity of a file, which differs for another one of the same name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _must_hold(database: sqlite3.Connection, fight: str, after: int, hash: str) -> None:
    """Refuse to append behind an event that is not there."""
    if hash and after:
        row = database.execute(
            "SELECT last, lines FROM commands WHERE fight = ? AND last >= ? ORDER BY last LIMIT 1", (fight, after)
        )
        found = split_rows_behind(after - 1, row)
        if not found or not has_hash(found[0], hash):
            raise Altered(fight, after)
