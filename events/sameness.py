"""Compare facts by what is written where Python takes different ones for equal."""

import msgspec

from .consequences import ItemAdded, Joined, MarkSet
from .declarations import Answered
from .hiding import Veiled
from .record import FightOpened
from .root import Event

LOOSE: frozenset[type[Event]] = frozenset({Answered, FightOpened, ItemAdded, Joined, MarkSet, Veiled})
"""The events with a field that is equal to another one though it is written otherwise.

A value of several types is ``True`` or 1, and the keys of a table come in any order.
"""

_encode = msgspec.json.Encoder().encode


def is_same(one: Event | None, other: Event | None) -> bool:
    """Tell whether two facts are written alike, where both are written as we spell them."""
    return one == other and (one is other or type(one) not in LOOSE or _encode(one) == _encode(other))


def are_same(some: list[Event], others: list[Event]) -> bool:
    """Tell whether several facts are written like others, in the same order."""
    return some == others and all(
        type(one) not in LOOSE or is_same(one, other) for one, other in zip(some, others, strict=True)
    )
