"""Documents in a table of the schema ``affray``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import psycopg

from affray.engine.clock import utc_now
from affray.engine.errors import NoDocument
from affray.engine.stores.documents import protocol
from affray.engine.stores.documents.protocol import Document, DocumentInfo, check_kind, check_name, must_be_known

Answer = TypeVar("Answer")
Database = psycopg.Connection[Any]

_LISTED = "kind, name, media, length(content), version, changed"

_LOCK = 0x646F63756D656E74
"""The advisory lock that serializes writes of documents, so that their limits hold."""

_WRITE = """
INSERT INTO affray.documents (kind, name, media, version, changed, content) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (kind, name) DO UPDATE SET media = EXCLUDED.media, version = EXCLUDED.version,
    changed = EXCLUDED.changed, content = EXCLUDED.content
"""


class PostgresDocuments:
    """The documents of a PostgreSQL store.

    Args:
        look: Runs a query that changes nothing.
        write: Runs a change; its flag says whether the change may have been carried out before.
    """

    def __init__(
        self,
        look: Callable[[Callable[[Database], Any]], Any],
        write: Callable[[Callable[[Database, bool], bool]], bool],
    ) -> None:
        self._look = look
        self._write = write

    def list_documents(self, kind: str) -> list[DocumentInfo]:
        """See ``Documents``."""
        check_kind(kind)
        query = f"SELECT {_LISTED} FROM affray.documents WHERE kind = %s ORDER BY name"
        return [
            protocol.read_row(DocumentInfo, row)
            for row in self._look(lambda database: database.execute(query, (kind,)).fetchall())
        ]

    def read(self, kind: str, name: str) -> Document:
        """See ``Documents``."""
        check_name(kind, name)
        query = f"SELECT {_LISTED}, content FROM affray.documents WHERE kind = %s AND name = %s"
        row = self._look(lambda database: database.cursor(binary=True).execute(query, (kind, name)).fetchone())
        if row is None:
            raise NoDocument(f"there is no {kind} {name}", "name")
        return protocol.read_row(Document, row)

    def write(self, kind: str, name: str, media: str, content: bytes, expected: str) -> DocumentInfo:
        """See ``Documents``."""
        check_name(kind, name)
        protocol.check_content(media, content)
        version, changed = protocol.version_of(media, content), utc_now()

        def ask(database: Database, again: bool) -> bool:
            with database.transaction():
                present = _lock_documents(database, kind, name)
                if again and present == version:
                    return True
                must_be_known(kind, name, present, expected)
                query = (
                    "SELECT count(*), coalesce(sum(length(content)), 0) FROM affray.documents "
                    "WHERE kind = %s AND name <> %s"
                )
                ((number, size),) = database.execute(query, (kind, name)).fetchall()
                protocol.must_have_room(kind, number, int(size) + len(content))
                database.execute(_WRITE, (kind, name, media, version, changed, content))
            return True

        self._write(ask)
        return DocumentInfo(kind=kind, name=name, media=media, size=len(content), version=version, changed=changed)

    def delete(self, kind: str, name: str, expected: str) -> None:
        """See ``Documents``."""
        check_name(kind, name)

        def ask(database: Database, again: bool) -> bool:
            with database.transaction():
                present = _lock_documents(database, kind, name)
                if not present and not again:
                    raise NoDocument(f"there is no {kind} {name}", "name")
                if present:
                    must_be_known(kind, name, present, expected)
                database.execute("DELETE FROM affray.documents WHERE kind = %s AND name = %s", (kind, name))
            return True

        self._write(ask)


def _lock_documents(database: Database, kind: str, name: str) -> str:
    """Wait for other writers, and return the version of a document; empty for none."""
    database.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    query = "SELECT version FROM affray.documents WHERE kind = %s AND name = %s"
    row = database.execute(query, (kind, name)).fetchone()
    return str(row[0]) if row else ""
