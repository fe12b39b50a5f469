"""Connections to PostgreSQL: addresses, a pool, and messages without passwords."""

import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import quote, urlencode
from weakref import finalize

import psycopg
from psycopg.conninfo import conninfo_to_dict

from affray.engine.errors import StoreFailed, Unusable

MOST = 8
"""The maximum number of connections of one process."""

_POOL_TIMEOUT = 30.0
"""The timeout in seconds of a thread that waits for a free connection."""

_SETTINGS = {
    "application_name": "affray",
    "client_encoding": "utf8",
    "connect_timeout": "5",
    "keepalives_idle": "10",  # detects a lost server, even while only listening
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
_LIMITS = (
    "-c statement_timeout=15000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000 "
    r"-c default_transaction_isolation=read\ committed"  # a late writer gets no serialization failure
)

_WITH_PASSWORD = re.compile("//[^@]*:.*@")
"""The pattern of a text that people would take for a URL with a password, even if libpq does not."""


class Address:
    """The address of a database.

    Attributes:
        name: Its URL without password, for messages.
        settings: The connection settings.
        secrets: The passwords among them.
    """

    def __init__(self, url: str, *, durable: bool = True) -> None:
        given = _read(url)
        limits = _LIMITS if durable else f"{_LIMITS} -c synchronous_commit=off"
        self.name = _name(given)
        self.settings = {**_SETTINGS, **given, "options": f"{limits} {given.get('options', '')}".strip()}
        self.secrets = [value for key in ("password", "sslpassword") if (value := given.get(key))]

    def describe_error(self, error: psycopg.Error) -> str:
        """Return a database error's message: one line, without passwords and row values."""
        text = error.diag.message_primary or next(iter(str(error).splitlines()), "") or type(error).__name__
        for secret in self.secrets:
            text = text.replace(secret, "…")
        return text.strip()


def _read(url: str) -> dict[str, str]:
    """Parse the settings in a URL.

    An invalid one is not quoted in the refusal, because it may hold a password.
    """
    try:
        given = {key: str(value) for key, value in conninfo_to_dict(url).items()}
    except (psycopg.Error, UnicodeError):
        given = {}
    if not given or (_WITH_PASSWORD.search(url) and "password" not in given):
        raise Unusable(
            "the database cannot be read as postgresql://USER@HOST/DATABASE; a password belongs into PGPASSWORD or the "
            "file .pgpass, or needs % written as %25, / as %2F, @ as %40, # as %23"
        )
    return given


def _name(given: dict[str, str]) -> str:
    """Build a URL that names the database, without secrets."""
    host = given.get("host", "")
    plain = host.replace(".", "").replace("-", "").isalnum()
    user = f"{quote(given['user'], safe='')}@" if "user" in given else ""
    port = f":{given['port']}" if plain and "port" in given else ""
    kept = {"service": given.get("service"), **({} if plain else {"host": host, "port": given.get("port")})}
    rest = urlencode({key: value for key, value in kept.items() if value}, safe="/,:")
    where = f"{user}{host if plain else ''}{port}/{quote(given.get('dbname', ''))}"
    return f"postgresql://{where}{'?' if rest else ''}{rest}"


def is_lost(database: psycopg.Connection[Any], error: psycopg.Error) -> bool:
    """Tell whether a connection is lost, so that the last query may have been done.

    A database that shuts down reports it (FATAL) in place of an answer, even for a committed query. That report may be
    read before the connection is known to be closed, so it is closed here. After any other error of the database
    nothing was done.
    """
    code = error.sqlstate or ""
    lost = (
        database.closed
        or error.diag.severity_nonlocalized in ("FATAL", "PANIC")
        or code.startswith(_CONNECTION)
        or (not code and isinstance(error, psycopg.OperationalError))
    )
    if lost:
        database.close()
    return lost


_CONNECTION = ("08", "40003")
"""The error codes of a lost connection."""


class Pool:
    """A few connections in autocommit, opened on demand, shared by all threads."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._idle: deque[psycopg.Connection[Any]] = deque()
        self._room = BoundedSemaphore(MOST)
        finalize(self, _close, self._idle)

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Lend a connection; drop a lost one, and the idle ones with it.

        Raises:
            StoreFailed: all are in use.
            psycopg.Error: the database cannot be reached.
        """
        if not self._room.acquire(timeout=_POOL_TIMEOUT):
            raise StoreFailed(f"{self._address.name}: all {MOST} connections are busy")
        try:
            connection = self._take_connection()
            try:
                yield connection
            finally:
                if connection.closed:
                    _close(self._idle)
                elif connection.info.transaction_status is not psycopg.pq.TransactionStatus.IDLE:
                    connection.close()
                else:
                    self._idle.append(connection)
        finally:
            self._room.release()

    def close(self) -> None:
        """Close the idle connections."""
        _close(self._idle)

    def _take_connection(self) -> psycopg.Connection[Any]:
        try:
            return self._idle.pop()
        except IndexError:
            return psycopg.connect(autocommit=True, **self._address.settings)  # type: ignore[arg-type]


def _close(idle: deque[psycopg.Connection[Any]]) -> None:
    while idle:
        try:
            idle.pop().close()
        except IndexError:  # another thread was faster
            return
