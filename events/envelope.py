"""The envelope around each fact, and the hash chain that ties them together."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from .errors import ChainBroken, Malformed
from .root import Event
from .vocabulary import AnyEvent

GENESIS = ""
"""What stands for the hash before the first event."""


class Recorded(Struct, frozen=True, gc=False, omit_defaults=True):
    """An event with its place in the stream: one line of a log.

    Attributes:
        position: 1 for the first event of a stream, without gaps.
        time: When it was recorded, UTC, ISO 8601 with milliseconds.
        who: Who sent the command, as claimed.
        cause: Id of the command it belongs to.
        hash: SHA-256 over the previous hash, this envelope and the payload's digest, as hex.
        event: The fact.
        more: How many events of the same command follow; 0 marks the command's last.
        audience: Who may read the payload; ``None`` is everybody.
        salt: Joins the payload's digest where the payload is hidden from somebody.
    """

    position: int
    time: str
    who: str
    cause: str
    hash: str
    event: AnyEvent
    more: int = 0
    audience: tuple[str, ...] | None = None
    salt: str = ""


class Line(Struct, frozen=True, gc=False, omit_defaults=True):
    """The same as ``Recorded``, with the payload's bytes as they are written."""

    position: int
    time: str
    who: str
    cause: str
    hash: str
    event: Raw
    more: int = 0
    audience: tuple[str, ...] | None = None
    salt: str = ""


def chained(
    previous: str,
    position: int,
    time: str,
    who: str,
    cause: str,
    more: int,
    payload: bytes,
    audience: tuple[str, ...] | None = None,
    salt: str = "",
) -> str:
    """Return the hash of an event: SHA-256 over eight lines of text, the last one the payload's own SHA-256.

    The payload is taken as the bytes that are written, so that the chain outlives every later format.
    """
    digest = sha256(salt.encode() + payload if salt else payload).hexdigest()
    readers = "*" if audience is None else readers_of(audience, salt)
    return linked(previous, position, time, who, cause, more, readers, digest)


def linked(previous: str, position: int, time: str, who: str, cause: str, more: int, readers: str, digest: str) -> str:
    """Return the same hash for whoever knows of payload and audience only what stands for them in it."""
    return sha256(f"{previous}\n{position}\n{time}\n{who}\n{cause}\n{more}\n{readers}\n{digest}".encode()).hexdigest()


def digest_of(payload: bytes, salt: str = "") -> str:
    """Return what stands for a payload in the chain: the SHA-256 of salt and payload, as hex."""
    return sha256(salt.encode() + payload).hexdigest()


def readers_of(audience: tuple[str, ...] | None, salt: str = "") -> str:
    """Return what stands for an audience in the chain: ``*`` for everybody, or the SHA-256 of salt and ids, as hex.

    So who may not read an event does not learn either whom it is about.
    """
    return "*" if audience is None else sha256(f"{salt}{','.join(audience)}".encode()).hexdigest()


UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding bytes that are no event of ours may raise: not the JSON we mean, not UTF-8, nested without end."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Recorded)
_line_decoder = msgspec.json.Decoder(Line)
PAYLOADS = msgspec.json.Decoder(AnyEvent)


class Sealed(NamedTuple):
    """That not everybody may read an event: who may, and the salt that hides it from guessing."""

    audience: tuple[str, ...] | None = None
    salt: str = ""


def seal(
    events: list[Event],
    *,
    after: int,
    previous: str,
    time: str,
    who: str,
    cause: str,
    sealed: Sequence[Sealed] = (),
) -> tuple[list[Recorded], list[bytes]]:
    """Put the events of one command into envelopes behind position ``after`` with hash ``previous``.

    Args:
        events: All of them.
        after, previous: Where the stream ends.
        time, who, cause: What their envelopes say.
        sealed: Who may read each of them; everybody may if not given.

    Returns the recorded events and their lines, each without the closing newline.
    """
    recorded: list[Recorded] = []
    lines: list[bytes] = []
    encode = _encoder.encode
    middle = b',"time":%b,"who":%b,"cause":%b,"hash":"' % (encode(time), encode(who), encode(cause))
    more = len(events)
    position = after
    audience, salt, readers = None, "", b""
    for event in events:
        if sealed:
            audience, salt = sealed[position - after]
            readers = b"" if audience is None else b',"audience":%b,"salt":%b' % (encode(audience), encode(salt))
        more -= 1
        position += 1
        payload = encode(event)
        previous = chained(previous, position, time, who, cause, more, payload, audience, salt)
        recorded.append(Recorded(position, time, who, cause, previous, event, more, audience, salt))
        lines.append(
            b'{"position":%d%b%b","event":%b%b%b}'
            % (
                position,
                middle,
                previous.encode(),
                payload,
                b',"more":%d' % more if more else b"",
                readers,
            )
        )
    return recorded, lines


def read(line: bytes, number: int = 0) -> Recorded:
    """Decode one line of a log in the present format.

    Raises:
        Malformed: the line is not an event; says which field and what was expected.
    """
    try:
        return _decoder.decode(line)
    except UNREADABLE as error:
        raise Malformed(str(error), number) from None


def read_line(line: bytes, number: int = 0) -> Line:
    """Decode only the envelope of one line, in whatever format its payload is.

    Raises:
        Malformed: the line is not an envelope.
    """
    try:
        return _line_decoder.decode(line)
    except UNREADABLE as error:
        raise Malformed(str(error), number) from None


def unwrapped(line: Line, number: int = 0) -> Recorded:
    """Decode the payload of a line whose envelope was read, in the present format.

    Raises:
        Malformed: the payload is not an event.
    """
    try:
        event = PAYLOADS.decode(line.event)
    except UNREADABLE as error:
        raise Malformed(str(error), number) from None
    return Recorded(
        line.position, line.time, line.who, line.cause, line.hash, event, line.more, line.audience, line.salt
    )


def verify(line: Line, *, after: int, previous: str, number: int = 0) -> str:
    """Return the line's hash if it continues the chain at ``after`` with hash ``previous``.

    Raises:
        ChainBroken: the position or the hash is another one.
    """
    if line.position != after + 1:
        raise ChainBroken(f"position {line.position} where {after + 1} was due", number)
    expected = chained(
        previous,
        line.position,
        line.time,
        line.who,
        line.cause,
        line.more,
        bytes(line.event),
        line.audience,
        line.salt,
    )
    if line.hash != expected:
        raise ChainBroken(f"the hash of position {line.position} does not fit what is written", number)
    return expected
