"""Find the store of a fight: ``FIGHT.jsonl``, ``FILE.db#FIGHT`` or ``postgresql://…#FIGHT``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from affray.engine.errors import Diverged, StoreFailed, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import look_at_fight, open_fight
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.events import LogError
from affray.tools.parse.faults import Faulty, fault_of

if TYPE_CHECKING:
    from affray.engine.stores.postgres import PostgresStore

SCHEME = "sqlite:"
SERVED = ("postgresql://", "postgres://")
ENDING = ".jsonl"
"""The suffix of every log file that is written."""

RENAMED = (".jsonl.txt", ".ndjson", ".json")
"""Suffixes of log files that browsers, mail programs and chats renamed."""

FORMS = "FILE.jsonl, sqlite:FILE#FIGHT, FILE.db#FIGHT or postgresql://USER@HOST/DATABASE#FIGHT"


class StorePlace(Struct, frozen=True):
    """A fight's store and its name there.

    Attributes:
        store: The store that holds the fight.
        name: The fight's name in the store.
        said: The argument that named the place, for messages.
        file: The file of the fight; ``None`` if a database server keeps it.
    """

    store: Store
    name: str
    said: str
    file: Path | None = None


def place_of(said: str) -> StorePlace:
    """Return the place that a FIGHT argument names.

    Raises:
        Unusable: it is none of the known forms.
    """
    if said.startswith(SERVED):
        return _place_on_server(said)
    path, mark, name = said.removeprefix(SCHEME).partition("#")
    if said.startswith(SCHEME) or path.endswith(".db"):
        file = Path(path)
        if mark and name and path:
            return StorePlace(SqliteStore(file), name, said, file)
        raise _which(SqliteStore(file) if file.is_file() else None, said)
    file = Path(said)
    ending = next((one for one in (ENDING, *RENAMED) if file.name.endswith(one)), "")
    name = file.name.removesuffix(ending)
    if ending and name:
        return StorePlace(FileStore(file.parent, ending=ending), name, said, file)
    raise Unusable(f"{said} is no fight: name {FORMS}", "FIGHT")


def store_of(said: str) -> Store:
    """Return the store that an argument names.

    It is a folder, ``sqlite:FILE``, ``FILE.db`` or ``postgresql://…``.

    Raises:
        Unusable: it is none of these.
    """
    if said.startswith(SERVED):
        return _postgres(said)
    if said.startswith(SCHEME) or said.endswith(".db"):
        return SqliteStore(Path(said.removeprefix(SCHEME)))
    if Path(said).is_dir():
        return FileStore(Path(said))
    raise Unusable(f"{said} is no folder, and neither sqlite:FILE, FILE.db nor postgresql://USER@HOST/DATABASE")


def resolve_new_place(said: str) -> StorePlace:
    """Return the place that a new fight's FIGHT argument names; require ``.jsonl``.

    Raises:
        Unusable: see ``place_of``; or the file has another suffix, so that no folder of fights would list it.
    """
    place = place_of(said)
    if isinstance(place.store, FileStore) and place.store.ending != ENDING:
        raise Unusable(f"{said} cannot be begun: name a new fight {place.name}{ENDING}", "FIGHT")
    return place


def must_be_free(place: StorePlace) -> None:
    """Refuse a place that holds a fight already, or that cannot hold one.

    Raises:
        StoreFailed: the place holds a fight.
        Unusable: the folder does not exist.
    """
    file = place.file
    if file is not None and not file.parent.is_dir():
        raise Unusable(f"there is no folder {file.parent}", "FIGHT")
    there = file is None or file.exists()  # a database is not created only to look into it
    if there and place.name in place.store.fights():
        raise StoreFailed(f"{place.said} exists already; choose another with -o FIGHT")


def _place_on_server(said: str) -> StorePlace:
    """Return a fight's place on a server; refuse a password in it, since it is shown."""
    url, mark, name = said.partition("#")
    store = _postgres(url)
    if store.address.secrets or "@" in name:  # a # in a password would begin the name
        raise Unusable("leave the password to PGPASSWORD or the file .pgpass: everybody can see a command", "FIGHT")
    if mark and name:
        return StorePlace(store, name, said)
    raise _which(store, url)


def _postgres(url: str) -> PostgresStore:
    """Return a store on a server; what it needs is only there where it was installed."""
    try:
        from affray.engine.stores.postgres import PostgresStore  # noqa: PLC0415 - an extra
    except ImportError:
        raise Unusable(
            'PostgreSQL needs the extra postgres: pip install ".[postgres]" in the folder of Affray'
        ) from None
    return PostgresStore(url)


def _which(store: Store | None, said: str) -> Unusable:
    """Return the error for a missing fight, with the fights there are."""
    there = store.fights() if store else []
    known = f"; there are {', '.join(there)}" if there else ""
    return Unusable(f"say which fight of the database, as in {said.rstrip('#')}#FIGHT{known}", "FIGHT")


def open_at(place: StorePlace, *, verified: bool = True, mend: bool = False) -> Fight:
    """Open the recorded fight at a place; see ``open_fight``.

    Raises:
        Faulty: the log is damaged, altered, of an unknown format, or diverges. The message names the file and the line.
        Unusable, StoreFailed: see ``open_fight``.
    """
    with said_of(place.said):
        return open_fight(place.name, place.store, verified=verified, mend=mend)


@contextmanager
def said_of(file: str) -> Iterator[None]:
    """Add the name of the file to errors of its log."""
    try:
        yield
    except (LogError, Diverged) as error:
        raise Faulty(fault_of(error, file)) from error


@contextmanager
def looking_at(said: str, *, whole: bool = False) -> Iterator[Fight]:
    """Open the recorded fight that a FIGHT argument names, read-only.

    A log whose rest cannot be replayed is opened up to that point. The fault is raised when the context ends.

    Args:
        whole: Whether to raise the fault at once, as for programs, which read one answer.

    Raises:
        Faulty, Unusable, StoreFailed: as in ``open_at``.
    """
    place = place_of(said)
    with said_of(place.said):
        fight, fault = look_at_fight(place.name, place.store)
        if fault is not None and whole:
            raise fault
        yield fight
        if fault is not None:
            raise fault
