"""A look ahead over the bare lines, so that one pass is enough: where the record goes back to, and its seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from affray.events import Amended, Closed, LogError, Restored, Rewound, read

_TYPE = b'"event":{"type":"'
"""What stands before the type of an event in a line that we wrote."""

_TELLING = frozenset(kind.__name__[:3].encode() for kind in (Amended, Closed, Restored, Rewound))
"""How the types begin that tell of what lies ahead."""


class Ahead(Struct, frozen=True):
    """What lies ahead.

    Attributes:
        returns: How often the record goes back to which position.
        last: The last such position; 0 if there is none.
        seed: The seed it reveals at its end; nothing if it does not.
    """

    returns: Counter[int]
    last: int
    seed: bytes | None


def look_ahead(lines: Iterable[bytes]) -> Ahead:
    """Return what lies ahead in a log; lines that cannot be read are left to the audit."""
    returns: Counter[int] = Counter()
    seed = None
    for line in lines:
        at = line.find(_TYPE)
        if at >= 0 and line[at + len(_TYPE) : at + len(_TYPE) + 3] not in _TELLING:
            continue
        try:
            event = read(line).event
        except LogError:
            continue
        if isinstance(event, Rewound | Amended):
            returns[event.to] += 1
        elif isinstance(event, Restored):
            returns[event.lane] += 1
        elif isinstance(event, Closed):
            seed = _seed(event.seed)
    return Ahead(returns, max(returns, default=0), seed)


def _seed(written: str) -> bytes | None:
    try:
        return bytes.fromhex(written) or None
    except ValueError:
        return None
