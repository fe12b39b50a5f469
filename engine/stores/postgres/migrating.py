"""Migrations of the database: numbered SQL files, each applied once."""

from importlib.resources import files
from typing import Any

from psycopg import Connection

from affray.engine.errors import StoreFailed

_LOCK = 0x616666726179
"""The advisory lock under which one process migrates and the others wait: "affray" in ASCII."""

_TABLE = """
CREATE TABLE affray.migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now()
)
"""


def list_migrations() -> list[tuple[str, str]]:
    """List name and SQL of every migration in order; the first is version 1."""
    found = [file for file in files(__package__).joinpath("migrations").iterdir() if file.name.endswith(".sql")]
    return [(file.name, file.read_text("utf-8")) for file in sorted(found, key=lambda file: file.name)]


def migrate(database: Connection[Any], to: int | None = None) -> None:
    """Apply the missing migrations, all of them or none.

    Args:
        database: A connection in autocommit.
        to: The version to stop at; the newest by default.

    Raises:
        StoreFailed: a later program has migrated the database further.
        psycopg.Error: the migration lacks a permission, or failed.
    """
    known = list_migrations()
    newest = len(known) if to is None else to
    version = _version(database)
    if version > len(known):
        raise StoreFailed(
            f"the database has version {version}; this program knows {len(known)}: install a later Affray"
        )
    if version >= newest:
        return
    with database.transaction():
        database.execute("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = '5min'")
        database.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _version(database)  # another process may have done it while this one waited
        if not version:
            _create_schema(database)
        for number, (name, sql) in enumerate(known[version:newest], version + 1):
            database.execute(sql.encode())
            database.execute("INSERT INTO affray.migrations (version, name) VALUES (%s, %s)", (number, name))


def _version(database: Connection[Any]) -> int:
    """Return how many migrations the database has."""
    # to_regclass would answer from a cache that another process's migration has not reached yet
    table = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'affray' AND tablename = 'migrations'"
    if database.execute(table).fetchone() is None:
        return 0
    ((last,),) = database.execute("SELECT coalesce(max(version), 0) FROM affray.migrations").fetchall()
    return int(last)


def _create_schema(database: Connection[Any]) -> None:
    """Create the schema, unless the database's owner has created it."""
    if database.execute("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'affray'").fetchone() is None:
        database.execute("CREATE SCHEMA affray")
    database.execute(_TABLE)
