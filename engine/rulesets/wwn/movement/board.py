"""Squares of 5 feet and the ways over them; who is where, adjacent, seen, in cover, in melee."""

from collections.abc import Iterator
from functools import lru_cache

from affray.engine.kit import squares
from affray.engine.kit.distances import distance_set, pair, stated_distance, stated_view
from affray.engine.kit.ground import has_trait, places_with, standing_around
from affray.engine.kit.relative_moves import Measure
from affray.engine.kit.sides import enemies
from affray.engine.limits import MOST_WAYS
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import LONG, can_strike, melee_weapon
from affray.engine.rulesets.wwn.sheet import is_able, is_active, unit
from affray.events import Clause, DistanceSet, Id

SQUARE = 5
"""The width of a square in feet."""

FAR = 9999
"""The distance of a pair that nobody has stated, and the greatest there is, in feet."""

COVER = ("clear", "half", "near_complete", "blocked")
"""How well somebody is seen, from best to worst."""


@lru_cache(maxsize=65536)
def apart(here: Id, there: Id) -> int:
    """Return how far apart two squares are, in feet; a slanting step counts like any other."""
    return SQUARE * squares.distance(here, there)


def ways(table: Table, who: Id, feet: int) -> Iterator[tuple[Id, ...]]:
    """Yield the shortest way to each square within a number of feet, the nearest first."""
    for _, way in squares.shortest_ways(table[who].place, feet // SQUARE, places_with(table, "blocked")):
        yield way


def way_to(table: Table, who: Id, goal: Id, feet: int) -> tuple[Id, ...] | None:
    """Return the shortest way to a square, if one of so many feet is found."""
    return squares.shortest_way(table[who].place, goal, feet // SQUARE, places_with(table, "blocked"), MOST_WAYS)


def straight(table: Table, who: Id, direction: str, feet: int) -> tuple[Id, ...]:
    """Return the squares of a straight run, up to what blocks it."""
    here = table[who].place
    run: list[Id] = []
    while SQUARE * (len(run) + 1) <= feet:
        here = squares.neighbour(here, direction)
        if has_trait(table, here, "blocked"):
            break
        run.append(here)
    return tuple(run)


def pairs(table: Table, one: Id, other: Id) -> tuple[tuple[Id, Id], ...]:
    """Return every pair whose distance is that of two combatants: riders and mounts are at one place."""
    ones, others = unit(table, one), unit(table, other)
    return () if other in ones else tuple(dict.fromkeys(pair(a, b) for a in ones for b in others))


def apart_by(table: Table, one: Id, other: Id, feet: int, *rules: Clause) -> Iterator[DistanceSet]:
    """State how far apart two are, and whom they ride or carry."""
    for both in pairs(table, one, other):
        if stated_distance(table, *both) != feet:
            why = rules if both == pair(one, other) or rules else ("WWN-053",)
            yield distance_set(table, *both, feet, *why)


def distance(table: Table, one: Id, other: Id) -> int:
    """Return how far apart two combatants are, in feet; rider and mount are at the same place."""
    people = table.draft.combatants
    here, there = people[one].place, people[other].place
    if here and there:
        return apart(here, there)
    known = stated_distance(table, one, other)
    return known if known is not None else _together(table, one, other)


def _together(table: Table, one: Id, other: Id) -> int:
    """Return the distance of a pair that nobody has stated: that of rider or mount stands for both."""
    ones, others = unit(table, one), unit(table, other)
    if other in ones:
        return 0
    for a in ones:
        for b in others:
            known = stated_distance(table, a, b)
            if known is not None:
                return known
    return FAR


def _stated(table: Table, one: Id, other: Id) -> int | None:
    known = distance(table, one, other)
    return None if known == FAR else known


FEET = Measure("feet", SQUARE, FAR, _stated, unit)
"""How distances are measured without a board."""


def is_adjacent(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are within 5 feet, or what the configuration says instead (WWN-T16)."""
    return distance(table, one, other) <= table.config.adjacent_ft


def view(table: Table, viewer: Id, target: Id) -> str:
    """Return how well one sees another: ``clear``, ``half``, ``near_complete`` or ``blocked`` (WWN-T20).

    What the game master said of the pair goes before the board.
    """
    draft = table.draft
    if draft.views and (stated := stated_view(table, viewer, target)):
        return stated if stated in COVER else "clear"
    if not draft.places:
        return "clear"
    here, there = draft.combatants[viewer].place, draft.combatants[target].place
    if not (here and there):
        return "clear"
    seen, between = "clear", squares.nearest_between(here, there)
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


def near(table: Table, who: Id, feet: int) -> list[Id]:
    """Return everybody within so many feet of somebody, this one and whom it rides among them."""
    place = table[who].place
    if not place:
        return [other for other in table.draft.combatants if distance(table, who, other) <= feet]
    return standing_around(table, place, feet // SQUARE)


def is_meleeing(table: Table, enemy: Id, who: Id) -> bool:
    """Tell whether an enemy could strike in melee at somebody who stands beside it: able, and with what to strike."""
    return enemies(table, who, enemy) and is_able(table, enemy) and can_strike(table, enemy)


def is_meleed(table: Table, who: Id) -> bool:
    """Tell whether a known enemy is in melee with a combatant (reach of Long weapons: WWN-T18)."""
    close = table.config.adjacent_ft
    long = not table.config.meleed_requires_adjacent
    for enemy in table.list_known(near(table, who, max(close, LONG) if long else close)):
        if enemy == who or not is_meleeing(table, enemy, who):
            continue
        if not long or distance(table, who, enemy) <= close:
            return True
        weapon = melee_weapon(table, enemy)
        if weapon is not None and "L" in weapon.traits:
            return True
    return False


def occupant(table: Table, place: Id, but: tuple[Id, ...] = ()) -> Id:
    """Return an active combatant who stands in a square, or nothing; some do not count."""
    return next((who for who in table.at(place) if who not in but and is_active(table, who)), "")


def beside(table: Table, place: Id) -> Iterator[Id]:
    """Yield the squares next to one where no known combatant stands, in a fixed order."""
    for there in squares.neighbours(place):
        if not has_trait(table, there, "blocked") and not occupant(table, there, table.draft.concealed):
            yield there
