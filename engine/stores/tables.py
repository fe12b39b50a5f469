"""The tables of a SQLite store: their schema, and the check that they are genuine."""

import sqlite3
from pathlib import Path

from affray.engine.errors import StoreFailed

SCHEMA = """
CREATE TABLE IF NOT EXISTS heads (fight TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS commands (
    fight TEXT NOT NULL, last INTEGER NOT NULL, lines BLOB NOT NULL, PRIMARY KEY (fight, last)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS secrets (fight TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID;
"""

DOCUMENTS = """
CREATE TABLE IF NOT EXISTS documents (
    kind TEXT NOT NULL, name TEXT NOT NULL, media TEXT NOT NULL, version TEXT NOT NULL, changed TEXT NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (kind, name)
)
"""


def must_be_tables(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a database with a table of ours that is a view, virtual or computed.

    Reading it might never end.

    Raises:
        StoreFailed: there is a view, a virtual table, or a computed column.
    """
    if found := database.execute(_FIND_COMPUTED).fetchone():
        raise StoreFailed(f"{path}: {found[0]} is a view or is computed, so this is no database of fights")


_FIND_COMPUTED = """
SELECT name FROM sqlite_master
WHERE name COLLATE NOCASE IN ('heads', 'commands', 'secrets', 'documents') AND ifnull(rootpage, 0) = 0
UNION ALL
SELECT a.name || '.' || b.name FROM sqlite_master AS a, pragma_table_xinfo(a.name) AS b
WHERE a.name COLLATE NOCASE IN ('heads', 'commands', 'secrets', 'documents') AND a.type = 'table'
AND b.hidden AND b.name COLLATE NOCASE IN (
    'fight', 'position', 'last', 'lines', 'seed', 'kind', 'media', 'version', 'changed', 'content'
)
LIMIT 1
"""
"""The query for our tables that have no page in the file, then for our columns that are computed."""
