"""The board: distances, range, sight, paths. A cell is written ``x,y``."""

from collections.abc import Iterator
from itertools import pairwise

from affray.engine.kit import squares
from affray.engine.kit.distances import stated_distance, stated_view
from affray.engine.kit.relative_moves import Measure
from affray.engine.kit.terrain import has_trait, list_places_with
from affray.engine.limits import MOST_WAYS
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.sheet import is_active
from affray.events import Clause, Id, Source

FAR = 99
"""The distance of a pair for which none is stated, in metres."""

FARTHEST = 999
"""The greatest distance that can be stated, in metres."""

DIFFICULT = 2
"""The factor by which difficult ground multiplies the cost of a step."""


def metres(table: Table, one: Id, other: Id) -> int:
    """Return the distance of two cells in whole metres, by the configured metric."""
    return squares.square_distance(one, other, table.config.metric)


def distance(table: Table, one: Id, other: Id) -> int:
    """Return the distance of two combatants in whole metres (VES-T19)."""
    here, there = table[one].place, table[other].place
    if here and there:
        return metres(table, here, there)
    known = stated_distance(table, one, other)
    return FAR if known is None else known


METRES = Measure("metres", 1, FARTHEST, stated_distance)
"""The measure of distances without a board."""


def must_be_in_reach(table: Table, actor: Id, target: Id, reach: int, rule: Clause) -> None:
    """Refuse a target beyond the weapon's range (VES-021)."""
    apart = distance(table, actor, target)
    if apart > reach:
        raise table.refuse(target, f"is {apart} m away, beyond {reach} m", rule, "out_of_range")


def must_be_in_sight(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that the board or the game master hides (VES-022)."""
    if not can_see(table, actor, target):
        raise table.refuse(
            actor, f"cannot see {table.name_of(target)}", rule, "no_line_of_sight", Source(of=actor, to=target)
        )


def can_see(table: Table, actor: Id, target: Id) -> bool:
    """Return whether the line between two combatants is clear (VES-T20).

    A ruling on the pair takes precedence over the board.
    """
    stated = stated_view(table, actor, target)
    here, there = table[actor].place, table[target].place
    if stated or not table.draft.places or not (here and there):
        return stated != "blocked"
    return not any(has_trait(table, one, "blocked") for one in squares.list_squares_crossed(here, there))


def step_cost(table: Table, here: Id, there: Id) -> int:
    """Return the cost of a step: its metres, twice that onto difficult ground (VES-032, VES-T24)."""
    return metres(table, here, there) * (DIFFICULT if has_trait(table, there, "difficult") else 1)


def path_cost(table: Table, actor: Id, path: tuple[Id, ...]) -> int:
    """Return the cost of a path in metres, each difficult metre counting twice."""
    return sum(step_cost(table, here, there) for here, there in pairwise((table[actor].place, *path)))


def plain_cost(table: Table, actor: Id, path: tuple[Id, ...]) -> int:
    """Return the cost of a path without the surcharge for difficult ground."""
    return sum(metres(table, here, there) for here, there in pairwise((table[actor].place, *path)))


def list_ways(table: Table, who: Id, allowance: int) -> Iterator[tuple[Id, tuple[Id, ...]]]:
    """Yield each cell within an allowance, the cheapest first, with its cheapest path."""
    return squares.list_cheapest_paths(table[who].place, allowance, _weigh_cells(table), table.config.metric)


def find_way(table: Table, who: Id, goal: Id, allowance: int) -> tuple[Id, ...] | None:
    """Return the cheapest path to a cell, if one within the allowance is found."""
    metric = table.config.metric
    return squares.find_cheapest_path(table[who].place, goal, allowance, _weigh_cells(table), metric, MOST_WAYS)


def _weigh_cells(table: Table) -> dict[Id, int]:
    """Return the cost factor of each special cell; 0 bars the way."""
    weights = dict.fromkeys(list_places_with(table, "difficult"), DIFFICULT)
    return weights | dict.fromkeys(list_places_with(table, "blocked"), 0)


def find_occupant(table: Table, place: Id) -> Id:
    """Return an active combatant that stands in a cell, or nothing."""
    return next((who for who in table.at(place) if is_active(table, who)), "")
