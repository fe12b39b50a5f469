"""The storage of a party: in a TOML file, or as a document in a store of fights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from affray.engine.errors import NoDocument, StoreFailed, Unusable
from affray.engine.stores.documents import TOML, Documents, documents_of
from affray.tools.api.store_url import place_of
from affray.tools.encounters.toml_text import toml_of, toml_with
from affray.tools.parse.encounter_file import read_encounter, read_toml
from affray.tools.text.output_files import write_output

from .members import Content, check

KIND = "party"


class StoredParty(Struct, frozen=True):
    """A loaded party.

    Attributes:
        said: The argument that named the party.
        text: The text of its file.
        content: The content of its file.
        version: The version in its store; empty for a file.
    """

    said: str
    text: str
    content: Content
    version: str = ""


def load_party(said: str) -> StoredParty:
    """Return a party: ``FILE.toml``, or one of a store, as in ``fights.db#heroes``.

    Raises:
        Faulty: it cannot be read, or is no party; says where.
        Unusable: there is none.
    """
    documents, name = _place(said)
    if documents is None:
        text, content = read_encounter(Path(said))
        check(content, text, Path(said))
        return StoredParty(said, text, content)
    try:
        found = documents.read(KIND, name)
    except NoDocument:
        there = ", ".join(one.name for one in documents.list_documents(KIND)) or "none"
        raise Unusable(f"there is no party {name}; there are {there}", "PARTY") from None
    text, content = read_toml(found.content.decode(errors="replace"), Path(said))
    check(content, text, Path(said))
    return StoredParty(said, text, content, found.version)


def begin(said: str, content: Mapping[str, Any], *, force: bool) -> None:
    """Keep a new party.

    Raises:
        StoreFailed: there is one already.
    """
    documents, name = _place(said)
    text = toml_of(content)
    if documents is None:
        write_output(Path(said), text, force=force)
        return
    there = {one.name: one.version for one in documents.list_documents(KIND)}
    if name in there and not force:
        raise StoreFailed(f"{said} exists already; choose another, or replace it with --force")
    documents.write(KIND, name, TOML, text.encode(), there.get(name, ""))


def write(kept: StoredParty, content: Mapping[str, Any]) -> None:
    """Write a changed party to the place that it was loaded from.

    Raises:
        Superseded: another writer changed it meanwhile.
    """
    if dict(content) == kept.content:
        return
    text = toml_with(kept.text, content)
    documents, name = _place(kept.said)
    if documents is None:
        if read_encounter(Path(kept.said))[0] != kept.text:
            raise StoreFailed(f"{kept.said} was changed meanwhile; nothing was written")
        write_output(Path(kept.said), text, force=True)
    else:
        documents.write(KIND, name, TOML, text.encode(), kept.version)


def _place(said: str) -> tuple[Documents | None, str]:
    """Return the document store and the name; no store for a separate file."""
    if said.endswith(".toml"):
        return None, ""
    if "#" not in said:
        raise Unusable(f"{said} is no party: name FILE.toml, or one of a store, as in fights.db#heroes", "PARTY")
    place = place_of(said)
    return documents_of(place.store), place.name
