"""For all failures of a store, no answer tells its place or the system's message."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.engine.stores import FileStore, SqliteStore
from affray.tools.api.operations import ALLOWED_ROLES
from affray.tools.server import sessions as seats
from affray.tools.server.open_fights import IDLE_LOOKS, LimitReached
from affray.tools.server.subscription import Feed
from tests.engine import postgres
from tests.serve.meddling import overwrite_lines, store_of
from tests.serve.server import Server, serve_duel
from tests.serve.test_errors import BODIES

Break = Callable[[Path, pytest.MonkeyPatch], None]


def remove_duel(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "duel.jsonl").unlink()


def folder_removed(folder: Path, _: pytest.MonkeyPatch) -> None:
    shutil.rmtree(folder)


def a_folder(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "duel.jsonl").unlink()
    (folder / "duel.jsonl").mkdir()


def a_loop(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "duel.jsonl").unlink()
    (folder / "duel.jsonl").symlink_to("duel.jsonl")


def garbage(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "duel.jsonl").write_bytes(b"\x00\xff garbage\n" * 9)


def empty_duel(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "duel.jsonl").write_bytes(b"")


def wrong_key(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "duel.key").write_text("no key of ours")


def failing(number: int, *names: str) -> Break:
    """Return a patch that makes system calls in the folder fail, with the system's message."""

    def fail(folder: Path, patch: pytest.MonkeyPatch) -> None:
        def refuse(*about: Any, **_: Any) -> Any:
            raise OSError(number, os.strerror(number), str(folder / "duel.jsonl"))

        for name in names:
            patch.setattr(f"affray.engine.stores.files.{name}", refuse)

    return fail


FILES: dict[str, Break] = {
    "removed": remove_duel,
    "folder removed": folder_removed,
    "a folder": a_folder,
    "a loop": a_loop,
    "garbage": garbage,
    "emptied": empty_duel,
    "wrong key": wrong_key,
    "no permission": failing(errno.EACCES, "os.open", "Path.stat"),
    "no locks": failing(errno.ENOLCK, "fcntl.flock"),
    "input and output error": failing(errno.EIO, "os.read", "os.pread", "os.write"),
    "disk full": failing(errno.ENOSPC, "os.write", "os.fdatasync", "os.ftruncate"),
}


def overwritten(folder: Path, _: pytest.MonkeyPatch) -> None:
    for beside in folder.glob("club.db*"):
        beside.write_bytes(b"\x00\xff garbage" * 1_000)


def database_removed(folder: Path, _: pytest.MonkeyPatch) -> None:
    for beside in folder.glob("club.db*"):
        beside.unlink()


def database_a_folder(folder: Path, _: pytest.MonkeyPatch) -> None:
    database_removed(folder, _)
    (folder / "club.db").mkdir()


def without_tables(folder: Path, _: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(folder / "club.db") as database:
        database.execute("DROP TABLE commands")
    database.close()


def no_connection(folder: Path, patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise sqlite3.OperationalError(f"unable to open database file {folder}")

    patch.setattr(SqliteStore, "_open_connection", refuse)
    patch.setattr("affray.tools.server.token_store.connect_to_file", refuse)


DATABASES: dict[str, Break] = {
    "overwritten": overwritten,
    "removed": database_removed,
    "a folder": database_a_folder,
    "without tables": without_tables,
    "no connection": no_connection,
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at an altered fight again at once, and refuse every feed after its fight was read: a feed never ends."""

    def refuse(*_: Any) -> Any:
        raise LimitReached("as many follow already as may: 0")

    monkeypatch.setattr(seats, "AGAIN_SECONDS", 0)
    monkeypatch.setattr(Feed, "follow", refuse)


def telling(server: Server, *places: str) -> list[str]:
    """Send a request to every route, and return the answers that reveal a secret."""
    told = []
    for method, path in sorted(ALLOWED_ROLES):
        where = path.replace("{fight}", "duel").replace("{position}", "1")
        if method == "WEBSOCKET":
            with server.client.websocket_connect(where) as socket:
                socket.send_json({"token": server.gm.token})
                text, status = socket.receive_text(), 503
        else:
            body = BODIES.get(path)
            answer = server.host.asks(method, where, body and {**body, "id": body.get("id", "") + "-1"})
            text, status = f"{answer.headers} {answer.text}", answer.status_code
        if status == 500 or any(one in text for one in (*places, "Traceback", "Errno", "sqlite", "psycopg", ".jsonl:")):
            told.append(f"{method} {path} {status} {text}")
    return told


def forgotten(server: Server) -> None:
    """Let the server close unused fights."""
    for _ in range(2 * IDLE_LOOKS):
        server.app.state.server.fights.close_unused()


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "put away"])
@pytest.mark.parametrize("way", FILES)
def test_a_folder_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, is_open: bool) -> None:
    folder = tmp_path / "secret-place"
    folder.mkdir()
    with serve_duel(FileStore(folder), dice="engine") as server:
        if not is_open:
            forgotten(server)
        with monkeypatch.context() as meanwhile:
            FILES[way](folder, meanwhile)
            assert telling(server, "secret-place") == []


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "put away"])
@pytest.mark.parametrize("way", DATABASES)
def test_a_database_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, is_open: bool) -> None:
    folder = tmp_path / "secret-place"
    folder.mkdir()
    with serve_duel(SqliteStore(folder / "club.db")) as server:
        if not is_open:
            forgotten(server)
        with monkeypatch.context() as meanwhile:
            DATABASES[way](folder, meanwhile)
            assert telling(server, "secret-place", "club.db") == []


def test_a_database_server_is_not_told(tmp_path: Path) -> None:
    """Neither its address nor its user, after a removed fight or a lost database."""
    store = store_of("postgres", tmp_path)
    database = postgres.server()
    with serve_duel(store) as server:
        lines = store.read("duel")
        overwrite_lines(store, "duel", [])
        assert telling(server, str(database.folder), "affray@") == []
        overwrite_lines(store, "duel", lines)
        database.kill()
        try:
            assert telling(server, str(database.folder), "affray@", "connection") == []
        finally:
            database.start()
