"""Documents in a table of the fights' SQLite database."""

from msgspec import ValidationError

from affray.engine.clock import utc_now
from affray.engine.errors import NoDocument, NoFight, StoreFailed
from affray.engine.stores.sqlite import SqliteStore
from affray.engine.stores.tables import DOCUMENTS

from . import protocol
from .protocol import D, Document, DocumentInfo, check_kind, check_name, must_be_known

_LISTED = "kind, name, media, length(content), version, changed"


class SqliteDocuments:
    """The documents of a SQLite store; reading changes nothing."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def list_documents(self, kind: str) -> list[DocumentInfo]:
        """See ``Documents``."""
        check_kind(kind)
        rows = self._query(f"SELECT {_LISTED} FROM documents WHERE kind = ? ORDER BY name", kind)
        return [self._read_row(DocumentInfo, row) for row in rows]

    def read(self, kind: str, name: str) -> Document:
        """See ``Documents``."""
        check_name(kind, name)
        query = f"SELECT {_LISTED}, content FROM documents WHERE kind = ? AND name = ?"
        for row in self._query(query, kind, name):
            return self._read_row(Document, row)
        raise NoDocument(f"there is no {kind} {name}", "name")

    def write(self, kind: str, name: str, media: str, content: bytes, expected: str) -> DocumentInfo:
        """See ``Documents``."""
        check_name(kind, name)
        protocol.check_content(media, content)
        row = (kind, name, media, protocol.version_of(media, content), utc_now(), content)
        self._store.create(DOCUMENTS)
        with self._store.connect_for_writing() as database, self._store.transaction(database):
            present = database.execute("SELECT version FROM documents WHERE kind = ? AND name = ?", (kind, name))
            must_be_known(kind, name, next((version for (version,) in present), ""), expected)
            others = "SELECT count(*), coalesce(sum(length(content)), 0) FROM documents WHERE kind = ? AND name != ?"
            ((number, size),) = database.execute(others, (kind, name))
            protocol.must_have_room(kind, number, size + len(content))
            columns = "kind, name, media, version, changed, content"
            database.execute(f"INSERT OR REPLACE INTO documents ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)
        return DocumentInfo(kind=kind, name=name, media=media, size=len(content), version=row[3], changed=row[4])

    def delete(self, kind: str, name: str, expected: str) -> None:
        """See ``Documents``."""
        self.read(kind, name)
        with self._store.connect_for_writing() as database, self._store.transaction(database):
            present = database.execute("SELECT version FROM documents WHERE kind = ? AND name = ?", (kind, name))
            must_be_known(kind, name, next((version for (version,) in present), ""), expected)
            database.execute("DELETE FROM documents WHERE kind = ? AND name = ?", (kind, name))

    def _query(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """Run a query; an unwritten database has no rows."""
        if not self._store.path.exists() and self._store.path.parent.is_dir():
            return []
        try:
            return self._store.query(query, *values)
        except NoFight:
            return []

    def _read_row(self, form: type[D], row: tuple[object, ...]) -> D:
        try:
            return protocol.read_row(form, row)
        except ValidationError:
            raise StoreFailed(f"{self._store.path} does not hold documents where they should be") from None
