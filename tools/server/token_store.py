"""Stores of token hashes: a file beside a folder of fights, or a table in a database."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from errno import ENOSPC
from hmac import compare_digest
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from affray.engine.errors import StoreFailed
from affray.engine.stores.input_files import open_regular_file
from affray.engine.stores.sqlite import connect_to_file


class TokenStore(Protocol):
    """Stores grants by the hash of their token. A change is seen by all processes of the same store.

    Each method raises ``StoreFailed`` if it cannot read or write.
    """

    def grant(self, fight: str, viewers: Mapping[str, bytes]) -> None:
        """Store the viewers of tokens, all or none: the SHA-256 of each token as hex, and the viewer as JSON."""
        ...

    def find_grant(self, token: str) -> tuple[str, bytes] | None:
        """Return the fight and the viewer of a token's hash; None for an unknown one."""
        ...

    def grants(self, fight: str) -> list[tuple[str, bytes]]:
        """List the hash and the viewer of every token of a fight."""
        ...

    def take_back(self, tokens: Sequence[str]) -> None:
        """Revoke the tokens with these hashes."""
        ...


class _Line(Struct, frozen=True, omit_defaults=True):
    """A line of the file of grants; without a viewer it revokes a token."""

    token: str
    fight: str = ""
    viewer: msgspec.Raw = msgspec.Raw()


class FileTokenStore:
    """Grants in a file beside the fights of a folder; only its owner may read it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._known: dict[str, tuple[str, bytes]] = {}
        self._read = 0

    def grant(self, fight: str, viewers: Mapping[str, bytes]) -> None:
        """See ``TokenStore``."""
        self._write([_Line(token, fight, msgspec.Raw(viewer)) for token, viewer in viewers.items()])

    def find_grant(self, token: str) -> tuple[str, bytes] | None:
        """See ``TokenStore``."""
        self._catch_up()
        return self._known.get(token)  # its duration can reveal only a hash, which is useless

    def grants(self, fight: str) -> list[tuple[str, bytes]]:
        """See ``TokenStore``."""
        self._catch_up()
        return [(token, viewer) for token, (where, viewer) in self._known.items() if where == fight]

    def take_back(self, tokens: Sequence[str]) -> None:
        """See ``TokenStore``."""
        self._write([_Line(token) for token in tokens])

    def _write(self, lines: Sequence[_Line]) -> None:
        content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        try:
            file = open_regular_file(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                _append(file, content)
            finally:
                os.close(file)
        except OSError as error:
            raise StoreFailed(f"{self.file}: {error.strerror}") from None

    def _catch_up(self) -> None:
        """Read the lines that any process appended."""
        try:
            if self.file.stat().st_size == self._read:
                return
            with os.fdopen(open_regular_file(self.file), "rb") as file:
                file.seek(self._read)
                new = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreFailed(f"{self.file}: {error.strerror}") from None
        whole = new[: new.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            try:
                one = msgspec.json.decode(line, type=_Line)
            except msgspec.DecodeError:
                continue  # half a line of a killed process; it granted nothing
            if one.viewer:
                self._known[one.token] = one.fight, bytes(one.viewer)
            else:
                self._known.pop(one.token, None)


def _append(file: int, lines: bytes) -> None:
    """Append lines; if a killed process left half a line, begin a new one."""
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) != b"\n":
        lines = b"\n" + lines
    if os.write(file, lines) != len(lines):
        os.ftruncate(file, size)
        raise OSError(ENOSPC, os.strerror(ENOSPC))
    os.fdatasync(file)


class SqliteTokenStore:
    """Grants in a table in the database of the fights."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def grant(self, fight: str, viewers: Mapping[str, bytes]) -> None:
        """See ``TokenStore``."""
        rows = [(token, fight, viewer) for token, viewer in viewers.items()]
        with self._using() as database:
            database.executemany("INSERT INTO grants VALUES (?, ?, ?)", rows)

    def find_grant(self, token: str) -> tuple[str, bytes] | None:
        """See ``TokenStore``."""
        with self._using() as database:
            found = database.execute("SELECT token, fight, viewer FROM grants WHERE token = ?", (token,)).fetchone()
        return (found[1], bytes(found[2])) if found and compare_digest(found[0], token) else None

    def grants(self, fight: str) -> list[tuple[str, bytes]]:
        """See ``TokenStore``."""
        with self._using() as database:
            found = database.execute("SELECT token, viewer FROM grants WHERE fight = ?", (fight,)).fetchall()
        return [(token, bytes(viewer)) for token, viewer in found]

    def take_back(self, tokens: Sequence[str]) -> None:
        """See ``TokenStore``."""
        with self._using() as database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany("DELETE FROM grants WHERE token = ?", [(token,) for token in tokens])
            database.execute("COMMIT")

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(connect_to_file(self.path)) as database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS grants "
                    "(token TEXT PRIMARY KEY, fight TEXT NOT NULL, viewer BLOB NOT NULL) WITHOUT ROWID"
                )
                yield database
        except sqlite3.Error as error:
            raise StoreFailed(f"{self.path}: {error}") from None
