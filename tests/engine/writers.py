"""Other processes that use a store in tests. They start with the imported code only."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from affray.engine import FileStore, OutOfDate, SqliteStore, Store, StoreFailed
from affray.engine.stores.postgres import PostgresStore
from affray.events import GENESIS, Event, Noted, read_line, seal
from tests.engine import postgres

FIGHT = "shared"
KINDS = ("files", "sqlite", "postgres")
"""The stores that several processes can share."""

FAILED = -1
"""What is told when the store failed."""


def place(kind: str, folder: Path) -> str:
    """Return where a store of a kind begins empty; for ``postgres``, in the tests' own server."""
    return postgres.fresh() if kind == "postgres" else str(folder if kind == "files" else folder / "fights.db")


def open_store_of_kind(kind: str, at: str, *, durable: bool = True) -> Store:
    """Open the store of a kind at a place."""
    if kind == "postgres":
        return PostgresStore(at, durable=durable)
    return FileStore(Path(at), durable=durable) if kind == "files" else SqliteStore(Path(at), durable=durable)


def make_noted_command(text: str, after: int, previous: str, events: int = 3) -> list[bytes]:
    """Return the lines of one command of several notes behind a position."""
    notes: list[Event] = [Noted(text=f"{text} {nth}") for nth in range(events)]
    return seal(notes, after=after, previous=previous, time="t", who="w", cause=text)[1]


def read_head_of(store: Store) -> tuple[int, str]:
    """Return position and hash of the head."""
    last = read_line(store.read(FIGHT)[-1])
    return last.position, last.hash


def begin_shared_fight(store: Store) -> None:
    """Begin the fight that all of them write."""
    store.begin(FIGHT, make_noted_command("opening", 0, GENESIS), None)


def write(told: Connection, kind: str, at: str, name: str, times: int) -> None:
    """Append commands, each after the new head if another writer was faster; return the number."""
    store = open_store_of_kind(kind, at)
    for nth in range(times):
        while True:
            head, hash = read_head_of(store)
            try:
                store.append(FIGHT, make_noted_command(f"{name}{nth}", head, hash), head)
                break
            except OutOfDate:
                continue
    told.send(times)


def write_on(told: Connection, kind: str, at: str) -> None:
    """Append commands until stopped; report the record's length, or a failure, after each."""
    store = open_store_of_kind(kind, at)
    head, hash = read_head_of(store)
    try:
        while True:
            lines = make_noted_command(f"c{head}", head, hash, events=20)
            store.append(FIGHT, lines, head)
            head, hash = head + len(lines), read_line(lines[-1]).hash
            told.send(head)
    except StoreFailed:
        told.send(FAILED)
