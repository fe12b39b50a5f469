"""The rules about the board that a fight takes place on."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct

from affray.engine.core.table import Table
from affray.events import Clause, Id


def count_ways_between(table: Table, here: Id, there: Id) -> int | None:
    """Count the ways between two zones, in either direction; ``None`` without a path."""
    places, far, queue = table.draft.places, {here: 0}, [here]
    for place in queue:  # it grows meanwhile, the nearest first
        beside = {*places[place].exits, *(name for name, one in places.items() if place in one.exits)}
        for one in beside & places.keys() - far.keys():
            far[one] = far[place] + 1
            queue.append(one)
    return far.get(there)


class Saddle(NamedTuple):
    """The relation of rider and mount in a system.

    Attributes:
        kind: The kind of the relation. The rider is its first member, the mount its second.
        roles: The roles of its two members.
        rule: The clause by which they go together.
    """

    kind: str
    roles: tuple[str, str]
    rule: Clause


class BoardRules(Struct, frozen=True, kw_only=True):
    """The rules about the board.

    Attributes:
        kind: The kind of places: squares ``x,y``, hexes ``q,r`` in axial coordinates, or named zones; empty for none.
        always: Whether every fight is on a map, even without a combatant on it. Otherwise a fight has a map while a
            combatant has a place, or a place is described.
        measure: Returns the distance between two places, in the unit of its vocabulary; ``None`` where no way leads
            there. By default it counts the ways from one to the other.
        moves_with: The relation of rider and mount, in a system with mounts. Every common ruling on places, distances,
            views and sides, and on who joins or leaves, takes both.
    """

    kind: Literal["", "squares", "hexes", "zones"] = ""
    always: bool = False
    measure: Callable[[Table, Id, Id], int | None] = count_ways_between
    moves_with: Saddle | None = None
