"""Distances between places and combatants, in the fight's words and unit."""

from __future__ import annotations

from msgspec import Struct

from affray.engine.core.draft import Draft
from affray.engine.core.references import must_be_a_place
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.fight import Fight
from affray.engine.kit.distances import order_pair
from affray.events import Id


class Apart(Struct, frozen=True):
    """The distance between two places.

    Attributes:
        distance: The distance in the unit of the fight's rules; ``None`` if no path connects the places.
        says: The distance in words, such as ``15 feet``.
    """

    distance: int | None
    says: str


def distance_between(fight: Fight, here: Id, there: Id) -> Apart:
    """Return the distance between two places, as the rules count it.

    Raises:
        Refused: the fight has no map.
        Unusable: the map has no such place.
    """
    ruleset = fight.ruleset
    for field, place in (("here", here), ("there", there)):
        must_be_a_place(fight.table, place, field)
    found = ruleset.board.measure(fight.table, here, there)
    if found is None:
        return Apart(None, "no way leads there")
    return Apart(found, distance_text(ruleset, found))


class Far(Struct, frozen=True):
    """The distance from one combatant to another.

    Attributes:
        who: The other combatant.
        distance: The distance in the unit of the fight's rules; ``None`` if it is unknown.
        says: The distance in words, such as ``15 feet``.
    """

    who: Id
    distance: int | None
    says: str


def list_distances(of: Fight | State, ruleset: Ruleset, who: Id) -> list[Far]:
    """List the distances from a combatant to all others, nearest first.

    On a map these are the distances of their places; without a map, those that the game master stated.

    Args:
        of: A fight, or a state projected for a viewer.
    """
    state = of.state if isinstance(of, Fight) else of
    table = Table(Draft(state), config_of(ruleset, state.config))
    found = []
    for other in state.combatants:
        if other != who:
            far = _between(state, ruleset, table, who, other)
            found.append(Far(other, far, "not known" if far is None else distance_text(ruleset, far)))
    return sorted(found, key=lambda one: (one.distance is None, one.distance or 0))


def _between(state: State, ruleset: Ruleset, table: Table, one: Id, other: Id) -> int | None:
    here, there = state.combatants[one].place, state.combatants[other].place
    if here and there:
        return 0 if here == there else ruleset.board.measure(table, here, there)
    first, second = order_pair(one, other)
    return state.distances.get(first, {}).get(second)


def distance_text(ruleset: Ruleset, far: int) -> str:
    """Return a distance in the unit of the rules: ``15 feet``, ``2 zones``."""
    places = ruleset.vocabulary.places
    return f"{far} {places.unit or places.one + ('' if far == 1 else 's')}"
