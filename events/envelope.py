"""The envelope of an event: one line of a log, with its encoding and verification."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from .chain import FORMAT, content_of, hash_line, readers_of, sender_of
from .errors import ChainBroken, Malformed
from .record import FightOpened, Forked
from .refs import CombatantId, CommandId, Hash, Person, Text
from .root import Event
from .vocabulary import AnyEvent

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A number of events, small enough for every JSON parser to hold it exactly."""


class Recorded(Struct, frozen=True, gc=False, omit_defaults=True):
    """An event with its place in the stream: one line of a log.

    Attributes:
        position: The log position: 1 for the first event of a stream, without gaps.
        time: The time of recording, UTC, ISO 8601 with milliseconds.
        who: The sender of the command, as claimed.
        cause: Id of the command it belongs to.
        hash: SHA-256 over the previous hash, this envelope and the payload's digest, as hex.
        event: The fact.
        more: The number of events of the same command that follow; 0 marks the command's last.
        audience: The combatants whose players may read the payload; ``None`` if all viewers may.
        salt: A random text that is hashed with a payload that is hidden from some viewers.
        known_to: The combatants whose players may know ``who`` and ``cause``, in all lines of a command; ``None`` if
            all viewers may.
        mask: A random text that is hashed with ``who`` and ``cause`` where they are hidden from some viewers.
    """

    position: int
    time: Text
    who: Person
    cause: CommandId
    hash: Hash
    event: AnyEvent
    more: Count = 0
    audience: tuple[CombatantId, ...] | None = None
    salt: Hash = ""
    known_to: tuple[CombatantId, ...] | None = None
    mask: Hash = ""


class RawRecorded(Struct, frozen=True, gc=False, omit_defaults=True):
    """A recorded event with its payload still encoded: the bytes as written."""

    position: int
    time: Text
    who: Person
    cause: CommandId
    hash: Hash
    event: Raw
    more: Count = 0
    audience: tuple[CombatantId, ...] | None = None
    salt: Hash = ""
    known_to: tuple[CombatantId, ...] | None = None
    mask: Hash = ""


def hash_new(
    previous: str,
    position: int,
    time: str,
    who: str,
    cause: str,
    more: int,
    payload: bytes,
    audience: tuple[str, ...] | None = None,
    salt: str = "",
    known_to: tuple[str, ...] | None = None,
    mask: str = "",
    format: int = FORMAT,
) -> str:
    """Compute the hash of an event that is no line yet; see ``hash_of``."""
    line = RawRecorded(position, time, who, cause, "", Raw(payload), more, audience, salt, known_to, mask)
    return hash_of(line, previous, payload, format)


def hash_of(line: Recorded | RawRecorded, previous: str, payload: bytes, format: int = FORMAT) -> str:
    """Compute the hash that a line with this payload must have behind another line.

    The payload is taken as the written bytes, so that the chain stays valid in every later format.
    """
    known_to, mask, audience, salt = line.known_to, line.mask, line.audience, line.salt
    sender: tuple[str, ...] = line.who, line.cause
    if known_to is not None or mask:
        sender = sender_of(line.who, line.cause, known_to, mask, format)
    readers = "*" if audience is None else readers_of(audience, salt, format)
    content = content_of(payload, readers, salt, format)
    return hash_line(previous, line.position, line.time, sender, line.more, readers, content, format)


def hash_uncommitted(command: Sequence[Recorded], previous: str, format: int = FORMAT) -> str:
    """Compute the hash that a command's last line would have, if its first event named no commitment.

    Events are encoded anew. So an upcaster from format 6 on must keep how the events of an opening are written.

    Args:
        command: The lines of an opening or of a fork.
        previous: The hash of the line before them.
        format: The format that they are written in.
    """
    for one in command:
        event = replace(one.event, commitment="") if isinstance(one.event, FightOpened | Forked) else one.event
        previous = hash_of(one, previous, _encoder.encode(event), format)
    return previous


UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The errors that decoding foreign bytes may raise: unexpected JSON, no UTF-8, too deep nesting."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Recorded)
_line_decoder = msgspec.json.Decoder(RawRecorded)
PAYLOADS = msgspec.json.Decoder(AnyEvent)


class Sealed(NamedTuple):
    """The audience of an event, and the salt that protects it from guessing."""

    audience: tuple[CombatantId, ...] | None = None
    salt: Hash = ""


