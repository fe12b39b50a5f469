"""A PostgreSQL server of the tests' own: begun when first needed, in a folder that goes again, on a socket only."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

REQUIRED = "AFFRAY_REQUIRE_POSTGRES"
MISSING = f"no initdb and postgres on this machine (Debian: apt-get install postgresql); {REQUIRED}=1 forbids to skip"
PATIENCE = 60

_SERVE = 'postgres=$1; shift; "$postgres" "$@" >&2 & server=$!; read -r _; kill -INT "$server"; wait "$server"'
"""Serves until its standard input ends, however the tests came to their end."""


class PostgresServer:
    """A database cluster in a temporary folder.

    Attributes:
        folder: Holds the data and the socket.
    """

    def __init__(self, binaries: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="affray-"))
        self._binaries = binaries
        self._process: subprocess.Popen[bytes] | None = None
        self._account: dict[str, Any] = {}
        if os.geteuid() == 0:  # as whom PostgreSQL does not run
            account = _unprivileged()
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._account = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        options = ["-U", "affray", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        made = [str(binaries / "initdb"), "-D", str(self._data), *options]
        subprocess.run(made, cwd=self.folder, check=True, capture_output=True, timeout=PATIENCE, **self._account)
        self.start()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def url(self, user: str = "affray") -> str:
        """Return where to connect."""
        return f"postgresql://{user}@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {"listen_addresses": "", "unix_socket_directories": str(self.folder), "fsync": "off"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", _SERVE, "sh", str(self._binaries / "postgres"), "-D", str(self._data), *options],
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
                **self._account,
            )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text("utf-8")
            assert time.monotonic() < until, (self.folder / "log").read_text("utf-8")
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill it, as a power cut would, without a message to its clients."""
        assert self._process is not None
        os.kill(int((self._data / "postmaster.pid").read_text("ascii").split()[0]), 3)
        self._end()

    def stop(self) -> None:
        """End it for good and remove its folder."""
        self._end()
        shutil.rmtree(self.folder)

    def _end(self) -> None:
        if self._process is not None:
            self._process.communicate(timeout=PATIENCE)
            self._process = None

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url()).close()
        except psycopg.OperationalError:
            return False
        return True


def _unprivileged() -> pwd.struct_passwd:
    """Return the account to run it under: Debian's postgres account, or ``nobody``."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


@cache
def server() -> PostgresServer:
    """Return the one server of this run of the tests; skip the test where there can be none."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    newest = max(found, key=lambda path: int(path.parts[-3]), default=None)
    initdb = shutil.which("initdb") or newest
    if initdb is None:
        if os.environ.get(REQUIRED) or os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    started = PostgresServer(Path(initdb).resolve().parent)
    atexit.register(started.stop)
    return started


def fresh() -> str:
    """Return the URL of a database without any fight."""
    url = server().url()
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("SET client_min_messages = warning; DROP SCHEMA IF EXISTS affray CASCADE")
    return url
