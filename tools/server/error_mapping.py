"""Mapping of errors to problem documents that reveal nothing their reader may not know."""

import re
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from traceback import format_exception
from typing import Any, get_args

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.errors import (
    Altered,
    Diverged,
    EngineError,
    NoDocument,
    NoFight,
    Refused,
    Reused,
    StoreFailed,
    Unsure,
)
from affray.engine.logger import Logger
from affray.engine.visibility import Viewer, names_hidden
from affray.events import Source
from affray.tools.api.access import HiddenRefusal, NotAllowed, NotFound, VisibleRefusal
from affray.tools.api.problem_details import Problem, problem_of
from affray.tools.api.schemas.fights import NAME
from affray.tools.parse.decoding import reword_decoder_text
from affray.tools.parse.faults import KNOWN, reason_in_log

from .open_fights import STORE_ERRORS, LimitReached, NameTaken
from .rate_limits import RateLimitExceeded
from .server_state import AuthenticatedCaller, NotAuthenticated, ServerState
from .sessions import FightSnapshot

PROBLEM_JSON = "application/problem+json"

NAME_RULE = "must have letters, digits, - and _, and begin with a letter or a digit"
"""The message about a name that does not have the form ``NAME``."""

_log = Logger(__name__)

_TITLES = {
    HTTPStatus.BAD_REQUEST: ("unusable", "Cannot be understood"),
    HTTPStatus.UNAUTHORIZED: ("unknown", "Who is this?"),
    HTTPStatus.FORBIDDEN: ("not_allowed", "Not for you"),
    HTTPStatus.NOT_FOUND: ("missing", "There is no such thing"),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method", "Not in this way"),
    HTTPStatus.REQUEST_TIMEOUT: ("too_slow", "Too slow"),
    HTTPStatus.CONFLICT: ("taken", "The name is taken"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_big", "Too big"),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: ("unusable", "Cannot be understood"),
    HTTPStatus.TOO_MANY_REQUESTS: ("too_many", "Too many"),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("internal", "A mistake of ours"),
}

_OURS: dict[type[Exception], HTTPStatus] = {
    NotAuthenticated: HTTPStatus.UNAUTHORIZED,
    NotAllowed: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    NameTaken: HTTPStatus.CONFLICT,
    LimitReached: HTTPStatus.TOO_MANY_REQUESTS,
}

EVERYWHERE = 429
"""The status of every route's answer to a link or an address that sends too many requests."""

_INTERNAL = HTTPStatus.INTERNAL_SERVER_ERROR

_UNREADABLE = "the record cannot be read or written; the server's log says why"
_SAID: dict[type[EngineError], str] = {
    Altered: "the log of this fight was changed under the server; the fight stands still until the log is whole again",
    Unsure: "it is not known whether this was recorded; send it again under the same id: it is done once at most",
}
"""Messages for failures of the store. Their own texts may name files, databases and people."""


def problem_for(error: Exception, viewer: Viewer | None, fight: FightSnapshot | None, form: object = None) -> Problem:
    """Build the problem document of an error, for a viewer of a fight.

    Args:
        viewer: Its reader; None for an unknown client.
        fight: The fight that it is about, if that is open.
        form: The struct of the route's body, if it has one.
    """
    for kind, status in _OURS.items():
        if isinstance(error, kind):
            return _problem_of_status(status, str(error))
    if isinstance(error, VisibleRefusal):
        found = problem_of(error.error)
        return _without_reason(found) if isinstance(error, HiddenRefusal) else found
    if isinstance(error, HTTPException):
        return _problem_of_http(error, form)
    if isinstance(error, KNOWN + STORE_ERRORS):
        return _problem_of_engine(error, viewer, fight)
    if isinstance(error, RecursionError | UnicodeDecodeError):  # raised by the decoder
        said = "is nested too deeply" if isinstance(error, RecursionError) else "is not UTF-8 text"
        return _problem_of_status(HTTPStatus.BAD_REQUEST, said)
    _log.error("failed", trace="".join(format_exception(error)))
    return _problem_of_status(_INTERNAL, "the server made a mistake; its log says which")


def _problem_of_status(status: int, detail: str) -> Problem:
    code, title = _TITLES.get(HTTPStatus(status), ("unusable", "Cannot be understood"))
    return _problem(code, title, status, detail)


def _problem(code: str, title: str, status: int, detail: str) -> Problem:
    return Problem(type=f"urn:affray:{code}", title=title, status=int(status), detail=detail, code=code)


def _problem_of_http(error: HTTPException, form: object) -> Problem:
    """Describe an error of the framework, with the first field that could not be decoded."""
    found = _problem_of_status(error.status_code, reword_decoder_text(error.detail))
    if not isinstance(error, ValidationException):
        return found
    extra: Any = error.extra
    first = extra[0] if isinstance(extra, list) and extra else {}
    field, message = str(first.get("key", "")), str(first.get("message", error.detail))
    field, said = _explain_decoding_error("body" if field == "data" else field, message, form)
    return replace(found, detail=said, field=field)


def _explain_decoding_error(field: str, message: str, form: object) -> tuple[str, str]:
    """Turn a decoder's message into the field that it is about and a plain message."""
    fields = msgspec.structs.fields(form) if isinstance(form, type) and issubclass(form, Struct) else ()
    known = {one.encode_name: one.type for one in fields}
    if message == "'data'":
        return field, "must be given as JSON"
    if unknown := re.match("Object contains unknown field `(.+)`", message):
        return unknown[1], f"there is no such field; there are {', '.join(known)}"
    if missing := re.match("Object missing required field `(.+)`", message):
        return missing[1], "is missing"
    if other := re.match("Invalid enum value '(.*)'", message):
        return field, f"cannot be {other[1]}; there are {', '.join(get_args(known.get(field)))}"
    return field, NAME_RULE if NAME in message.replace(r"\\", "\\") else reword_decoder_text(message)


def _problem_of_engine(error: Exception, viewer: Viewer | None, fight: FightSnapshot | None) -> Problem:
    if isinstance(error, NoFight | NoDocument):
        return _problem_of_status(
            HTTPStatus.NOT_FOUND, error.message if isinstance(error, NoDocument) else "there is no such fight"
        )
    found = problem_of(StoreFailed(str(error)) if isinstance(error, STORE_ERRORS) else error)
    if found.status >= _INTERNAL:
        _log.warning("could_not_use_record", reason=reason_in_log(error))
        said = next((said for kind, said in _SAID.items() if isinstance(error, kind)), _UNREADABLE)
        return replace(found, detail=said, field="", line=0)
    told_all = viewer is not None and viewer.role == "gm"
    if isinstance(error, Reused) and not told_all:  # the other command may be that of a hidden combatant
        return replace(found, detail=f"the command id {error.id} already stands for another command", position=None)
    if isinstance(error, Diverged) and not told_all:  # its text quotes events that the reader may not see
        return replace(found, detail=f"the game master can take the fight back to position {error.safe}")
    if not isinstance(error, Refused) or viewer is None or fight is None:
        return found
    kinds = ("source",) if isinstance(error.source, Source) else ("source", "roll")
    unseen = any(names_hidden(viewer, fight.state, kind, error.source) for kind in kinds)  # of its cause
    return _without_reason(found) if unseen else found


def _without_reason(found: Problem) -> Problem:
    """Remove a problem's reason, because its cause is hidden from the reader."""
    code = "refused" if found.status == HTTPStatus.UNPROCESSABLE_ENTITY else "unusable"
    return _problem(code, found.title, found.status, "this cannot be done now")


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Answer a failed request with a problem document."""
    caller: AuthenticatedCaller | None = request.scope["state"].get("caller")
    server: ServerState = request.app.state.server
    fight = server.fights.find_snapshot(request.scope.get("path_params", {}).get("fight", ""))
    body = getattr(request.scope.get("route_handler"), "parsed_data_field", None)
    found = problem_for(error, caller.viewer if caller else None, fight, getattr(body, "annotation", None))
    headers = {"WWW-Authenticate": "Bearer"} if found.status == HTTPStatus.UNAUTHORIZED else {}
    headers |= {"Retry-After": str(error.seconds)} if isinstance(error, RateLimitExceeded) else {}
    headers |= (getattr(error, "headers", None) or {}) if isinstance(error, HTTPException) else {}
    return Response(found, status_code=found.status, media_type=PROBLEM_JSON, headers=headers)


def problem_responses(*statuses: int) -> dict[int, ResponseSpec]:
    """Document the problem responses of a route for these statuses."""
    of = partial(ResponseSpec, Problem, media_type=PROBLEM_JSON, generate_examples=False)
    return {status: of(description=HTTPStatus(status).phrase) for status in sorted({*statuses, EVERYWHERE})}


HANDLERS: dict[type[Exception] | int, Callable[..., Response[Any]]] = {
    Exception: answer_error,
    HTTPException: answer_error,
}
"""The exception handlers of the application."""
