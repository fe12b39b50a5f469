"""Whatever goes wrong, as a problem document that says no more than its reader may know."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from traceback import format_exception
from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from msgspec.structs import replace

from affray.engine.fight import Fight
from affray.engine.hiding import Viewer, betrays
from affray.tools.problems import KNOWN, Problem, problem_of

from .fights import Missing, Taken
from .serving import Entrant, NotAllowed, NotKnown, Serving
from .viewing import AsSeen

PROBLEM_JSON = "application/problem+json"

_log = structlog.get_logger(__name__)

_TITLES = {
    HTTPStatus.BAD_REQUEST: ("unusable", "Cannot be understood"),
    HTTPStatus.UNAUTHORIZED: ("unknown", "Who is this?"),
    HTTPStatus.FORBIDDEN: ("not_allowed", "Not for you"),
    HTTPStatus.NOT_FOUND: ("missing", "There is no such thing"),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method", "Not in this way"),
    HTTPStatus.CONFLICT: ("taken", "The name is taken"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_big", "Too big"),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: ("unusable", "Cannot be understood"),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("internal", "A mistake of ours"),
}

_OURS: dict[type[Exception], HTTPStatus] = {
    NotKnown: HTTPStatus.UNAUTHORIZED,
    NotAllowed: HTTPStatus.FORBIDDEN,
    Missing: HTTPStatus.NOT_FOUND,
    Taken: HTTPStatus.CONFLICT,
}

_INTERNAL = HTTPStatus.INTERNAL_SERVER_ERROR


def problem_for(error: Exception, viewer: Viewer | None, fight: Fight | None) -> Problem:
    """Return what went wrong, for a viewer of a fight.

    Args:
        error: What was raised.
        viewer: Who reads it; nothing if they are not known.
        fight: What it is about, if that is open.
    """
    if type(error) in _OURS:
        return _of_status(_OURS[type(error)], str(error))
    if isinstance(error, AsSeen):
        return problem_of(error.error)
    if isinstance(error, HTTPException):
        return _of_http(error)
    if isinstance(error, KNOWN):
        return _of_engine(error, viewer, fight)
    if isinstance(error, RecursionError):  # of the decoder; nothing of ours goes deep
        return _of_status(HTTPStatus.BAD_REQUEST, "is nested too deeply")
    _log.error("failed", trace="".join(format_exception(error)))
    return _of_status(_INTERNAL, "the server made a mistake; its log says which")


def _of_status(status: int, detail: str) -> Problem:
    code, title = _TITLES.get(HTTPStatus(status), ("unusable", "Cannot be understood"))
    return Problem(type=f"urn:affray:{code}", title=title, status=int(status), detail=detail, code=code)


def _of_http(error: HTTPException) -> Problem:
    """Return what the framework refused, with the first field it could not understand."""
    found = _of_status(error.status_code, error.detail)
    if not isinstance(error, ValidationException):
        return found
    extra: Any = error.extra
    first = extra[0] if isinstance(extra, list) and extra else {}
    field, message = str(first.get("key", "")), str(first.get("message", error.detail))
    return replace(found, detail="must be given as JSON" if message == repr(field) else message, field=field)


def _of_engine(error: Exception, viewer: Viewer | None, fight: Fight | None) -> Problem:
    found = problem_of(error)
    if found.status >= _INTERNAL:
        _log.warning("could_not_use_record", reason=str(error))
        return replace(found, detail="the record cannot be read or written; the server's log says why")
    if viewer is not None and fight is not None and betrays(viewer, fight.state, found):
        return Problem(
            type=f"urn:affray:{_plain(found.status)}",
            title=found.title,
            status=found.status,
            detail="this cannot be done now",
            code=_plain(found.status),
        )
    return found


def _plain(status: int) -> str:
    return "refused" if status == HTTPStatus.UNPROCESSABLE_ENTITY else "unusable"


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Answer a request that went wrong."""
    entrant: Entrant | None = request.scope["state"].get("entrant")
    serving: Serving = request.app.state.serving
    fight = serving.fights.present(request.scope.get("path_params", {}).get("fight", ""))
    found = problem_for(error, entrant.viewer if entrant else None, fight)
    headers = {"WWW-Authenticate": "Bearer"} if found.status == HTTPStatus.UNAUTHORIZED else {}
    headers |= (getattr(error, "headers", None) or {}) if isinstance(error, HTTPException) else {}
    return Response(found, status_code=found.status, media_type=PROBLEM_JSON, headers=headers)


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Return what a route documents for these statuses: a problem document."""
    return {
        status: ResponseSpec(
            Problem, description=HTTPStatus(status).phrase, media_type=PROBLEM_JSON, generate_examples=False
        )
        for status in statuses
    }


HANDLERS: dict[type[Exception] | int, Callable[..., Response[Any]]] = {Exception: answer, HTTPException: answer}
"""What the application does with everything that is raised."""
