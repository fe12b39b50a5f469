"""Errors as problem documents (RFC 9457), for programs."""

from http import HTTPStatus

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.errors import Diverged, OutOfDate, Refused, Reused, Superseded
from affray.events import AnySource, Clause
from affray.tools.parse.faults import fault_of

KINDS = {
    "refused": (HTTPStatus.UNPROCESSABLE_ENTITY, "Refused"),
    "out_of_date": (HTTPStatus.CONFLICT, "The fight has moved on"),
    "superseded": (HTTPStatus.CONFLICT, "It was changed meanwhile"),
    "full": (HTTPStatus.TOO_MANY_REQUESTS, "Too many"),
    "reused": (HTTPStatus.CONFLICT, "This id stands for another command"),
    "diverged": (HTTPStatus.CONFLICT, "The rules have changed since"),
    "unusable": (HTTPStatus.BAD_REQUEST, "Cannot be understood"),
    "usage": (HTTPStatus.BAD_REQUEST, "Cannot be understood"),
    "missing": (HTTPStatus.NOT_FOUND, "There is no such thing"),
    "too_big": (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Too big"),
    "log": (HTTPStatus.SERVICE_UNAVAILABLE, "The log is damaged"),
    "altered": (HTTPStatus.SERVICE_UNAVAILABLE, "The log was changed"),
    "unsure": (HTTPStatus.SERVICE_UNAVAILABLE, "It is not known whether this was recorded"),
    "store": (HTTPStatus.SERVICE_UNAVAILABLE, "The record cannot be read or written"),
}
"""The status and the title of a problem, by kind of fault."""


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem document.

    Attributes:
        type: The code behind ``urn:affray:``.
        title: The kind of problem, in a few words.
        status: The status of an HTTP answer.
        detail: The reason, as a sentence.
        code: The reason, as a code.
        rule: The clause that forbids the command.
        source: The cause of a refusal: the id or name of a thing, or a struct, such as for a view.
        example: A line that would work in the place of refused words; ``detail`` ends with it.
        field: The part of the request that cannot be parsed.
        line: The line of the faulty input, counted from 1; 0 if unknown.
        head, hash: The present head's log position and hash, if the fight has moved on.
        version: The present version of a document that another client changed; empty if it was deleted.
        position: The log position of the earlier command with the same id, or of the last safe state to rewind to.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: Clause = ""
    source: AnySource = ""
    example: str = ""
    field: str = ""
    line: int = 0
    head: int | None = None
    hash: str = ""
    version: str = ""
    position: int | None = None


def problem(kind: str, detail: str, *, code: str = "", field: str = "", line: int = 0) -> Problem:
    """Return a problem of one of the known kinds; its code is the kind if none is given."""
    status, title = KINDS[kind]
    code = code or kind
    return Problem(
        type=f"urn:affray:{code}", title=title, status=int(status), detail=detail, code=code, field=field, line=line
    )


def problem_of(error: Exception) -> Problem:
    """Convert an exception to a problem document.

    The detail is as exact as on the command line: it may name files, and hidden combatants.

    Args:
        error: An exception of one of the ``KNOWN`` kinds.
    """
    fault = fault_of(error)
    detail = f"{fault.file}:{fault.line}: {fault.message}" if fault.code == "rules" else fault.text
    moved = error if isinstance(error, OutOfDate) else None
    return replace(
        problem(
            fault.kind, detail, code=fault.code, field=fault.field, line=0 if fault.code == "rules" else fault.line
        ),
        rule=fault.rule,
        source=fault.source if isinstance(error, Refused) else "",
        example=fault.example,
        head=moved.head if moved else None,
        hash=moved.hash if moved else "",
        version=error.present if isinstance(error, Superseded) else "",
        position=error.position if isinstance(error, Reused) else error.safe if isinstance(error, Diverged) else None,
    )
