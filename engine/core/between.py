"""What becomes of somebody between two fights."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from affray.events import Event, Id

from .table import Table


def nothing_happens(_: Table, __: Id) -> Iterable[Event]:
    """Let everything be as it was when the fight was over."""
    return ()


class Between(Struct, frozen=True, kw_only=True):
    """What a rule system says of the time between two fights.

    Pools, conditions and counters that last, usage dice and things are carried over in any case; what does not last is
    as the sheet says, when the next fight begins.

    Attributes:
        happens: Returns what ends or recovers for somebody by itself once the fight is over, each with its clause.
        rests: The same for each kind of rest, by its name.
        stowed: Where somebody carries a thing that is not at hand.
        inborn: What nobody can lose who has it, by its kind, its key or a trait: ``skill``, ``unarmed``.
        conditions: Those that do not count as a cost, and are carried over as well.
        marks: Those that are carried over.
        clocks: Whether clocks that begin with somebody's id are carried over.
    """

    happens: Callable[[Table, Id], Iterable[Event]] = nothing_happens
    rests: Mapping[str, Callable[[Table, Id], Iterable[Event]]] = MappingProxyType({})
    stowed: str = ""
    inborn: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    clocks: bool = False
