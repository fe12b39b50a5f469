"""Requests of a pipe, one a line of input, made from the table of operations."""

from typing import Annotated, Any, Union, get_args

import msgspec
from msgspec import Meta, Struct, defstruct

from affray.engine.commands import MANY
from affray.engine.errors import Unusable
from affray.engine.texts import check_word
from affray.tools.api.operations import OPERATIONS, Operation
from affray.tools.parse.decoding import misread


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A request.

    Attributes:
        id: The request's own id, which the answer repeats. It is also the id of a command: sent twice, that is done
            once.
        fight: The name of the fight; optional while only one is open.
    """

    id: str | int
    fight: str = ""


def parameters_of(operation: Operation) -> type[Struct]:
    """Return the struct of an operation's parameters."""
    return operation.asks or operation.takes


def _form_of(operation: Operation) -> type[Request]:
    """Make the struct of a request, without bounds: its operation checks them."""
    takes = parameters_of(operation)
    fields: list[Any] = []
    for one in msgspec.structs.fields(takes):
        default: Any = {"default": one.default, "default_factory": one.default_factory}
        fields.append((one.name, _without_bounds(one.type), *([] if one.required else [msgspec.field(**default)])))
    made: Any = defstruct(
        operation.request.title(),
        fields,
        bases=(Request,),
        namespace={"__doc__": takes.__doc__},
        frozen=True,
        kw_only=True,
        tag=operation.request,
    )
    form: type[Request] = made
    return form


def _without_bounds(kind: Any) -> Any:
    """Leave of a type's notes only the descriptions."""
    plain, *notes = get_args(kind) if hasattr(kind, "__metadata__") else (kind,)
    described = [Meta(description=note.description) for note in notes if note.description]
    return Annotated[plain, described[0]] if described else plain


OF_FORM: dict[type[Request], Operation] = {_form_of(one): one for one in OPERATIONS.values() if one.request}
"""The operation of each struct of a request."""

DOES: tuple[str, ...] = tuple(one.request for one in OF_FORM.values())
"""The names of the requests, as in their field ``do``."""

ASKED: Any = Union[tuple(OF_FORM)]  # noqa: UP007 - of as many as there are
"""Every request."""

_decoder = msgspec.json.Decoder(ASKED)


def read_request(line: bytes) -> Request:
    """Decode the request in a line.

    Raises:
        Unusable: it is no valid request; says which field is wrong, and the expected value.
    """
    try:
        asked: Request = _decoder.decode(line)
    except UnicodeDecodeError:
        raise Unusable("is not UTF-8 text", "line") from None
    except RecursionError:
        raise Unusable("is nested without end", "line") from None
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        field = path.strip(".")
        known = f"; it is one of {', '.join(DOES)}" if field == "do" else ""
        raise Unusable(message + known, field or "line") from None
    except msgspec.DecodeError as error:
        raise Unusable(str(error), "line") from None
    check_word(str(asked.id), "id", most=MANY)
    return asked


def read_id(line: bytes) -> str | int | None:
    """Return the id of an invalid request, if it can be read."""
    try:
        return msgspec.json.decode(line, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class _Named(Struct):
    id: str | int | None = None
