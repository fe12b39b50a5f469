"""Recovery between two fights: the rules of a system about that time."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from affray.events import Event, Id

from .table import Table


def recover_nothing(_: Table, __: Id) -> Iterable[Event]:
    """Return no event: a combatant stays as the fight left it."""
    return ()


class RecoveryRules(Struct, frozen=True, kw_only=True):
    """A rule system's rules for the time between two fights.

    Lasting pools, conditions and counters, usage dice and things are carried over in any case. Everything else starts
    the next fight as on the sheet.

    Attributes:
        happens: Returns the events that end effects or recover a combatant once the fight is over, with their clauses.
        rests: The same function for each kind of rest, by name.
        stowed: The position of a thing that a combatant carries but does not have at hand.
        inborn: Things that a combatant cannot lose, by kind, key or trait: ``skill``, ``unarmed``.
        conditions: Conditions that are carried over although they do not count as a cost.
        marks: Marks that are carried over.
        clocks: Whether clocks whose name begins with a combatant's id are carried over.
    """

    happens: Callable[[Table, Id], Iterable[Event]] = recover_nothing
    rests: Mapping[str, Callable[[Table, Id], Iterable[Event]]] = MappingProxyType({})
    stowed: str = ""
    inborn: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    clocks: bool = False
