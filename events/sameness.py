"""Comparison of facts by their written form, where Python equates different ones."""

import msgspec

from .consequences import ItemAdded, Joined, MarkSet, TraitChanged
from .declarations import Answered
from .hiding import Veiled
from .record import FightOpened, Noted
from .root import Event

LOOSE: frozenset[type[Event]] = frozenset(
    {Answered, FightOpened, ItemAdded, Joined, MarkSet, Noted, TraitChanged, Veiled}
)
"""The events that can be equal in Python though they are written differently.

They have a field of several types (``True`` equals 1), or a table, whose keys come in any order.
"""

_encode = msgspec.json.Encoder().encode


def is_same(one: Event | None, other: Event | None) -> bool:
    """Tell whether two facts are written alike, both in their canonical form."""
    return one == other and (one is other or type(one) not in LOOSE or _encode(one) == _encode(other))


def are_same(some: list[Event], others: list[Event]) -> bool:
    """Tell whether two lists hold facts that are written alike, in the same order."""
    return some == others and all(
        type(one) not in LOOSE or is_same(one, other) for one, other in zip(some, others, strict=True)
    )
