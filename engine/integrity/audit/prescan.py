"""A scan of a log before its audit: the positions it goes back to, and its seed."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from affray.engine.runtime.dice import decode_seed
from affray.events import Amended, Closed, LogError, Previewed, Restored, Rewound, UndoRequested, decode_line

_TYPE = b'"event":{"type":"'
"""The bytes before the type of an event in a line of this program."""

_TELLING = frozenset(
    kind.__name__[:3].encode() for kind in (Amended, Closed, Previewed, Restored, Rewound, UndoRequested)
)
"""The first letters of the types that the scan looks for."""


class Prescan(Struct, frozen=True):
    """The result of a scan.

    Attributes:
        returns: The number of times that the record goes back to each position, or a player requests that.
        journeys: The target and the event's position, for each return.
        last: The last position gone back to or requested; 0 if there is none.
        renewals: The positions where fresh dice were asked for.
        seed: The seed that the log reveals at its end; ``None`` if it does not.
        looked: The positions of inputs whose amendment was previewed.
    """

    returns: Counter[int]
    journeys: tuple[tuple[int, int], ...]
    last: int
    renewals: frozenset[int]
    seed: bytes | None
    looked: frozenset[int] = frozenset()


def prescan(lines: Iterable[bytes]) -> Prescan:
    """Scan a log; unreadable and misspelt lines are left to the audit."""
    journeys: list[tuple[int, int]] = []
    asked: list[int] = []
    renewals: list[int] = []
    looked: set[int] = set()
    seed = None
    for line in lines:
        at = line.find(_TYPE)
        if at < 0 or line[at + len(_TYPE) : at + len(_TYPE) + 3] not in _TELLING:
            continue
        try:
            one = decode_line(line)
        except LogError:
            continue
        event = one.event
        if isinstance(event, Closed):
            seed = decode_seed(event.seed)
        elif isinstance(event, UndoRequested):
            asked.append(event.to)
        elif isinstance(event, Previewed):
            looked.add(event.position)
        elif isinstance(event, Rewound | Amended | Restored):
            to = event.lane if isinstance(event, Restored) else event.to
            journeys.append((to, one.position))
            if not isinstance(event, Amended) and event.fresh:
                renewals.append(one.position)
    returns = Counter([*asked, *(to for to, _ in journeys)])
    last = max(returns, default=0)
    return Prescan(returns, tuple(journeys), last, frozenset(renewals), seed, frozenset(looked))
