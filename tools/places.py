"""Where a fight is kept: ``FIGHT.jsonl``, or a fight of a database, ``sqlite:FILE#FIGHT`` or ``FILE.db#FIGHT``."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from affray.engine.errors import Diverged, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import open_fight
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.events import LogError

from .faults import Faulty, fault_of

SCHEME = "sqlite:"


class Place(Struct, frozen=True):
    """A fight's store and its name there.

    Attributes:
        store: What keeps it.
        name: Under which it is kept.
        said: What was said for it, to say it again.
        file: The file it is in.
    """

    store: Store
    name: str
    said: str
    file: Path


def place_of(said: str) -> Place:
    """Return the place that a FIGHT argument names.

    Raises:
        Unusable: it is none of the known forms.
    """
    path, mark, name = said.removeprefix(SCHEME).partition("#")
    if said.startswith(SCHEME) or path.endswith(".db"):
        file = Path(path)
        if mark and name and path:
            return Place(SqliteStore(file), name, said, file)
        there = SqliteStore(file).fights() if file.is_file() else []
        known = f"; there are {', '.join(there)}" if there else ""
        raise Unusable(f"say which fight of the database, as in {said.rstrip('#')}#FIGHT{known}", "FIGHT")
    file = Path(said)
    if file.suffix == ".jsonl" and file.stem:
        return Place(FileStore(file.parent), file.stem, said, file)
    raise Unusable(f"{said} is no fight: name FILE.jsonl, sqlite:FILE#FIGHT or FILE.db#FIGHT", "FIGHT")


def open_at(place: Place, *, verified: bool = True, mend: bool = False) -> Fight:
    """Open the recorded fight at a place; see ``open_fight``.

    Raises:
        Faulty: the log is damaged, altered, of an unknown format, or diverges; says in which file and line.
        Unusable, StoreFailed: see ``open_fight``.
    """
    try:
        return open_fight(place.name, place.store, verified=verified, mend=mend)
    except (LogError, Diverged) as error:
        raise Faulty(fault_of(error, place.said)) from None


def open_said(said: str, *, verified: bool = True) -> Fight:
    """Open the recorded fight that a FIGHT argument names; see ``place_of`` and ``open_at``."""
    return open_at(place_of(said), verified=verified)


__all__ = ["Place", "open_at", "open_said", "place_of"]
