"""Tokens: each stands for one viewer of one fight. Only their hashes are kept."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Protocol, cast

import msgspec
from msgspec import Struct

from affray.engine.errors import StoreFailed
from affray.engine.hiding import Viewer
from affray.engine.stores import FileStore, SqliteStore, Store

TOKEN_BYTES = 24


class Keeping(Protocol):
    """Keeps grants by the hash of their token."""

    def grant(self, token: str, fight: str, viewer: bytes) -> None:
        """Keep who a token stands for: its SHA-256 as hex, the fight, and the viewer as JSON.

        Raises:
            StoreFailed: it could not be written.
        """
        ...

    def granted(self, token: str) -> tuple[str, bytes] | None:
        """Return the fight and the viewer that a token's hash stands for, or nothing.

        Raises:
            StoreFailed: it could not be read.
        """
        ...


class Grants:
    """Gives out tokens and knows them again."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping
        self._known: dict[str, tuple[str, Viewer]] = {}

    def grant(self, fight: str, viewer: Viewer) -> str:
        """Return a new token for a viewer of a fight."""
        token = token_urlsafe(TOKEN_BYTES)
        self._keeping.grant(hashed(token), fight, msgspec.json.encode(viewer))
        return token

    def viewer(self, token: str) -> tuple[str, Viewer] | None:
        """Return the fight and the viewer that a token stands for, or nothing. What was once granted stays so."""
        key = hashed(token)
        known = self._known.get(key)
        if known is None:
            found = self._keeping.granted(key)
            if found is None:
                return None
            known = self._known[key] = found[0], msgspec.json.decode(found[1], type=Viewer)
        return known


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def same_token(one: str, other: str) -> bool:
    """Tell whether two tokens are the same, in a time that does not tell how much of them is."""
    return compare_digest(hashed(one), hashed(other))


class _Granted(Struct, frozen=True):
    """A line of the file of grants."""

    token: str
    fight: str
    viewer: msgspec.Raw


class FileGrants:
    """Grants in one file of lines beside the fights of a folder; only its owner may read it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._known: dict[str, tuple[str, bytes]] = {}
        self._read = 0

    def grant(self, token: str, fight: str, viewer: bytes) -> None:
        """See ``Keeping``."""
        line = msgspec.json.encode(_Granted(token, fight, msgspec.Raw(viewer))) + b"\n"
        try:
            file = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                os.write(file, line)
                os.fdatasync(file)
            finally:
                os.close(file)
        except OSError as error:
            raise StoreFailed(f"{self.file}: {error.strerror}") from None

    def granted(self, token: str) -> tuple[str, bytes] | None:
        """See ``Keeping``. What another process added meanwhile is read too."""
        if token not in self._known:
            self._catch_up()
        return next((one for key, one in self._known.items() if compare_digest(key, token)), None)

    def _catch_up(self) -> None:
        try:
            with self.file.open("rb") as file:
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
                one = msgspec.json.decode(line, type=_Granted)
            except msgspec.DecodeError:
                continue  # half a line of a process that was killed; it granted nothing
            self._known[one.token] = one.fight, bytes(one.viewer)


class SqliteGrants:
    """Grants in a table of their own, in the database of the fights."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def grant(self, token: str, fight: str, viewer: bytes) -> None:
        """See ``Keeping``."""
        try:
            with closing(self._connected()) as database:
                database.execute("INSERT INTO grants VALUES (?, ?, ?)", (token, fight, viewer))
        except sqlite3.Error as error:
            raise StoreFailed(f"{self.path}: {error}") from None

    def granted(self, token: str) -> tuple[str, bytes] | None:
        """See ``Keeping``."""
        try:
            with closing(self._connected()) as database:
                found = database.execute("SELECT token, fight, viewer FROM grants WHERE token = ?", (token,)).fetchone()
        except sqlite3.Error as error:
            raise StoreFailed(f"{self.path}: {error}") from None
        return (found[1], bytes(found[2])) if found and compare_digest(found[0], token) else None

    def _connected(self) -> sqlite3.Connection:
        try:
            os.close(os.open(self.path, os.O_RDONLY | os.O_CREAT, 0o600))
        except OSError as error:
            raise StoreFailed(f"{self.path}: {error.strerror}") from None
        database = sqlite3.connect(self.path, isolation_level=None, timeout=10)
        database.execute(
            "CREATE TABLE IF NOT EXISTS grants "
            "(token TEXT PRIMARY KEY, fight TEXT NOT NULL, viewer BLOB NOT NULL) WITHOUT ROWID"
        )
        return database


def grants_of(store: Store) -> Grants:
    """Return the grants that belong to a store of fights: beside its files, or in its database."""
    if isinstance(store, FileStore):
        return Grants(FileGrants(store.folder / "grants.json"))
    if isinstance(store, SqliteStore):
        return Grants(SqliteGrants(store.path))
    return Grants(cast("Keeping", store))  # a database server's store keeps them itself


__all__ = ["Grants", "Keeping", "grants_of", "hashed", "same_token"]
