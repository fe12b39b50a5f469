"""Reports of stores about failed commands are true, and uncertainty is reported."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import psycopg
import pytest

from affray.engine import StoreFailed
from affray.engine.errors import OutOfDate, Unsure
from affray.engine.stores import FileStore, SqliteStore
from affray.engine.stores.postgres import PostgresStore
from affray.engine.stores.postgres.connecting import is_lost
from affray.events import GENESIS, read_line
from tests.engine import postgres
from tests.engine.test_writers import whole
from tests.engine.writers import FIGHT, make_noted_command

OPENING = make_noted_command("opening", 0, GENESIS)
NEXT = make_noted_command("next", 3, read_line(OPENING[-1]).hash)
KNOWN = read_line(OPENING[-1]).hash


class CommandWriter(Thread):
    """Appends one command after the other until the database is gone.

    Attributes:
        told: The ids that were confirmed.
        failed: The id that was not, and what was said of it.
    """

    def __init__(self, store: PostgresStore, name: str) -> None:
        super().__init__()
        self.store = store
        self.name = name
        self.told: list[str] = []
        self.failed: tuple[str, StoreFailed] | None = None

    def run(self) -> None:
        lines = self.store.read(FIGHT)
        head, hash, nth = len(lines), read_line(lines[-1]).hash, 0
        while True:
            id = f"{self.name}-{nth}"
            new = make_noted_command(id, head, hash)
            try:
                self.store.append(FIGHT, new, head, hash)
            except StoreFailed as error:
                self.failed = id, error
                return
            self.told.append(id)
            head, hash, nth = head + len(new), read_line(new[-1]).hash, nth + 1


def test_a_killed_database_makes_no_liar_of_anybody() -> None:
    """Killed at any moment: what was confirmed is there, what was not written is not."""
    store, chance = PostgresStore(postgres.fresh()), Random(11)
    store.begin(FIGHT, OPENING, None)
    for nth in range(8):
        writer = CommandWriter(store, f"w{nth}")
        writer.start()
        until = time.monotonic() + chance.random() / 5
        while time.monotonic() < until or not writer.told:
            assert writer.is_alive()
        postgres.server().kill()
        writer.join(postgres.PATIENCE)
        postgres.server().start()
        assert writer.failed is not None
        id, error = writer.failed
        ids = whole(store.read(FIGHT))
        assert [one for one in ids if one in writer.told] == writer.told
        if isinstance(error, Unsure):
            assert "send it again under the same id" in str(error)
            assert ids[-1] in (id, writer.told[-1])
        else:
            assert str(error).endswith("nothing was written")
            assert id not in ids


def test_a_database_that_ends_instead_of_answering_has_not_said_no() -> None:
    """Its last message is the same, whether or not it committed."""
    url = postgres.fresh()
    with psycopg.connect(url, autocommit=True) as database, psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (database.info.backend_pid,))
        with pytest.raises(psycopg.Error) as ended:
            database.execute("SELECT pg_sleep(60)")
        assert is_lost(database, ended.value)
        assert database.closed
        with pytest.raises(psycopg.Error) as refused:
            other.execute("SELECT 1 / 0")
        assert not is_lost(other, refused.value)


class Database:
    """A stand-in for a connection, which is only asked whether it is closed."""

    def __init__(self, *, closed: bool = False) -> None:
        self.closed = closed

    def close(self) -> None:
        """Close it."""
        self.closed = True


@pytest.mark.parametrize(
    ("error", "lost"),
    [
        (psycopg.OperationalError("consuming input failed"), True),
        (psycopg.DataError("what was sent is none"), False),
        (psycopg.errors.ConnectionFailure(), True),
        (psycopg.errors.StatementCompletionUnknown(), True),
        (psycopg.errors.SerializationFailure(), False),
        (psycopg.errors.LockNotAvailable(), False),
    ],
)
def test_a_connection_is_lost_where_nobody_says_what_became_of_it(error: psycopg.Error, lost: bool) -> None:
    """The connection is closed then; a closed one counts as lost after any message."""
    database: Any = Database()
    assert (is_lost(database, error), database.closed) == (lost, lost)
    assert is_lost(Database(closed=True), error)  # type: ignore[arg-type]


class FailingConnection:
    """A connection to SQLite whose next commit fails.

    Args:
        real: The connection.
        name: What SQLite calls the failure.
        before: Whether it fails before it has done anything.
    """

    def __init__(self, real: sqlite3.Connection, name: str, *, before: bool) -> None:
        self.real = real
        self.name = name
        self.before = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, statement: str, about: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Execute it, or not."""
        if statement == "COMMIT":
            if not self.before:
                self.real.execute(statement)
            failed = sqlite3.OperationalError("disk I/O error")
            failed.sqlite_errorname = self.name
            raise failed
        return self.real.execute(statement, about)


@pytest.mark.parametrize(
    ("name", "before", "unsure"),
    [
        ("SQLITE_IOERR_FSYNC", False, True),
        ("SQLITE_IOERR_FSYNC", True, True),
        ("SQLITE_IOERR_WRITE", True, False),
        ("SQLITE_FULL", True, False),
    ],
)
def test_sqlite_knows_what_it_knows(tmp_path: Path, name: str, before: bool, unsure: bool) -> None:
    store = SqliteStore(tmp_path / "club.db")
    store.begin(FIGHT, OPENING, None)
    real = store._mine.connection
    store._mine.connection = FailingConnection(real, name, before=before)
    with pytest.raises(StoreFailed) as failed:
        store.append(FIGHT, NEXT, 3, KNOWN)
    store._mine.connection = real
    assert isinstance(failed.value, Unsure) == unsure
    assert ("nothing was written" in str(failed.value)) == (not unsure)
    assert str(failed.value).startswith(f"{store.path}: disk I/O error; ")
    assert store.read(FIGHT) == OPENING + (NEXT if not before else [])
    if before:
        store.append(FIGHT, NEXT, 3, KNOWN)
    else:
        with pytest.raises(OutOfDate):
            store.append(FIGHT, NEXT, 3, KNOWN)


@pytest.mark.parametrize(("fails", "unsure"), [(1, False), (2, True)])
def test_a_file_knows_what_it_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int, unsure: bool) -> None:
    """An incomplete write is removed; if the disk does not confirm that, the outcome is unknown."""
    store = FileStore(tmp_path)
    store.begin(FIGHT, OPENING, None)
    left, sync = [1] * fails, os.fdatasync

    def failing(file: int) -> None:
        if left:
            left.pop()
            raise OSError(5, "Input/output error")
        sync(file)

    with monkeypatch.context() as broken:
        broken.setattr(os, "fdatasync", failing)
        with pytest.raises(StoreFailed) as failed:
            store.append(FIGHT, NEXT, 3, KNOWN)
    assert isinstance(failed.value, Unsure) == unsure
    assert ("nothing was written" in str(failed.value)) == (not unsure)
    assert store.read(FIGHT) == OPENING


def test_who_is_interrupted_between_two_writes_has_written_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is what it was, byte for byte, and the command can be given again."""
    store, write = FileStore(tmp_path), os.write
    store.begin(FIGHT, OPENING, None)
    before, calls = store.path(FIGHT).read_bytes(), iter((False, True))

    def interrupted(file: int, written: memoryview) -> int:
        if next(calls):
            raise KeyboardInterrupt
        return write(file, written[:40])

    with monkeypatch.context() as broken:
        broken.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.append(FIGHT, NEXT, 3, KNOWN)
    assert store.path(FIGHT).read_bytes() == before
    store.append(FIGHT, NEXT, 3, KNOWN)
    assert store.read(FIGHT) == OPENING + NEXT
