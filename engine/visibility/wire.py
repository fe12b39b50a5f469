"""One line of a log as it is shown to somebody: with its payload, or sealed; the chain holds either way."""

from collections.abc import Container

from msgspec import Raw, Struct

from affray.events import FORMAT, ChainBroken, Recorded, digest_of, linked, readers_of, sender_of

from .viewers import Viewer, knows_sender, visible


class WireLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line for one viewer.

    Attributes:
        position, time, hash, more: As in ``Recorded``.
        who, cause: As in ``Recorded``; none where they are hidden from the viewer.
        by: Where they are: SHA-256 of mask, who may know them, and both, as hex; the same for a whole command.
        event: The payload exactly as the log has it; none where it is sealed.
        says: The same as a sentence; empty where it is sealed. It is no part of the chain.
        digest: Of a sealed line: SHA-256 of salt and payload, as hex.
        readers: Of a sealed line, or one whose words were released: SHA-256 of salt and audience, as hex.
        audience, salt: Of an event that not everybody may read, shown to who may; where its words were released, the
            audience is not, since it says who was hidden.
        known_to, mask: Of a command whose sender not everybody may know, shown to who may.
    """

    position: int
    time: str
    who: str = ""
    cause: str = ""
    hash: str
    more: int = 0
    by: str = ""
    event: Raw | None = None
    says: str = ""
    digest: str = ""
    readers: str = ""
    audience: tuple[str, ...] | None = None
    salt: str = ""
    known_to: tuple[str, ...] | None = None
    mask: str = ""


def wire_line(
    viewer: Viewer,
    recorded: Recorded,
    payload: bytes | Raw,
    says: str = "",
    *,
    opened: Container[int] = (),
    format: int = FORMAT,
) -> WireLine:
    """Return a line as somebody may read it.

    Args:
        payload: Its bytes as the log has them.
        says: It as a sentence.
        opened: The positions that are open to everybody by now.
    """
    sealed = not visible(viewer, recorded, opened)
    released = not sealed and not visible(viewer, recorded) and recorded.audience != ()
    masked = not knows_sender(viewer, recorded, opened)
    return WireLine(
        position=recorded.position,
        time=recorded.time,
        who="" if masked else recorded.who,
        cause="" if masked else recorded.cause,
        hash=recorded.hash,
        more=recorded.more,
        by=sender_of(recorded.who, recorded.cause, recorded.known_to, recorded.mask, format)[0] if masked else "",
        event=None if sealed else Raw(payload),
        says="" if sealed else says,
        digest=digest_of(bytes(payload), recorded.salt) if sealed else "",
        readers=readers_of(recorded.audience, recorded.salt, format) if sealed or released else "",
        audience=None if sealed or released else recorded.audience,
        salt="" if sealed else recorded.salt,
        known_to=None if masked else recorded.known_to,
        mask="" if masked else recorded.mask,
    )


def verify_wire(line: WireLine, *, after: int, previous: str, format: int = FORMAT) -> str:
    """Return the line's hash if it continues the chain at ``after`` with hash ``previous``, sealed or not.

    Args:
        line: Of one viewer.
        after, previous: The position and hash before it.

    Raises:
        ChainBroken: the position or the hash is another one.
    """
    if line.position != after + 1:
        raise ChainBroken(f"position {line.position} where {after + 1} was due")
    sender = (line.by,) if line.by else sender_of(line.who, line.cause, line.known_to, line.mask, format)
    readers = line.readers or ("" if line.event is None else readers_of(line.audience, line.salt, format))
    digest = line.digest if line.event is None else digest_of(bytes(line.event), line.salt)
    expected = linked(previous, line.position, line.time, sender, line.more, readers, digest, format)
    if line.hash != expected:
        raise ChainBroken(f"the hash of position {line.position} does not fit what is written")
    return expected
