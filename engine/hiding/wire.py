"""One line of a log as it is shown to somebody: with its payload, or sealed; the chain holds either way."""

from __future__ import annotations

from msgspec import Raw, Struct

from affray.events import ChainBroken, Recorded, digest_of, linked, readers_of

from .viewers import Viewer, visible


class WireLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line for one viewer.

    Attributes:
        position, time, who, cause, hash, more: As in ``Recorded``.
        event: The payload exactly as the log has it; none where it is sealed.
        digest: Of a sealed line: SHA-256 of salt and payload, as hex.
        readers: Of a sealed line: SHA-256 of salt and audience, as hex.
        audience, salt: Of an event that not everybody may read, shown to who may.
    """

    position: int
    time: str
    who: str
    cause: str
    hash: str
    more: int = 0
    event: Raw | None = None
    digest: str = ""
    readers: str = ""
    audience: tuple[str, ...] | None = None
    salt: str = ""


def wire_line(viewer: Viewer, recorded: Recorded, payload: bytes | Raw, *, opened: bool = False) -> WireLine:
    """Return a line as somebody may read it.

    Args:
        viewer: Who reads.
        recorded: The event.
        payload: Its bytes as the log has them.
        opened: Whether it was opened to everybody since.
    """
    sealed = not (opened or visible(viewer, recorded))
    return WireLine(
        position=recorded.position,
        time=recorded.time,
        who=recorded.who,
        cause=recorded.cause,
        hash=recorded.hash,
        more=recorded.more,
        event=None if sealed else Raw(payload),
        digest=digest_of(bytes(payload), recorded.salt) if sealed else "",
        readers=readers_of(recorded.audience, recorded.salt) if sealed else "",
        audience=None if sealed else recorded.audience,
        salt="" if sealed else recorded.salt,
    )


def verify_wire(line: WireLine, *, after: int, previous: str) -> str:
    """Return the line's hash if it continues the chain at ``after`` with hash ``previous``, sealed or not.

    Raises:
        ChainBroken: the position or the hash is another one.
    """
    if line.position != after + 1:
        raise ChainBroken(f"position {line.position} where {after + 1} was due")
    sealed = line.event is None
    readers = line.readers if sealed else readers_of(line.audience, line.salt)
    digest = line.digest if line.event is None else digest_of(bytes(line.event), line.salt)
    expected = linked(previous, line.position, line.time, line.who, line.cause, line.more, readers, digest)
    if line.hash != expected:
        raise ChainBroken(f"the hash of position {line.position} does not fit what is written")
    return expected
