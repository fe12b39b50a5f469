"""A database file is shared by threads, processes, and perhaps other programs' tables."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from affray.engine.errors import StoreFailed, Unusable
from affray.engine.stores import SqliteStore, sqlite
from affray.engine.stores.sqlite import connect_to_file
from affray.events import Malformed

FIGHTS = 8
COMMANDS = 20


def test_threads_write_to_their_fights_at_once(tmp_path: Path) -> None:
    """Each thread has a connection, so that no command joins another one's transaction."""
    store = SqliteStore(tmp_path / "club.db", durable=False)

    def fight(name: str) -> list[bytes]:
        store.begin(name, [name.encode()], None)
        for nth in range(1, COMMANDS):
            store.append(name, [f"{name}{nth}".encode()], nth)
        return store.read(name)

    names = [f"fight{nth}" for nth in range(FIGHTS)]
    with ThreadPoolExecutor(FIGHTS) as threads:
        written = list(threads.map(fight, names))
    assert store.fights() == names
    assert [len(lines) for lines in written] == [COMMANDS] * FIGHTS
    assert all(line.startswith(name.encode()) for name, lines in zip(names, written, strict=True) for line in lines)


def test_to_look_into_somebody_elses_database_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "accounts.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE accounts (id INTEGER)")
        database.commit()
    before = file.read_bytes()
    store = SqliteStore(file)
    assert store.fights() == []
    for look in (store.read, store.seed, lambda name: store.since(name, 0)):
        with pytest.raises(Unusable, match="no fight"):
            look("duel")
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["accounts.db"]


def test_another_process_that_looks_takes_nothing_away(tmp_path: Path) -> None:
    """Not even after this one has connected again: what lies beside the file until SQLite moves it stays there."""
    file = tmp_path / "club.db"
    store = SqliteStore(file)
    store.begin("duel", [b"opening"], None)
    SqliteStore(file).read("duel")
    assert looked_into(file) == b"[('duel', 1)]\n"
    assert file.with_name("club.db-wal").exists()
    store.append("duel", [b"next"], 1)
    assert looked_into(file) == b"[('duel', 2)]\n"


def looked_into(file: Path) -> bytes:
    """Return what another process finds in a database, which it then leaves."""
    code = f"""
import sqlite3
database = sqlite3.connect({str(file)!r})
print(database.execute("SELECT * FROM heads").fetchall())
database.close()
"""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout


TABLES = """
CREATE TABLE heads (fight, position); CREATE TABLE commands (fight, last, lines); CREATE TABLE secrets (fight, seed);
"""
HEADS = "CREATE TABLE heads (fight, position); INSERT INTO heads VALUES ('x', 1);"
ENDLESS = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'x' AS fight, i AS last, x'00' AS lines FROM n
"""


@pytest.mark.parametrize(
    "content",
    [
        f"{TABLES} INSERT INTO heads VALUES ('x', 1); INSERT INTO commands VALUES ('x', 1, 'text')",
        f"{TABLES} INSERT INTO heads VALUES ('x', 1); INSERT INTO commands VALUES ('x', 1, 7)",
        f"{TABLES} INSERT INTO heads VALUES ('x', 1); INSERT INTO commands VALUES ('x', 'last', x'00')",
        f"{TABLES} INSERT INTO heads VALUES (x'00', 1), ('y', 1)",
        f"{HEADS} CREATE VIEW commands AS {ENDLESS}",
        f"{HEADS} CREATE VIEW COMMANDS AS {ENDLESS}",
        f"{HEADS} CREATE TABLE commands (fight, last, lines AS (zeroblob(100)))",
        f"{HEADS} CREATE VIRTUAL TABLE commands USING fts4 (fight, last, lines)",
    ],
)
def test_a_database_that_holds_something_else_is_told_and_not_followed(tmp_path: Path, content: str) -> None:
    """Values of another type, and what is worked out, which may go on without end, where our tables should be."""
    file = tmp_path / "theirs.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(content)
    store = SqliteStore(file)
    for look in (store.read, lambda fight: list(store.lines(fight)), lambda fight: store.since(fight, 0)):
        with pytest.raises((StoreFailed, Unusable, Malformed)):
            look("x")


@pytest.mark.parametrize("good", [b"CREATE TABLE heads", b"WITHOUT ROWID"])
def test_a_damaged_database_is_told_whatever_sqlite_quotes_of_it(tmp_path: Path, good: bytes) -> None:
    """Its own words hold bytes of the file, which may be no text."""
    file = tmp_path / "damaged.db"
    SqliteStore(file).begin("x", [b"opening"], None)
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    file.write_bytes(file.read_bytes().replace(good, good[:-1] + b"\xff"))
    with pytest.raises(StoreFailed, match="malformed database schema"):
        SqliteStore(file).read("x")


def test_a_database_of_fights_may_hold_other_things_too(tmp_path: Path) -> None:
    """Views, indexes, columns and tables of its owner's, as long as what is read is kept as it is."""
    file = tmp_path / "club.db"
    SqliteStore(file).begin("x", [b"opening"], b"seed")
    with closing(sqlite3.connect(file)) as database:
        database.executescript("""
            CREATE VIEW sizes AS SELECT fight, sum(length(lines)) FROM commands GROUP BY fight;
            CREATE INDEX ends ON commands (last);
            ALTER TABLE commands ADD COLUMN size AS (length(lines));
            CREATE VIRTUAL TABLE found USING fts4 (words);
        """)
    assert SqliteStore(file).read("x") == [b"opening"]
    assert SqliteStore(file).seed("x") == b"seed"


@pytest.mark.parametrize("seed", ["'text'", "4000000000"])
def test_a_seed_that_is_no_bytes_is_told(tmp_path: Path, seed: str) -> None:
    """And never taken for a number of bytes."""
    file = tmp_path / "theirs.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(f"{TABLES} INSERT INTO secrets VALUES ('x', {seed})")
    with pytest.raises(StoreFailed, match="the dice seed of x cannot be read"):
        SqliteStore(file).seed("x")


def test_who_writes_waits_ten_seconds_for_another_writer(tmp_path: Path) -> None:
    with closing(connect_to_file(tmp_path / "club.db")) as database:
        assert database.execute("PRAGMA busy_timeout").fetchone() == (10_000,)


@pytest.mark.parametrize(
    ("states", "ways"),
    [
        ([(1, 1, 1), (1, 1, 1)], ["mode=ro&immutable=1"]),
        ([(1, 1, 1), (1, 1, 2)], ["mode=ro&immutable=1", "mode=ro"]),
        ([(1, 1, 1), None], ["mode=ro&immutable=1", "mode=ro"]),
        ([None], ["mode=ro"]),
    ],
)
def test_a_file_that_changes_while_it_is_read_is_read_again_under_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: list[tuple[int, int, int] | None], ways: list[str]
) -> None:
    """So is a file with a write-ahead log beside it; any other is read without locks."""
    SqliteStore(tmp_path / "club.db").begin("duel", [b"opening"], None)
    seen, used, read = iter(states), list[str](), sqlite._query_read_only

    def watched(path: Path, how: str, query: str, values: Sequence[object]) -> list[Any]:
        used.append(how)
        return read(path, how, query, values)

    monkeypatch.setattr(sqlite, "_fingerprint_of_database", lambda path: next(seen))
    monkeypatch.setattr(sqlite, "_query_read_only", watched)
    assert SqliteStore(tmp_path / "club.db").fights() == ["duel"]
    assert (used, list(seen)) == (ways, [])
