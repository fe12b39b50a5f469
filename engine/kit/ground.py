"""What the squares of a fight are like, who stands around one, and whether a path over them can be gone."""

from collections.abc import Iterable
from itertools import pairwise

from affray.engine.core.coordinates import cell_said
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import Clause, Id

from .squares import around, cell_of, distance, is_next_to

FEW_STEPS = 20
"""Up to how many steps the squares around one are listed, rather than those where somebody stands."""


def has_trait(table: Table, place: Id, trait: str) -> bool:
    """Tell whether a place is out of the ordinary in some way, such as ``blocked``."""
    found = table.draft.places.get(place)
    return found is not None and trait in found.traits


def places_with(table: Table, trait: str) -> frozenset[Id]:
    """Return every place that is out of the ordinary in some way."""
    return frozenset([place for place, found in table.draft.places.items() if trait in found.traits])


def standing_around(table: Table, place: Id, far: int) -> list[Id]:
    """Return everybody up to so many steps from a square, those in it among them, by columns from the west."""
    occupants = table.draft.occupants
    if far <= FEW_STEPS:
        squares: Iterable[Id] = [square for square in around(place, far) if square in occupants]
    else:
        squares = sorted((square for square in occupants if distance(place, square) <= far), key=cell_of)
    return [one for square in squares for one in occupants[square]]


def no_way(goal: Id, most: str, rule: Clause) -> Refused:
    """Return the refusal of a goal to which no way is found that is short enough."""
    said = f"no way to {cell_said(goal)} of at most {most} is found; if there is one, name each of its places with path"
    return Refused("too_far", rule, said, source=goal)


def must_connect(table: Table, actor: Id, path: tuple[Id, ...], *, far: Clause, blocked: Clause) -> None:
    """Refuse a path that does not begin beside the actor, who may have been moved meanwhile, or leads into a wall.

    Args:
        path: Every square that is entered, in order.
        far: The clause that refuses one that begins elsewhere.
        blocked: The clause that refuses a wall.
    """
    here = table[actor].place
    if not is_next_to(here, path[0]):
        raise Refused(
            "too_far",
            far,
            f"{cell_said(path[0])} is not next to {table.called(actor)} at {cell_said(here)}",
            source=actor,
        )
    for one, other in pairwise(path):
        if not is_next_to(one, other):
            raise Unusable(f"{cell_said(other)} is not next to {cell_said(one)}", "path")
    places = table.draft.places
    for there in path:
        if there in places and "blocked" in places[there].traits:
            raise Refused("blocked", blocked, f"{cell_said(there)} cannot be entered", source=there)
