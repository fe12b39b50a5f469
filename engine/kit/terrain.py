"""Squares of a fight: their traits, their occupants, and paths over them."""

from collections.abc import Iterable
from itertools import pairwise

from affray.engine.core.coordinates import cell_label, is_cell
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import Clause, Id

from .squares import is_next_to, list_squares_within, square_coordinates, square_distance

FEW_STEPS = 20
"""Up to this radius the squares around a place are listed. Beyond it the occupied squares are filtered."""


def has_trait(table: Table, place: Id, trait: str) -> bool:
    """Tell whether a place has a trait, such as ``blocked``."""
    found = table.draft.places.get(place)
    return found is not None and trait in found.traits


def is_impassable(table: Table, place: Id) -> bool:
    """Tell whether a square cannot be entered: it is blocked, or beyond the edge of every map."""
    return has_trait(table, place, "blocked") or not is_cell(place)


def list_places_with(table: Table, trait: str) -> frozenset[Id]:
    """Return every place that has a trait."""
    return frozenset([place for place, found in table.draft.places.items() if trait in found.traits])


def list_occupants_around(table: Table, place: Id, far: int) -> list[Id]:
    """List the occupants within a number of steps from a square, by columns from west.

    The occupants of the square itself are included.
    """
    occupants = table.draft.occupants
    if far <= FEW_STEPS:
        squares: Iterable[Id] = [square for square in list_squares_within(place, far) if square in occupants]
    else:
        squares = sorted(
            (square for square in occupants if square_distance(place, square) <= far), key=square_coordinates
        )
    return [one for square in squares for one in occupants[square]]


def must_be_passable(table: Table, place: Id, rule: Clause) -> None:
    """Refuse a square that cannot be entered."""
    if is_impassable(table, place):
        raise Refused("blocked", rule, f"{cell_label(place)} cannot be entered", source=place)


def no_path_found(goal: Id, most: str, rule: Clause) -> Refused:
    """Return the refusal of a goal that no path within the limit reaches."""
    said = (
        f"no way to {cell_label(goal)} of at most {most} is found; if there is one, name each of its places with path"
    )
    return Refused("too_far", rule, said, source=goal)


def must_connect(table: Table, actor: Id, path: tuple[Id, ...], *, far: Clause, blocked: Clause) -> None:
    """Refuse a path that does not start beside the actor, has a gap, or enters a wall.

    The actor may have been moved since the path was declared.

    Args:
        path: Every square that is entered, in order.
        far: The clause that refuses a path that starts elsewhere.
        blocked: The clause that refuses a wall.
    """
    here = table[actor].place
    if not is_next_to(here, path[0]):
        raise Refused(
            "too_far",
            far,
            f"{cell_label(path[0])} is not next to {table.name_of(actor)} at {cell_label(here)}",
            source=actor,
        )
    for one, other in pairwise(path):
        if not is_next_to(one, other):
            raise Unusable(f"{cell_label(other)} is not next to {cell_label(one)}", "path")
    for there in path:
        must_be_passable(table, there, blocked)
