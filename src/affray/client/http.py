"""The settings of httpx, and its objects as outcomes of steps, for both clients."""

import inspect
import ssl
from collections.abc import Callable
from functools import cache, update_wrapper
from typing import Any, Generic, TypeVar, get_args

import httpx

from .errors import BadLink, ClientError, Unreachable, UnreadableAnswer
from .links import TableLink, read_link
from .steps import Flow, Head, Outcome, Request

Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)

LONGEST_NUMBER = 10
"""How many digits of a header are read as a number."""

SECONDS = 10.0
"""The longest time in seconds to connect, to send, or to get a connection of the pool."""


class ClientBase(Generic[Http]):
    """The settings of a client.

    Attributes:
        link: The server, the fight and the token.
        http: The client of httpx.
        is_own: Whether it is closed with this client.
    """

    def __init__(self, link: str, fight: str, http: Http | None, kind: type[Http]) -> None:
        self.link = read_usable_link(link, fight)
        self.http: Http = http or open_pool(kind)
        self.is_own = http is None


def copy_description(call: Callable[..., Flow[Any]], method: Callable[..., Any]) -> None:
    """Give a method the name, the docstring and the signature of its call, for ``help`` and editors."""
    update_wrapper(method, call)
    signature = inspect.signature(call)
    _, *parameters = signature.parameters.values()
    client = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    answer = get_args(signature.return_annotation)[-1]
    method.__signature__ = signature.replace(parameters=[client, *parameters], return_annotation=answer)  # type: ignore[attr-defined]


def read_usable_link(link: str, fight: str) -> TableLink:
    """Read a link, and check that httpx can use its address.

    Raises:
        BadLink: says what is wrong.
    """
    found = read_link(link, fight)
    try:
        httpx.URL(found.build_url("feed"))
    except httpx.InvalidURL as error:
        raise BadLink(f"not an address: {error}") from None
    return found


def open_pool(kind: type[Http]) -> Http:
    """Return a new client of httpx.

    Raises:
        ClientError: httpx cannot read the proxy settings of the environment, such as a range in ``NO_PROXY``.
    """
    try:
        return kind(verify=_load_certificates())
    except (httpx.InvalidURL, ValueError) as error:
        raise ClientError(f"httpx cannot use the proxy settings of the environment: {error}") from None


@cache
def _load_certificates() -> ssl.SSLContext:
    """Load the certificates once for all clients: it takes longer than most requests."""
    return httpx.create_ssl_context()


def describe_request(request: Request) -> dict[str, Any]:
    """Return a request as the arguments of ``build_request``."""
    return {
        "method": request.method,
        "url": request.url,
        "headers": request.headers,
        "content": request.body,
        "timeout": httpx.Timeout(SECONDS, read=request.silence),
    }


def head_of(response: httpx.Response) -> Head:
    """Return the head of an answer."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    after = response.headers.get("Retry-After", "")  # or a date, which no Affray server sends
    seconds = int(after) if after.isdecimal() and len(after) < LONGEST_NUMBER else 0
    return Head(response.status_code, kind, response.headers.get("Location", ""), seconds)


def outcome_of(error: httpx.RequestError) -> Outcome:
    """Return a failed connection as an outcome.

    Raises:
        UnreadableAnswer: the answer came, and cannot be decompressed.
    """
    if isinstance(error, httpx.DecodingError):
        raise UnreadableAnswer(f"the answer cannot be decompressed: {error}") from None
    return Unreachable(f"the server cannot be reached: {str(error) or type(error).__name__}")
