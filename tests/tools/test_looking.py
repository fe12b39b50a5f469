"""Read-only commands change nothing: no log, no database, no other file, even with faults."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from affray.engine import FileStore, SqliteStore, begin_fight
from affray.engine.stores.lines import LONGEST_LINE
from tests.engine.conftest import two
from tests.engine.fights import SEED
from tests.tools.program import affray
from tests.tools.test_bad_luck import without_privilege

LOOKS = (
    ("show",),
    ("legal",),
    ("log",),
    ("explain", "+", "3"),
    ("explain", "+", "--why-not", "ilse attack brand"),
    ("stats",),
    ("replay",),
    ("compare", "+", "+"),
    ("compare", "+", "--lane", "3"),
    ("export",),
    ("audit",),
    ("audit", "+", "--roll", "3"),
    ("regress",),
    ("checkpoint", "+", "--key", "anna.signer"),
    ("pipe",),
    ("amend", "+", "3", "--retract", "--preview"),
)
"""Every command that reads a fight; ``+`` stands for the fight."""


def run_all_looks(folder: Path, said: str) -> list[int]:
    """Let every command look at a fight; return their exit codes."""
    words = [[said if one == "+" else one for one in (*look, *("+" if "+" not in look else ()))] for look in LOOKS]
    ran = [affray(folder, *one) for one in words]
    assert [one.err for one in ran if "Traceback" in one.err] == []
    return [one.code for one in ran]


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def begin_whole_log(folder: Path) -> bytes:
    """Begin a fight in files; return its log."""
    begin_fight("duel", two(), who="gm", seed=SEED, store=FileStore(folder))
    return (folder / "duel.jsonl").read_bytes()


LOGS: dict[str, Callable[[bytes], bytes]] = {
    "whole": lambda log: log,
    "torn in a line": lambda log: log + log[:300],
    "torn in its opening": lambda log: log[:300],
    "torn in its first command": lambda log: log[: log.index(b"\n") + 1],
    "with a damaged line": lambda log: log.replace(b'"position":3', b'"position":4'),
    "with an empty line": lambda log: log + b"\n",
    "of somebody else": lambda _: b'{"some": "thing else"}\n' * 20 + b"and no end",
    "of no text": lambda _: bytes(range(256)) * 40,
    "empty": lambda _: b"",
    "of newlines": lambda _: b"\n" * 5000,
    "of one long line": lambda log: log[:-1] + b" " * LONGEST_LINE + b"\n",
}


@pytest.mark.parametrize("what", LOGS)
def test_who_looks_into_a_log_changes_nothing(what: str, tmp_path: Path) -> None:
    """The log, its key and the folder are what they were, byte by byte; only a whole or torn log can be shown."""
    folder = tmp_path / "fights"
    folder.mkdir()
    content = LOGS[what](begin_whole_log(folder))
    (folder / "duel.jsonl").write_bytes(content)
    affray(folder, "key", "anna")
    before = read_folder(folder)
    codes = run_all_looks(folder, "duel.jsonl")
    assert read_folder(folder) == before
    assert (codes[0] == 0) == (what in ("whole", "torn in a line", "with an empty line"))


@pytest.mark.parametrize("what", ["whole", "left by a killed server", "of somebody else", "no database", "missing"])
def test_who_looks_into_a_database_changes_nothing(what: str, tmp_path: Path) -> None:
    """Nor is one made by looking; beside one that was left half moved SQLite may keep its index."""
    folder = tmp_path / "fights"
    folder.mkdir()
    file = folder / "club.db"
    if what == "whole":
        begin_fight("duel", two(), who="gm", seed=SEED, store=SqliteStore(file))
    elif what == "left by a killed server":
        code = (
            "import os; from pathlib import Path; from affray.engine import *; from tests.engine.conftest import two\n"
            f"store = SqliteStore(Path({str(file)!r}))\n"
            "begin_fight('duel', two(), who='gm', seed=bytes(32), store=store); os._exit(0)"
        )
        subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
        assert (folder / "club.db-wal").stat().st_size
    elif what == "of somebody else":
        with closing(sqlite3.connect(file)) as database:
            database.execute("CREATE TABLE accounts (id INTEGER)")
    elif what == "no database":
        file.write_bytes(b"some text\n" * 500)
    affray(folder, "key", "anna")
    before = read_folder(folder)
    codes = run_all_looks(folder, "club.db#duel")
    after = read_folder(folder)
    if what == "left by a killed server":
        after["club.db-shm"] = before["club.db-shm"]
    assert after == before
    assert (codes[0] == 0) == (what in ("whole", "left by a killed server"))


def test_a_database_is_shown_from_where_nothing_can_be_written(tmp_path: Path) -> None:
    """Real permissions, that a test which runs as root gives up the right to pass over."""
    file = tmp_path / "club.db"
    begin_fight("duel", two(), who="gm", seed=SEED, store=SqliteStore(file))
    shown = affray(tmp_path, "show", "club.db#duel")
    file.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        ran = affray(tmp_path, "show", "club.db#duel", before=without_privilege)
        assert (ran.code, ran.out, ran.err) == (0, shown.out, "")
        assert affray(tmp_path, "audit", "club.db#duel", before=without_privilege).code == 0
        ran = affray(tmp_path, "do", "club.db#duel", "begin", before=without_privilege)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("affray: club.db: ")
    finally:
        tmp_path.chmod(0o755)


def test_what_a_killed_server_left_is_not_passed_over_where_nothing_can_be_written(tmp_path: Path) -> None:
    """It is said what lies beside the database, instead of showing an older fight."""
    file = tmp_path / "club.db"
    store = SqliteStore(file)
    begin_fight("duel", two(), who="gm", seed=SEED, store=store)
    (tmp_path / "copy").mkdir()
    for name in ("club.db", "club.db-wal"):
        (tmp_path / "copy" / name).write_bytes((tmp_path / name).read_bytes())
        (tmp_path / "copy" / name).chmod(0o444)
    (tmp_path / "copy").chmod(0o555)
    try:
        ran = affray(tmp_path / "copy", "show", "club.db#duel", before=without_privilege)
        assert ran.code == 2
        assert ran.err.startswith("affray: club.db: ")
        assert "club.db-wal" in ran.err
    finally:
        (tmp_path / "copy").chmod(0o755)