class Seals(NamedTuple):
    """The parts of a command that are hidden.

    Attributes:
        events: The seal of each of its events; empty if all viewers may read all of them.
        known_to: The combatants whose players may know its sender and its id; ``None`` if all viewers may.
        mask: The random text that protects these two from guessing.
    """

    events: Sequence[Sealed] = ()
    known_to: tuple[CombatantId, ...] | None = None
    mask: Hash = ""


NO_SEALS = Seals()
"""The seals of a command that hides nothing."""


def seal(
    events: list[Event],
    *,
    after: int,
    previous: str,
    time: str,
    who: str,
    cause: str,
    seals: Seals = NO_SEALS,
    format: int = FORMAT,
) -> tuple[list[Recorded], list[bytes]]:
    """Put the events of one command into envelopes that continue a stream.

    Args:
        after, previous: Position and hash of the stream's last line.
        time, who, cause: Values of these fields in each envelope.
        seals: The parts of the command that are hidden.
        format: The present format of the stream.

    Returns the recorded events and their lines, each without the closing newline.
    """
    recorded: list[Recorded] = []
    lines: list[bytes] = []
    encode = _encoder.encode
    middle = b',"time":%b,"who":%b,"cause":%b,"hash":"' % (encode(time), encode(who), encode(cause))
    sealed, known_to, mask = seals
    sender = sender_of(who, cause, known_to, mask, format)
    masked = b"" if known_to is None else b',"known_to":%b,"mask":%b' % (encode(known_to), encode(mask))
    more = len(events)
    position = after
    audience, salt, readers, end = None, "", "*", masked
    for event in events:
        if sealed:
            audience, salt = sealed[position - after]
            readers = readers_of(audience, salt, format)
            end = masked
            if audience is not None:
                end = b',"audience":%b,"salt":%b%b' % (encode(audience), encode(salt), masked)
        more -= 1
        position += 1
        payload = encode(event)
        content = content_of(payload, readers, salt, format)
        previous = hash_line(previous, position, time, sender, more, readers, content, format)
        recorded.append(Recorded(position, time, who, cause, previous, event, more, audience, salt, known_to, mask))
        lines.append(
            b'{"position":%d%b%b","event":%b%b%b}'
            % (position, middle, previous.encode(), payload, b',"more":%d' % more if more else b"", end)
        )
    return recorded, lines


def decode_line(line: bytes, number: int = 0) -> Recorded:
    """Decode one line of a log in the present format.

    Raises:
        Malformed: the line is not an event; says which field and what was expected.
    """
    try:
        return _decoder.decode(line)
    except UNREADABLE as error:
        raise Malformed(str(error), number) from None


def read_line(line: bytes, number: int = 0) -> RawRecorded:
    """Decode the envelope of one line alone; its payload may be in any format.

    Raises:
        Malformed: the line is not an envelope.
    """
    try:
        return _line_decoder.decode(line)
    except UNREADABLE as error:
        raise Malformed(str(error), number) from None


def decode_payload(line: RawRecorded, number: int = 0) -> Recorded:
    """Decode the payload of a decoded envelope, in the present format.

    Raises:
        Malformed: the payload is not an event.
    """
    try:
        event = PAYLOADS.decode(line.event)
    except UNREADABLE as error:
        raise Malformed(str(error), number) from None
    return with_event(line, event)


def with_event(line: Recorded | RawRecorded, event: AnyEvent) -> Recorded:
    """Build a recorded event from a decoded envelope and its decoded event."""
    return Recorded(
        line.position, line.time, line.who, line.cause, line.hash, event,
        line.more, line.audience, line.salt, line.known_to, line.mask,
    )  # fmt: skip


def verify(line: RawRecorded, *, after: int, previous: str, number: int = 0, format: int = FORMAT) -> str:
    """Check that a line continues the chain, and return its hash.

    Args:
        after, previous: Position and hash of the line before it.

    Raises:
        ChainBroken: the position or the hash does not match.
    """
    if line.position != after + 1:
        raise ChainBroken(f"position {line.position} where {after + 1} was due", number)
    expected = hash_of(line, previous, bytes(line.event), format)
    if line.hash != expected:
        raise ChainBroken(f"the hash of position {line.position} does not fit what is written", number)
    return expected


def build_schema() -> dict[str, Any]:
    """Build the JSON Schema (2020-12) of a recorded event, with all event types."""
    (reference,), definitions = msgspec.json.schema_components((Recorded,), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of an Affray log, format {FORMAT}",
        **reference,
        "$defs": definitions,
    }
