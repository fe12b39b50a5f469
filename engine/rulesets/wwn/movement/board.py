"""Squares of 5 feet: paths, distances, adjacency, sight, cover, melee."""

from collections.abc import Iterator
from functools import lru_cache

from affray.engine.kit import squares
from affray.engine.kit.distances import stated_distance, stated_view
from affray.engine.kit.relative_moves import Measure
from affray.engine.kit.riding import list_unit
from affray.engine.kit.sides import are_enemies
from affray.engine.kit.terrain import has_trait, is_impassable, list_occupants_around, list_places_with
from affray.engine.limits import MOST_WAYS
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import LONG, can_strike, find_melee_weapon
from affray.engine.rulesets.wwn.sheet import is_able, is_active
from affray.events import Id

SQUARE = 5
"""The width of a square in feet."""

FAR = 9999
"""The greatest distance, in feet, and that of a pair without a stated one."""

COVER = ("clear", "half", "near_complete", "blocked")
"""The degrees of sight of a target, from best to worst."""


@lru_cache(maxsize=65536)
def measure_feet(here: Id, there: Id) -> int:
    """Return the distance between two squares, in feet; diagonal steps count alike."""
    return SQUARE * squares.square_distance(here, there)


def measure_places(_: Table, here: Id, there: Id) -> int:
    """Return the distance between two squares in feet, as every system does."""
    return measure_feet(here, there)


def list_paths(table: Table, who: Id, feet: int) -> Iterator[tuple[Id, ...]]:
    """Yield the shortest path to each square within a number of feet, nearest first."""
    for _, way in squares.list_shortest_paths(table[who].place, feet // SQUARE, list_places_with(table, "blocked")):
        yield way


def find_path(table: Table, who: Id, goal: Id, feet: int) -> tuple[Id, ...] | None:
    """Return the shortest path to a square, if one within these feet is found."""
    return squares.find_shortest_path(
        table[who].place, goal, feet // SQUARE, list_places_with(table, "blocked"), MOST_WAYS
    )


def find_straight_run(table: Table, who: Id, direction: str, feet: int) -> tuple[Id, ...]:
    """Return the squares of a straight run, up to the first blocked one."""
    here = table[who].place
    run: list[Id] = []
    while SQUARE * (len(run) + 1) <= feet:
        here = squares.neighbour_towards(here, direction)
        if is_impassable(table, here):
            break
        run.append(here)
    return tuple(run)


def distance(table: Table, one: Id, other: Id) -> int:
    """Return the distance of two combatants, in feet; rider and mount share a place."""
    people = table.draft.combatants
    here, there = people[one].place, people[other].place
    if here and there:
        return measure_feet(here, there)
    known = stated_distance(table, one, other)
    return known if known is not None else _find_shared_distance(table, one, other)


def _find_shared_distance(table: Table, one: Id, other: Id) -> int:
    """Return the distance of a pair without a stated one, from their riders or mounts."""
    ones, others = list_unit(table, one), list_unit(table, other)
    if other in ones:
        return 0
    for a in ones:
        for b in others:
            known = stated_distance(table, a, b)
            if known is not None:
                return known
    return FAR


def _read_stated(table: Table, one: Id, other: Id) -> int | None:
    known = distance(table, one, other)
    return None if known == FAR else known


FEET = Measure("feet", SQUARE, FAR, _read_stated)
"""The measure of distances without a board."""


def is_adjacent(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two combatants are within 5 feet, or the configured distance (WWN-T16)."""
    return distance(table, one, other) <= table.config.adjacent_ft


def view(table: Table, viewer: Id, target: Id) -> str:
    """Return the viewer's sight of a target (WWN-T20).

    It is ``clear``, ``half``, ``near_complete`` or ``blocked``. The game master's word on the pair comes before the
    board.
    """
    draft = table.draft
    if draft.views and (stated := stated_view(table, viewer, target)):
        return stated if stated in COVER else "clear"
    if not draft.places:
        return "clear"
    here, there = draft.combatants[viewer].place, draft.combatants[target].place
    if not (here and there):
        return "clear"
    seen, between = "clear", squares.list_squares_nearest(here, there)
    if draft.places.keys().isdisjoint(between):
        return seen
    for square in between:
        found = draft.places.get(square)
        if found is None:
            continue
        if "blocked" in found.traits:
            return "blocked"
        if "near_complete_cover" in found.traits:
            seen = "near_complete"
        elif "half_cover" in found.traits and seen == "clear":
            seen = "half"
    return seen


def list_near(table: Table, who: Id, feet: int) -> list[Id]:
    """Return all combatants within a distance in feet, the combatant included."""
    place = table[who].place
    if not place:
        return [other for other in table.draft.combatants if distance(table, who, other) <= feet]
    return list_occupants_around(table, place, feet // SQUARE)


def is_meleeing(table: Table, enemy: Id, who: Id) -> bool:
    """Tell whether an enemy beside a combatant could strike it: able and armed."""
    return are_enemies(table, who, enemy) and is_able(table, enemy) and can_strike(table, enemy)


def is_meleed(table: Table, who: Id) -> bool:
    """Tell whether a known enemy is in melee with a combatant (Long weapons: WWN-T18)."""
    close = table.config.adjacent_ft
    long = not table.config.meleed_requires_adjacent
    for enemy in table.list_known(list_near(table, who, max(close, LONG) if long else close)):
        if enemy == who or not is_meleeing(table, enemy, who):
            continue
        if not long or distance(table, who, enemy) <= close:
            return True
        weapon = find_melee_weapon(table, enemy)
        if weapon is not None and "L" in weapon.traits:
            return True
    return False


def find_occupant(table: Table, place: Id, but: tuple[Id, ...] = ()) -> Id:
    """Return an active combatant in a square, without excepted ones; else empty."""
    return next((who for who in table.at(place) if who not in but and is_active(table, who)), "")


def list_free_beside(table: Table, place: Id) -> Iterator[Id]:
    """Yield the free squares next to one, in a fixed order.

    Concealed combatants do not count.
    """
    for there in squares.square_neighbours(place):
        if not has_trait(table, there, "blocked") and not find_occupant(table, there, table.draft.concealed):
            yield there
