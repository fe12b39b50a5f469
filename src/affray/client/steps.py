"""The steps of the client's work, without input or output.

A flow is a generator. It yields a step, and is sent the step's outcome. So what is sent, retried and decoded is written
once; ``blocking`` and ``asynchronous`` only carry out steps.
"""

from collections.abc import Generator
from http import HTTPStatus
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from affray.events import UNREADABLE
from affray.tools.api.problem_details import Problem

from .errors import Unreachable, UnreadableAnswer, refusal_of
from .links import TableLink

T = TypeVar("T")

ANSWER_SECONDS = 60.0
"""The longest silence of a server that works on an answer."""

MOST_REPEATS = 3
"""How often a request is sent again that came too fast."""

LONGEST_WAIT = 60
"""The most seconds that a server can let a request wait; if it says more, the request fails."""

MOST_BYTES = 256 << 20
"""The longest answer, or message of a feed, that is read."""

LONGEST = 200
"""How many characters of a foreign answer are shown."""


class Request(Struct, frozen=True):
    """A step: send a request, and read the head of its answer. The outcome is a ``Head``, or ``Unreachable``.

    Attributes:
        silence: The longest time in seconds in which nothing comes.
    """

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None
    silence: float = ANSWER_SECONDS


class Read(Struct, frozen=True):
    """A step: read the next bytes of the answer. The outcome is empty at its end; or it is ``Unreachable``."""


class Pause(Struct, frozen=True):
    """A step: wait. The outcome is nothing."""

    seconds: float


class Head(Struct, frozen=True):
    """The head of an answer.

    Attributes:
        kind: The media type.
        location: Where it says that the answer is instead.
        retry_after: The seconds after which the server takes the request; 0 if it does not say.
    """

    status: int
    kind: str = ""
    location: str = ""
    retry_after: int = 0


Step = Request | Read | Pause
Outcome: TypeAlias = Head | bytes | Unreachable | None
Flow: TypeAlias = Generator[Step, Outcome, T]


def ask(link: TableLink, form: type[T], *path: object, content: object = None, **query: object) -> Flow[T]:
    """Ask for something of the fight, or post ``content`` there; decode the answer.

    Raises:
        Unreachable: no answer came.
        RequestRefused: the server says why not.
        UnreadableAnswer: the answer has another form.
    """
    url = link.build_url(*path, **query)
    headers = {"Authorization": f"Bearer {link.token}", "Accept": "application/json"}
    if content is None:
        head = yield from begin(Request("GET", url, headers))
    else:
        headers["Content-Type"] = "application/json"
        head = yield from begin(Request("POST", url, headers, msgspec.json.encode(content)))
    body = yield from read_whole()
    must_succeed(head, body)
    return decode(body, form)


def begin(request: Request) -> Flow[Head]:
    """Send a request, and return the head of its answer.

    A server that is asked too fast (429) says when to come again; the request is sent again then.

    Raises:
        Unreachable: none came.
    """
    repeats = 0
    while True:
        head = yield request
        if isinstance(head, Unreachable):
            raise head
        assert isinstance(head, Head)
        waits = head.status == HTTPStatus.TOO_MANY_REQUESTS and 0 < head.retry_after <= LONGEST_WAIT
        if not waits or repeats == MOST_REPEATS:
            return head
        repeats += 1
        yield Pause(head.retry_after)


def read_next() -> Flow[bytes]:
    """Return the next bytes of the answer; nothing at its end.

    Raises:
        Unreachable: the connection broke.
    """
    part = yield Read()
    if isinstance(part, Unreachable):
        raise part
    assert isinstance(part, bytes)
    return part


def read_whole() -> Flow[bytes]:
    """Return the rest of the answer.

    Raises:
        Unreachable: the connection broke.
        UnreadableAnswer: it is too long.
    """
    parts, size = [], 0
    while part := (yield from read_next()):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise UnreadableAnswer(f"the answer is longer than {MOST_BYTES >> 20} MiB")
    return b"".join(parts)


def must_succeed(head: Head, body: bytes) -> None:
    """Raise what an answer stands for that is no success.

    Raises:
        RequestRefused: it is a problem document.
        Unreachable: a proxy says that the server is not there.
        UnreadableAnswer: anything else.
    """
    if 200 <= head.status < 300:
        return
    if head.kind == "application/problem+json":
        raise refusal_of(decode(body, Problem))
    said = f"the answer is {head.status} {_name_status(head.status)}"
    if head.status in (502, 503, 504):
        raise Unreachable(said)
    if head.location:
        raise UnreadableAnswer(f"{said}, which leads to {head.location[:LONGEST]!r}: use that server's own link")
    raise UnreadableAnswer(f"{said} without a reason: is an Affray server there? {_begin(body)}")


def decode(body: bytes, form: type[T]) -> T:
    """Decode JSON.

    Raises:
        UnreadableAnswer: it has another form; says where.
    """
    try:
        return msgspec.json.decode(body, type=form)
    except UNREADABLE as error:
        raise UnreadableAnswer(f"no {form.__name__} of an Affray server: {error}; {_begin(body)}") from None


def _begin(body: bytes) -> str:
    shown = body[:LONGEST].decode(errors="replace")
    return f"it begins with {shown!r}" if shown else "it is empty"


def _name_status(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "(unknown)"
