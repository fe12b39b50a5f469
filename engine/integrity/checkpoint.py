"""Checkpoints: signed heads of a log, which show whether it was rewritten later.

The text of a checkpoint is that of the C2SP specification ``tlog-checkpoint``: the origin, the position, the hash of
that position in base64, and one extension line, the trail. The hash is the head of our chain, not the root of a tree,
so checkpoints are compared by reading the log, not by a proof of consistency.

The trail holds the first 8 bytes of the hash of every position. Each hash depends on all before it. So from the first
rewritten line on all of them differ, and the first that differs is the first rewritten one. To hide even one
position, an attacker would have to try about 2^64 variants of a line.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence

from msgspec import Struct

from affray.engine.errors import Unusable
from affray.events import FightOpened, Forked, Recorded

from .signed_note import Note, read_note

TRAIL_BYTES = 8
_LINES = ("the origin", "the position", "the hash", "the trail")
_POSITION = re.compile(r"[1-9][0-9]{0,17}")


class Checkpoint(Struct, frozen=True, kw_only=True):
    """A signed head of a log.

    Attributes:
        origin: The identity of the stream.
        position: The position of the head when it was signed.
        hash: Its hash, as hex.
        trail: The first bytes of the hash of every position up to there.
        note: The text as signed, with the signatures.
    """

    origin: str
    position: int
    hash: str
    trail: bytes
    note: Note


def origin_of(recorded: Sequence[Recorded]) -> str:
    """Return the identity of a stream: its name, and the hash of the naming event.

    That event is the opening, or the fork from its parent.
    """
    named = next(one for one in reversed(recorded) if isinstance(one.event, FightOpened | Forked))
    assert isinstance(named.event, FightOpened | Forked)
    words = re.findall(r"[^\W_]+", named.event.fight)
    return f"affray/{'-'.join(words)}/{named.hash[:16]}"


def checkpoint_text(recorded: Sequence[Recorded]) -> str:
    """Build the text to be signed for a log with this head."""
    hashes = [bytes.fromhex(one.hash) for one in recorded]
    trail = b64encode(b"".join(one[:TRAIL_BYTES] for one in hashes)).decode()
    return f"{origin_of(recorded)}\n{len(hashes)}\n{b64encode(hashes[-1]).decode()}\ntrail {trail}\n"


def read_checkpoint(written: str) -> Checkpoint:
    """Decode a checkpoint; its signatures are not checked yet.

    Raises:
        Unusable: it is no checkpoint of this program; says in which line and what would be right.
    """
    note = read_note(written)
    lines = note.text.split("\n")[:-1]
    if len(lines) != len(_LINES):
        raise Unusable(f"must have {len(_LINES)} lines above the empty one: {', '.join(_LINES)}")
    name, position, head, trail = lines
    if not name:
        raise Unusable("must be the origin of the log", "line 1")
    if not _POSITION.fullmatch(position):
        raise Unusable("must be a position, 1 or more, in plain figures", "line 2")
    hash = _bytes(head)
    if len(hash) != 32:
        raise Unusable("must be a hash of 32 bytes in base64", "line 3")
    seen = _bytes(trail.removeprefix("trail "))
    if not trail.startswith("trail ") or len(seen) != TRAIL_BYTES * int(position):
        raise Unusable(f"must be the word trail and in base64 {TRAIL_BYTES} bytes for each position", "line 4")
    return Checkpoint(origin=name, position=int(position), hash=hash.hex(), trail=seen, note=note)


def position_differs(checkpoint: Checkpoint, position: int, hash: str) -> bool:
    """Tell whether a position of a log has changed since the checkpoint was signed.

    The first that differs is the first that was rewritten. A log that holds fewer positions than the checkpoint was cut
    short. Positions behind the checkpoint's are not covered.

    Args:
        checkpoint: The checkpoint, whose signature was checked.
        position: 1 or more.
        hash: The hash of that position in the log, as hex; the chain up to it was verified.
    """
    if position == checkpoint.position:
        return hash != checkpoint.hash
    seen = checkpoint.trail[TRAIL_BYTES * (position - 1) : TRAIL_BYTES * position]
    return hash[: 2 * TRAIL_BYTES] != seen.hex()


def _bytes(written: str) -> bytes:
    """Decode base64; return no bytes where it is malformed."""
    try:
        return b64decode(written, validate=True)
    except ValueError:
        return b""
