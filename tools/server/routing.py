"""HTTP routes, made from the table of operations."""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from http import HTTPStatus
from types import ModuleType
from typing import Annotated, Any, get_args, get_origin

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import asdict

from affray.engine.errors import Unusable
from affray.tools.api.access import ALL
from affray.tools.api.operations import OPERATIONS, Operation
from affray.tools.api.schemas.requests import Nothing
from affray.tools.text.docstrings import describe_callable

from .auth import TheFight, TheServer, TheViewer
from .error_mapping import problem_responses


def route(answer: Callable[..., Any], *, examples: Sequence[Example] = (), **more: Any) -> HTTPRouteHandler:
    """Make a route of a function, which is called as its operation is.

    Args:
        answer: Its parameter ``asked``, if it has one, gets the parameters of the operation.
        examples: Examples of the answer, for the OpenAPI document.
        more: Further parameters of the framework's route.
    """
    operation = OPERATIONS[answer.__name__]
    if "asked" in inspect.signature(answer).parameters:
        answer = _spread(answer, operation)
    handler = HTTPRouteHandler(
        _path_of(operation, inspect.signature(answer)),
        http_method=operation.method,  # type: ignore[arg-type]
        status_code=_status_of(operation),
        media_type=operation.media or None,
        responses=_responses_of(operation, examples),
        **more,
    )
    return handler(answer)


def routes_in(*modules: ModuleType) -> Iterator[HTTPRouteHandler]:
    """Yield the routes of modules."""
    for module in modules:
        yield from (one for one in vars(module).values() if isinstance(one, HTTPRouteHandler))


def routes_of_reads() -> Iterator[HTTPRouteHandler]:
    """Make a route of every operation with a function that reads a fight."""
    return (route(_reader_of(one)) for one in OPERATIONS.values() if one.path and one.run)


def _reader_of(operation: Operation) -> Callable[..., Any]:
    """Return what answers a read of a fight."""
    run = operation.run
    assert run is not None

    async def answer(server: TheServer, fight: TheFight, viewer: TheViewer, asked: Struct) -> Any:
        fights, fields = server.fights, asdict(asked)
        quick = operation.quick(**fields)
        async with fights.lock(fight) if quick else fights.lock_for_reading(fight) as found:
            return await fights.run_on(found, lambda: run(viewer, found, **fields), long=not quick)

    answer.__name__, answer.__doc__ = operation.name, describe_callable(run)
    answer.__annotations__["return"] = operation.gives
    return answer


def _spread(answer: Callable[..., Any], operation: Operation) -> Callable[..., Any]:
    """Replace the parameter ``asked`` of a function by the parameters of its operation, for the framework."""
    fields = {one.name: one for one in msgspec.structs.fields(operation.takes)}
    objects = {name for name, one in fields.items() if get_origin(get_args(one.type)[0]) is dict}

    @wraps(answer)
    async def spread(**given: Any) -> Any:
        asked = {name: given.pop(name) for name in fields}
        asked |= {name: _read_object(name, asked[name]) for name in objects}
        return await answer(**given, asked=operation.takes(**asked))

    hints = {name: hint for name, hint in answer.__annotations__.items() if name not in ("asked", "return")}
    hints |= {name: _parameter(operation, name, one.type) for name, one in fields.items()}
    defaults = {name: _default_of(one) for name, one in fields.items()}
    kind, none = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
    parameters = [
        inspect.Parameter(name, kind, annotation=hint, default=defaults.get(name, none)) for name, hint in hints.items()
    ]
    gives = answer.__annotations__["return"]
    spread.__annotations__ = {**hints, "return": gives}
    spread.__signature__ = inspect.Signature(parameters, return_annotation=gives)  # type: ignore[attr-defined]
    del spread.__wrapped__
    return spread


def _parameter(operation: Operation, name: str, kind: Any) -> Any:
    """Return a parameter of a path or an address, with the bounds of a field."""
    plain, *notes = get_args(kind)
    bounds = next((one for one in notes if isinstance(one, Meta)), Meta())
    given = {key: getattr(bounds, key) for key in ("ge", "le", "max_length", "description")}
    form = PathParameter if f"{{{name}}}" in operation.path else QueryParameter
    return Annotated[
        str if get_origin(plain) is dict else plain, form(**{key: one for key, one in given.items() if one is not None})
    ]


def _default_of(field: Any) -> Any:
    if field.default is not NODEFAULT:
        return field.default
    return inspect.Parameter.empty if field.default_factory is NODEFAULT else "{}"


def _read_object(name: str, given: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(given, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise Unusable("must be a JSON object", name) from None


def _path_of(operation: Operation, signature: inspect.Signature) -> str:
    """Return a path with the type of each parameter, as the framework writes it."""

    def add_type(found: re.Match[str]) -> str:
        hint = signature.parameters[found[1]].annotation
        return f"{{{found[1]}:{'int' if get_args(hint)[:1] == (int,) else 'str'}}}"

    return re.sub(r"{(\w+)}", add_type, operation.path)


def _status_of(operation: Operation) -> HTTPStatus:
    if operation.gives is None:
        return HTTPStatus.NO_CONTENT
    return HTTPStatus.CREATED if operation.creates else HTTPStatus.OK


def _responses_of(operation: Operation, examples: Sequence[Example]) -> dict[int, ResponseSpec]:
    """Document what a route answers: its file, if it answers with one, and its problems."""
    named, sends = "{" in operation.path, operation.method in ("POST", "PUT")
    problems = {
        400: named or sends or operation.takes is not Nothing,
        401: not operation.is_open,
        403: not operation.is_open and (operation.roles != ALL or "{fight}" in operation.path),
        404: named or operation.creates,
        409: "{fight}" in operation.path or operation.writes,
        413: sends,
        422: operation.refuses,
        503: not operation.is_open or operation.path.startswith("/api/pictures"),
    }
    found = problem_responses(
        *(status for status, there in problems.items() if there and status not in operation.never)
    )
    if operation.media:
        found[200] = ResponseSpec(
            operation.gives,
            media_type=operation.media,
            description="The content.",
            generate_examples=False,
            examples=[*examples],
        )
    return found
