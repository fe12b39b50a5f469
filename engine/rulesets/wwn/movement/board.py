"""Squares of 5 feet named ``x,y`` and the ways over them; who is where, adjacent, seen, in cover, in melee."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from affray.engine.kit.sides import enemies
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import LONG, can_strike, melee_weapon
from affray.engine.rulesets.wwn.sheet import is_able, is_active, unit
from affray.events import Clause, DistanceSet, Id

Cell = tuple[int, int]

SQUARE = 5
"""The width of a square in feet."""

FAR = 9999
"""The distance of a pair that nobody has stated, and the greatest there is, in feet."""

WAYS = {
    "n": (0, -1),
    "e": (1, 0),
    "s": (0, 1),
    "w": (-1, 0),
    "ne": (1, -1),
    "se": (1, 1),
    "sw": (-1, 1),
    "nw": (-1, -1),
}
"""The eight neighbours of a square."""

COVER = ("clear", "half", "near_complete", "blocked")
"""How well somebody is seen, from best to worst."""


@lru_cache(maxsize=65536)
def cell(place: Id) -> Cell:
    """Return the coordinates of a square.

    Raises:
        ValueError: the name is not of the form ``x,y``.
    """
    x, y = place.split(",")
    return int(x), int(y)


@lru_cache(maxsize=65536)
def name(place: Cell) -> Id:
    """Return the name of a square."""
    return f"{place[0]},{place[1]}"


def squares(one: Cell, other: Cell) -> int:
    """Return how many steps two squares are apart; a slanting one counts like any other."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@lru_cache(maxsize=65536)
def apart(here: Id, there: Id) -> int:
    """Return how far apart two squares are, in feet."""
    return SQUARE * squares(cell(here), cell(there))


@lru_cache(maxsize=65536)
def between(here: Id, there: Id) -> tuple[Id, ...]:
    """Return the squares strictly between two on the straight line that joins their middles."""
    (x, y), (to_x, to_y) = cell(here), cell(there)
    dx, dy = to_x - x, to_y - y
    steps = max(abs(dx), abs(dy))
    return tuple(
        [
            f"{x + (2 * dx * step + steps) // (2 * steps)},{y + (2 * dy * step + steps) // (2 * steps)}"
            for step in range(1, steps)
        ]
    )


@lru_cache(maxsize=16384)
def around(place: Id, far: int) -> tuple[Id, ...]:
    """Return the names of all squares up to so many steps from one, itself among them."""
    x, y = cell(place)
    return tuple([f"{x + dx},{y + dy}" for dx in range(-far, far + 1) for dy in range(-far, far + 1)])


@lru_cache(maxsize=16384)
def left_behind(here: Id, there: Id, far: int) -> tuple[Id, ...]:
    """Return the names of the squares up to so many steps from one that are farther from another."""
    return tuple([one for one in around(here, far) if apart(one, there) > SQUARE * far])


def pair(one: Id, other: Id) -> tuple[Id, Id]:
    """Return two ids in the order in which distances name them."""
    return (one, other) if one < other else (other, one)


def reachable(table: Table, who: Id, feet: int) -> dict[Cell, tuple[Cell, ...]]:
    """Return every square somebody could go to with so many feet, with the shortest way to it.

    Among equally short ways it is the one that goes straight first.
    """
    start = cell(table[who].place)
    paths: dict[Cell, tuple[Cell, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        way = paths[here]
        if SQUARE * (len(way) + 1) > feet:
            break
        for dx, dy in WAYS.values():
            there = (here[0] + dx, here[1] + dy)
            if there not in paths and not has_trait(table, there, "blocked"):
                paths[there] = (*way, there)
                queue.append(there)
    del paths[start]
    return paths


def straight(table: Table, who: Id, direction: str, feet: int) -> tuple[Cell, ...]:
    """Return the squares of a straight run, up to what blocks it."""
    dx, dy = WAYS[direction]
    here = cell(table[who].place)
    run: list[Cell] = []
    while SQUARE * (len(run) + 1) <= feet:
        here = (here[0] + dx, here[1] + dy)
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
        before = table.draft.distances.get("|".join(both))
        if before != feet:
            why = rules if both == pair(one, other) or rules else ("WWN-053",)
            yield DistanceSet(pair=both, before=before, after=feet, rules=why)


def distance(table: Table, one: Id, other: Id) -> int:
    """Return how far apart two combatants are, in feet; rider and mount are at the same place."""
    people = table.draft.combatants
    here, there = people[one].place, people[other].place
    if here and there:
        return apart(here, there)
    known = table.draft.distances.get("|".join(pair(one, other)))
    return known if known is not None else _together(table, one, other)


def _together(table: Table, one: Id, other: Id) -> int:
    """Return the distance of a pair that nobody has stated: that of rider or mount stands for both."""
    ones, others = unit(table, one), unit(table, other)
    if other in ones:
        return 0
    for a in ones:
        for b in others:
            known = table.draft.distances.get("|".join(pair(a, b)))
            if known is not None:
                return known
    return FAR


def is_adjacent(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are within 5 feet, or what the configuration says instead (WWN-T16)."""
    return distance(table, one, other) <= table.config.adjacent_ft


def has_trait(table: Table, place: Cell, word: str) -> bool:
    """Tell whether a square is ``blocked`` or gives cover."""
    found = table.draft.places.get(name(place))
    return found is not None and word in found.traits


def view(table: Table, viewer: Id, target: Id) -> str:
    """Return how well one sees another: ``clear``, ``half``, ``near_complete`` or ``blocked`` (WWN-T20).

    What the game master said of the pair goes before the board.
    """
    draft = table.draft
    if draft.views:
        said = draft.views.get(f"{viewer}>{target}")
        if said is not None:
            return said if said in COVER else "clear"
    if not draft.places:
        return "clear"
    here, there = draft.combatants[viewer].place, draft.combatants[target].place
    if not (here and there):
        return "clear"
    seen = "clear"
    for square in between(here, there):
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
    occupants = table.draft.occupants
    return [one for square in around(place, feet // SQUARE) if square in occupants for one in occupants[square]]


def is_meleeing(table: Table, enemy: Id, who: Id) -> bool:
    """Tell whether an enemy could strike in melee at somebody who stands beside it: able, and with what to strike."""
    return enemies(table, who, enemy) and is_able(table, enemy) and can_strike(table, enemy)


def is_meleed(table: Table, who: Id) -> bool:
    """Tell whether somebody is being meleed; a Long weapon's reach counts only where that is configured (WWN-T18)."""
    close = table.config.adjacent_ft
    long = not table.config.meleed_requires_adjacent
    for enemy in near(table, who, max(close, LONG) if long else close):
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
    """Yield the free squares next to one, in a fixed order."""
    x, y = cell(place)
    for dx, dy in WAYS.values():
        there = (x + dx, y + dy)
        if not has_trait(table, there, "blocked") and not occupant(table, name(there)):
            yield name(there)
