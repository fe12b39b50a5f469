"""A line of a log as a viewer receives it: with its payload, or sealed.

The chain holds either way.
"""

from collections.abc import Container

from msgspec import UNSET, Raw, Struct, UnsetType

from affray.events import FORMAT, ChainBroken, Recorded, content_of, digest_of, hash_line, readers_of, sender_of

from .viewers import Viewer, can_read, knows_sender


class WireLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line for one viewer.

    Attributes:
        position, time, hash, more: As in ``Recorded``.
        who, cause: As in ``Recorded``; empty where they are hidden from the viewer.
        by: The SHA-256, as hex, of the mask, the ids that may know ``who`` and ``cause``, and the two values, if these
            are hidden; the same for a whole command.
        event: The payload exactly as the log has it; absent if it is sealed.
        says: The event as a sentence; empty where it is sealed. It is no part of the chain.
        digest: The SHA-256 of salt and payload, as hex; only of a sealed line.
        readers: The SHA-256 of salt and audience, as hex; only of a sealed line, or one whose words were released.
        audience, salt: The values of an event with an audience, for viewers who may read it. If its words were
            released, the audience is left out, because it names hidden combatants.
        known_to, mask: The values of a command with a hidden sender, for viewers who may know the sender.
    """

    position: int
    time: str
    who: str = ""
    cause: str = ""
    hash: str
    more: int = 0
    by: str = ""
    event: Raw | UnsetType = UNSET
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
    """Build a line for a viewer.

    Args:
        payload: Its bytes as the log has them.
        says: The event as a sentence.
        opened: The positions that all viewers may read by now.
    """
    sealed = not can_read(viewer, recorded, opened)
    released = not sealed and not can_read(viewer, recorded) and recorded.audience != ()
    masked = not knows_sender(viewer, recorded, opened)
    return WireLine(
        position=recorded.position,
        time=recorded.time,
        who="" if masked else recorded.who,
        cause="" if masked else recorded.cause,
        hash=recorded.hash,
        more=recorded.more,
        by=sender_of(recorded.who, recorded.cause, recorded.known_to, recorded.mask, format)[0] if masked else "",
        event=UNSET if sealed else Raw(payload),
        says="" if sealed else says,
        digest=digest_of(bytes(payload), recorded.salt) if sealed else "",
        readers=readers_of(recorded.audience, recorded.salt, format) if sealed or released else "",
        audience=None if sealed or released else recorded.audience,
        salt="" if sealed else recorded.salt,
        known_to=None if masked else recorded.known_to,
        mask="" if masked else recorded.mask,
    )


def verify_wire(line: WireLine, *, after: int, previous: str, format: int = FORMAT) -> str:
    """Check that a viewer's line, sealed or not, continues the chain; return its hash.

    Args:
        line: The line as the viewer received it.
        after, previous: The position and hash before it.

    Raises:
        ChainBroken: the position or the hash is another one.
    """
    if line.position != after + 1:
        raise ChainBroken(f"position {line.position} where {after + 1} was due")
    sender = (line.by,) if line.by else sender_of(line.who, line.cause, line.known_to, line.mask, format)
    readers, content = line.readers, line.digest.encode()
    if line.event is not UNSET:
        readers = readers or readers_of(line.audience, line.salt, format)
        content = content_of(bytes(line.event), readers, line.salt, format)
    expected = hash_line(previous, line.position, line.time, sender, line.more, readers, content, format)
    if line.hash != expected:
        raise ChainBroken(f"the hash of position {line.position} does not fit what is written")
    return expected
