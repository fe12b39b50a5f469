"""A store in PostgreSQL: one statement appends a command and checks the head."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, TypeVar

import psycopg

from affray.engine.errors import Exists, NoFight, OutOfDate, StoreFailed, Unsure, Unusable
from affray.engine.stores.rows import read_behind_known, split_rows_behind

from .connecting import Address, Pool, is_lost
from .documents import PostgresDocuments
from .listening import CHANNEL, HeadMoved, listen
from .migrating import migrate

Answer = TypeVar("Answer")
Database = psycopg.Connection[Any]

_PAGE = 50
"""The number of commands fetched at once by ``lines``."""

_TRIES = 2
"""The number of tries of a query, which is repeated only if the connection was lost."""

_BEGIN = f"""
WITH begun AS (
    INSERT INTO affray.heads (fight, position) VALUES (%(fight)s, %(last)s) ON CONFLICT DO NOTHING
    RETURNING fight, position
), written AS (
    INSERT INTO affray.commands (fight, last, lines) SELECT fight, position, %(lines)s FROM begun
), kept AS (
    INSERT INTO affray.secrets (fight, seed) SELECT fight, %(seed)s::bytea FROM begun WHERE %(seed)s::bytea IS NOT NULL
)
SELECT pg_notify('{CHANNEL}', position || ' ' || fight) FROM begun
"""

_APPEND = f"""
WITH moved AS (
    UPDATE affray.heads SET position = %(last)s WHERE fight = %(fight)s AND position = %(after)s AND (
        %(hash)s = '' OR EXISTS (
            SELECT FROM affray.commands
            WHERE fight = %(fight)s AND last = %(after)s AND position(%(known)s IN lines) > 0
        )
    )
    RETURNING fight, position
), written AS (
    INSERT INTO affray.commands (fight, last, lines) SELECT fight, position, %(lines)s FROM moved
)
SELECT pg_notify('{CHANNEL}', position || ' ' || fight) FROM moved
"""

_COMMANDS = """
SELECT last, lines FROM affray.commands
WHERE fight = %s AND last > %s AND last <= %s ORDER BY last LIMIT %s
"""


class PostgresStore:
    """Fights in the schema ``affray`` of a database, migrated at its first use.

    Safe to use from any thread; every method blocks until the database has answered.

    Args:
        url: ``postgresql://USER@HOST/DATABASE``, with any further settings of libpq.
        durable: Whether an append waits until the data is on the database's disk.

    Attributes:
        address: The connection settings.
        name: The URL without its password.
        documents: The documents that it keeps beside its fights.
    """

    def __init__(self, url: str, *, durable: bool = True) -> None:
        self.address = Address(url, durable=durable)
        self.name = self.address.name
        self._pool = Pool(self.address)
        self._migrated = False
        self._migrating = Lock()
        self.documents = PostgresDocuments(self._query, self._write)

    def fights(self) -> list[str]:
        """See ``Store``."""
        return self._query(
            lambda database: [row[0] for row in database.execute("SELECT fight FROM affray.heads ORDER BY fight")]
        )

    def read(self, fight: str) -> list[bytes]:
        """See ``Store``."""
        return self.since(fight, 0)

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        """See ``Store``."""
        head = self._head(fight)

        def read(after: int) -> list[bytes]:
            return split_rows_behind(after, self._commands(fight, after, head, None)) if after < head else []

        return read_behind_known(fight, after, hash, read)

    def lines(self, fight: str, after: int = 0) -> Iterator[bytes]:
        """See ``Store``. Lines appended meanwhile are not read."""
        begin, head = after, self._head(fight)
        while page := self._commands(fight, after, head, _PAGE):
            for last, content in page:
                yield from split_rows_behind(begin, [(last, content)]) if begin else content.split(b"\n")
            after = page[-1][0]

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """See ``Store``."""
        last, content = len(lines), b"\n".join(lines)
        sent = {"fight": fight, "last": last, "lines": content, "seed": seed}

        def ask(database: Database, again: bool) -> bool:
            begun = database.execute(_BEGIN, sent).rowcount == 1
            return begun or (again and _is_there(database, fight, last, content))

        if not self._write(ask):
            raise Exists(f"{self.name} holds a fight {fight} already")

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        """See ``Store``."""
        last, content = after + len(lines), b"\n".join(lines)
        known = b'"hash":"%b"' % hash.encode()
        sent = {"fight": fight, "last": last, "lines": content, "after": after, "hash": hash, "known": known}

        def ask(database: Database, again: bool) -> bool:
            moved = database.execute(_APPEND, sent).rowcount == 1
            return moved or (again and _is_there(database, fight, last, content))

        if not self._write(ask):
            self.since(fight, after, hash)
            raise OutOfDate(after, self._head(fight))

    def seed(self, fight: str) -> bytes | None:
        """See ``Store``. ``None`` also for a database user who may not read it."""
        may = self._query_one("SELECT has_table_privilege('affray.secrets', %s)", "SELECT")
        found = self._query_one("SELECT seed FROM affray.secrets WHERE fight = %s", fight) if may and may[0] else None
        return bytes(found[0]) if found else None

    def grant(self, fight: str, viewers: Mapping[str, bytes]) -> None:
        """Store the viewers of the tokens with these hashes, all or none."""
        statement = (
            "INSERT INTO affray.grants (token, fight, viewer) VALUES (%s, %s, %s) "
            "ON CONFLICT (token) DO UPDATE SET fight = EXCLUDED.fight, viewer = EXCLUDED.viewer"
        )
        rows = [(token, fight, viewer) for token, viewer in viewers.items()]

        def grant(database: Database, again: bool) -> bool:
            database.cursor().executemany(statement, rows)
            return True

        self._write(grant)

    def find_grant(self, token: str) -> tuple[str, bytes] | None:
        """Return the fight and the viewer of the token with this hash."""
        found = self._query_one("SELECT fight, viewer FROM affray.grants WHERE token = %s", token)
        return (found[0], bytes(found[1])) if found else None

    def grants(self, fight: str) -> list[tuple[str, bytes]]:
        """List the hash and the viewer of every token of a fight."""
        statement = "SELECT token, viewer FROM affray.grants WHERE fight = %s"
        found = self._query(lambda database: database.cursor(binary=True).execute(statement, (fight,)).fetchall())
        return [(token, bytes(viewer)) for token, viewer in found]

    def take_back(self, tokens: Sequence[str]) -> None:
        """Revoke the tokens with these hashes."""
        statement = "DELETE FROM affray.grants WHERE token = ANY(%s)"
        self._write(lambda database, again: bool(database.execute(statement, (list(tokens),))))

    def listen(self) -> AsyncGenerator[HeadMoved, None]:
        """Yield every fight that moves, in any process, until closed.

        It begins with an empty ``HeadMoved``, and yields another one after each reconnection, so that no move is missed
        for good.
        """
        return listen(self.address)

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._pool.close()

    def _head(self, fight: str) -> int:
        """Return the position of a fight's last event; refuse an unknown fight."""
        found = self._query_one("SELECT position FROM affray.heads WHERE fight = %s", fight)
        if found is None:
            raise NoFight(f"there is no fight {fight} in {self.name}")
        return int(found[0])

    def _commands(self, fight: str, after: int, to: int, most: int | None) -> list[tuple[int, bytes]]:
        return self._query(
            lambda database: database.cursor(binary=True).execute(_COMMANDS, (fight, after, to, most)).fetchall()
        )

    def _query_one(self, statement: str, key: str) -> tuple[Any, ...] | None:
        return self._query(lambda database: database.cursor(binary=True).execute(statement, (key,)).fetchone())

    def _query(self, ask: Callable[[Database], Answer]) -> Answer:
        """Run a query that changes nothing."""
        return self._run_query(lambda database, _: ask(database), "", StoreFailed)

    def _write(self, ask: Callable[[Database, bool], bool]) -> bool:
        """Run a change that may be repeated, because it recognises its earlier work."""
        return self._run_query(ask, "; nothing was written", Unsure)

    def _run_query(
        self, ask: Callable[[Database, bool], Answer], failed: str, lost: Callable[[str], StoreFailed]
    ) -> Answer:
        """Run a query; repeat it on a new connection if the first was lost.

        Args:
            ask: The query; its flag says whether it is repeated.
            failed: The text to add to the reason when the database surely did nothing.
            lost: The error to raise when it may have done it, because the first answer never came.
        """
        again, tries = False, 0
        while True:
            asked = cut = False
            try:
                with self._pool.connection() as database:
                    try:
                        self._migrate(database)
                        asked = True
                        return ask(database, again)
                    except psycopg.Error as error:
                        cut = is_lost(database, error)
                        raise
            except UnicodeError:
                raise Unusable("a fight's name must be valid UTF-8", "FIGHT") from None
            except (psycopg.Error, StoreFailed) as error:
                tries, again = tries + 1, again or (cut and asked)
                if not cut or tries == _TRIES:
                    said = (
                        f"{self.name}: {self.address.describe_error(error)}"
                        if isinstance(error, psycopg.Error)
                        else f"{error}"
                    )
                    raise (lost(said) if again else StoreFailed(f"{said}{failed}")) from None

    def _migrate(self, database: Database) -> None:
        if not self._migrated:
            with self._migrating:
                migrate(database)
                self._migrated = True


def _is_there(database: Database, fight: str, last: int, content: bytes) -> bool:
    """Tell whether a command was written although the answer was lost."""
    found = database.execute(
        "SELECT lines = %s FROM affray.commands WHERE fight = %s AND last = %s", (content, fight, last)
    )
    row = found.fetchone()
    return row is not None and bool(row[0])
