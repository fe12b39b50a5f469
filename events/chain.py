"""The hash chain: the text that each hash covers.

From format 4 on, free text (a time, a name, an id) is written as a netstring: its length in bytes, a colon, the text, a
comma. So no text can pass for two fields, and none can take a part of the next. The rest are numbers and hashes, which
hold no newline. Before format 4 all fields were joined by newlines.
"""

from functools import lru_cache
from hashlib import sha256

GENESIS = ""
"""The previous hash of the first event."""

FORMAT = 6
"""The log format that this version writes."""

FRAMED = 4
"""The first format whose chain writes free text as netstrings."""

PLAIN = 6
"""The first format whose chain holds the payload itself where all viewers may read it, so that it is hashed once."""


def join_netstrings(*fields: str) -> str:
    """Encode fields as netstrings, joined: ``("ab", "")`` becomes ``2:ab,0:,``."""
    return "".join([f"{len(one) if one.isascii() else len(one.encode())}:{one}," for one in fields])


def hash_line(
    previous: str,
    position: int,
    time: str,
    sender: tuple[str, ...],
    more: int,
    readers: str,
    content: bytes,
    format: int = FORMAT,
) -> str:
    """Compute the hash of a line from the chain's fields for its sender, audience and payload.

    Args:
        previous: The hash of the line before it.
        position, time, more: As in ``Recorded``.
        sender, readers, content: The results of ``sender_of``, ``readers_of`` and ``content_of``.
        format: The format that the line is written in.
    """
    if format >= FRAMED:
        text = f"{_of_command(time, *sender)}{previous}\n{position}\n{more}\n{readers}\n"
    else:
        common = "\n".join((time, *sender))
        text = f"{previous}\n{position}\n{common}\n{more}\n{readers}\n"
    return sha256(text.encode() + content).hexdigest()


_of_command = lru_cache(maxsize=16)(join_netstrings)
"""Frames the fields that all lines of a command share, once for all of them."""


def digest_of(payload: bytes, salt: str = "") -> str:
    """Hash a payload: the SHA-256 of salt and payload, as hex. A salt holds no brace."""
    return sha256(salt.encode() + payload if salt else payload).hexdigest()


def content_of(payload: bytes, readers: str, salt: str = "", format: int = FORMAT) -> bytes:
    """Return the chain's field for a payload: itself if it is open, else its digest.

    A payload begins with a brace, so that it cannot pass for a digest.

    Args:
        payload: The bytes that are written.
        readers: The result of ``readers_of``.
        salt: The line's salt; empty if it has none.
        format: The format that the line is written in.
    """
    return payload if format >= PLAIN and readers == "*" and not salt else digest_of(payload, salt).encode()


def readers_of(audience: tuple[str, ...] | None, salt: str = "", format: int = FORMAT) -> str:
    """Return the chain's field for an audience.

    It is ``*`` if all viewers may read the event, or the SHA-256 of salt and ids, as hex. So a viewer who may not read
    an event does not learn which combatants it is about.
    """
    if audience is None:
        return "*"
    return _hash(join_netstrings(salt, *audience) if format >= FRAMED else f"{salt}{','.join(audience)}")


def sender_of(
    who: str, cause: str, known_to: tuple[str, ...] | None = None, mask: str = "", format: int = FORMAT
) -> tuple[str, ...]:
    """Return the chain's fields for ``who`` and ``cause``.

    They are the two values, if all viewers may know them. Otherwise there is one field: the SHA-256, as hex, of the
    mask, the ids that may know the values, and the values. It is the same for all lines of a command.
    """
    if known_to is None and not mask:
        return who, cause
    if format >= FRAMED:
        knowing = "*" if known_to is None else join_netstrings(*known_to)
        return (_hash(join_netstrings(mask, knowing, who, cause)),)
    knowing = "*" if known_to is None else ",".join(known_to)
    return (_hash(f"{mask}\n{knowing}\n{who}\n{cause}"),)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
