"""Stored encounters and parties, each a TOML file."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import asdict

from affray.engine.errors import StoreFailed, Unusable
from affray.engine.stores.documents import Document, DocumentInfo, Documents, documents_of
from affray.engine.stores.input_files import unify_line_ends
from affray.tools.api.problem_details import Problem, problem_of
from affray.tools.api.schemas.documents import Saved, SavedWhole, Written
from affray.tools.encounters.library.encounter_check import faults_in
from affray.tools.encounters.library.examples import sides_in
from affray.tools.encounters.toml_text import toml_of, toml_with
from affray.tools.parse.encounter_file import read_toml
from affray.tools.parse.faults import Fault, Faulty

from .open_fights import STORE_ERRORS
from .worker_threads import compute, read_in_thread

if TYPE_CHECKING:
    from .server_state import ServerState

T = TypeVar("T")


async def use_documents(server: ServerState, work: Callable[[Documents], T]) -> T:
    """Run work on the store's documents in a thread, since they may be large."""
    try:
        aside = asyncio.to_thread if server.fights.is_remote else read_in_thread
        return await aside(work, documents_of(server.fights.store))
    except STORE_ERRORS as error:
        raise StoreFailed(str(error)) from error


async def read_both_forms(data: Written) -> tuple[str, dict[str, Any]]:
    """Return the TOML text and the content of a sent document, which was sent as either of them.

    If the content comes with the earlier file (``was``), that file's comments are kept.

    Raises:
        Faulty: the text is no TOML, or too long.
        Unusable: neither or both were sent, or the content cannot be written as TOML.
    """
    if (data.content is None) == (data.toml is None):
        raise Unusable("give it either as an object or as toml", "content")
    return await compute(_both_forms, data)


def _both_forms(data: Written) -> tuple[str, dict[str, Any]]:
    if data.toml is not None:
        return read_toml(data.toml)
    content = data.content or {}
    return read_toml(toml_with(data.was, content) if data.was else toml_of(content))


def list_problems(content: dict[str, Any], text: str) -> tuple[Problem, ...]:
    """List the faults that keep an encounter from being fought, as problems."""
    return tuple(map(_problem, faults_in(content, text)))


def find_problem(content: dict[str, Any], text: str) -> Problem | None:
    """Return the first fault that keeps an encounter from being fought."""
    return next(map(_problem, faults_in(content, text)), None)


def _problem(fault: Fault) -> Problem:
    return problem_of(Faulty(fault))


def describe_document(found: DocumentInfo, content: dict[str, Any]) -> Saved:
    """Describe a document for a list."""
    title, system = (str(content.get(key, "")) for key in ("name", "system"))
    return Saved(
        name=found.name,
        title=title,
        system=system,
        version=found.version,
        changed=found.changed,
        sides=sides_in(content),
    )


async def read_document(
    found: Document, fault: Callable[[dict[str, Any], str], Problem | None] = find_problem
) -> SavedWhole:
    """Return a document with its content and its first fault; it is parsed in a thread."""
    return await compute(_whole, found, fault)


def _whole(found: Document, fault: Callable[[dict[str, Any], str], Problem | None]) -> SavedWhole:
    text = found.content.decode(errors="replace")
    try:
        _, content = read_toml(text)
        wrong = fault(content, text)
    except Faulty as faulty:  # the file was written by hand
        content, wrong = {}, problem_of(Faulty(Fault(kind="unusable", code="syntax", message=faulty.fault.message)))
    about = asdict(describe_document(found, content))
    return SavedWhole(**about, content=content, toml=text, fault=wrong)


def list_described(documents: Documents, kind: str) -> list[Saved]:
    """List the documents of a kind, with their titles and systems."""
    return [describe_document(one, _content(documents.read(kind, one.name))) for one in documents.list_documents(kind)]


def _content(found: Document) -> dict[str, Any]:
    try:
        return tomllib.loads(unify_line_ends(found.content.decode()))
    except (ValueError, RecursionError):
        return {}


def attachment_header(name: str) -> dict[str, str]:
    """Build the header that makes a browser save an answer as a file."""
    return {"content-disposition": f'attachment; filename="{Path(name).name}.toml"'}
