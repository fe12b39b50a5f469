"""The ground: what entering a hex costs, where the map ends, who stands in the way."""

from collections.abc import Container, Iterator
from heapq import heappop, heappush
from itertools import islice, pairwise

from affray.engine.core.coordinates import cell_said
from affray.engine.kit.hexes import distance, hex_of, neighbours
from affray.engine.kit.sides import enemies
from affray.engine.limits import MOST_WAYS
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.marks import FIGHT, Q_FROM, Q_TO, R_FROM, R_TO
from affray.engine.rulesets.hexblade.sheet import is_active
from affray.engine.rulesets.hexblade.tables import terrains
from affray.events import Id

HEXES: dict[str, int] = {key: one.hexes for key, one in terrains().items()}
"""What each kind of ground costs in ordinary hexes; 0 is ground that nobody can enter."""

EDGES = ((Q_FROM.key, 0, -1), (Q_TO.key, 0, 1), (R_FROM.key, 1, -1), (R_TO.key, 1, 1))
"""How the map's edges are noted: the key of the mark, the coordinate, and which way lies outside."""

MARKS_OF_EDGES = frozenset(key for key, _, _ in EDGES)
"""The keys of these marks."""


def is_on_board(table: Table, place: Id) -> bool:
    """Tell whether a place is a hex within the edges of the map."""
    here = hex_of(place)
    if here is None:
        return False
    edges = table.draft.marks.get(FIGHT)
    if not edges or MARKS_OF_EDGES.isdisjoint(edges):
        return True
    for key, axis, outward in EDGES:
        edge = edges.get(key)
        if isinstance(edge, int) and (here[axis] - edge) * outward > 0:
            return False
    return True


def weight(table: Table, place: Id) -> int:
    """Return what entering a hex costs, in ordinary hexes; 0 if nobody can enter (HEX-070)."""
    found = table.draft.places.get(place)
    if found is None:
        return 1
    costs = [HEXES[trait] for trait in found.traits if trait in HEXES]
    return 0 if 0 in costs else max(costs, default=1)


def can_be_entered(table: Table, place: Id) -> bool:
    """Tell whether a hex is on the map and not blocked."""
    return is_on_board(table, place) and weight(table, place) > 0


def cost_in_feet(table: Table, place: Id) -> int:
    """Return what entering a hex costs in feet (HEX-T23)."""
    return weight(table, place) * table.config.hex_feet


def is_adjacent(one: Id, other: Id) -> bool:
    """Tell whether two places are neighbouring hexes (HEX-T22)."""
    return distance(one, other) == 1


def enemy_in(table: Table, who: Id, place: Id) -> Id:
    """Return an enemy who bars a hex, or nothing; only those who are able do."""
    return next(
        (one for one in table.at(place) if one != who and is_active(table, one) and enemies(table, who, one)), ""
    )


def other_in(table: Table, who: Id, place: Id) -> Id:
    """Return somebody else who is in a hex, or nothing; one hex holds one combatant."""
    return next((one for one in table.at(place) if one != who), "")


def why_no_room(table: Table, place: Id, newcomer: str = "") -> str:
    """Return why nobody else can be put into a hex; nothing if somebody can (HEX-071).

    Args:
        newcomer: What another combatant is called who comes in there at the same time.
    """
    if not is_on_board(table, place):
        return f"{cell_said(place)} is off the map"
    if not can_be_entered(table, place):
        return f"{cell_said(place)} is blocked"
    other = newcomer or next((table.called(who) for who in table.at(place)), "")
    return f"{other} is at {cell_said(place)}, and a hex holds one combatant" if other else ""


def cost(table: Table, path: tuple[Id, ...]) -> int:
    """Return what entering these hexes costs in feet; one that nobody can enter and somebody may counts as plain."""
    return sum(cost_in_feet(table, hex) or table.config.hex_feet for hex in path)


def reachable(table: Table, who: Id, allowance: int, *, anywhere: bool = False) -> dict[Id, tuple[Id, ...]]:
    """Return each hex within a number of feet, with the cheapest path there; see ``ways``."""
    return dict(ways(table, who, allowance, anywhere=anywhere))


def way_to(table: Table, who: Id, goal: Id, allowance: int, *, anywhere: bool = False) -> tuple[Id, ...] | None:
    """Return the path to a hex that ``ways`` yields; nothing if none is found.

    One over plain hexes alone is found however far it leads, unless others lie beside it; of others those to the
    nearest hexes.
    """
    start, here = table[who].place, goal
    plain = table.config.hex_feet
    apart = distance(start, goal)
    if apart is None or apart * plain > allowance or _is_known(table, other_in(table, who, goal)):
        return None
    way: list[Id] = []
    while here != start:  # of all ways that cost least, the one that ``ways`` finds first, from its end
        if not _is_plain(table, who, here, anywhere=anywhere):
            found = islice(ways(table, who, allowance, anywhere=anywhere), MOST_WAYS)
            return next((path for there, path in found if there == goal), None)
        way.append(here)
        here = min(one for one in neighbours(here) if distance(start, one) == apart - len(way))
    return tuple(reversed(way)) or None


def _is_plain(table: Table, who: Id, place: Id, *, anywhere: bool) -> bool:
    """Tell whether a hex costs what most do, and nothing that everybody knows of bars it."""
    if (cost_in_feet(table, place) or table.config.hex_feet) != table.config.hex_feet:
        return False
    if anywhere:
        return is_on_board(table, place)
    return can_be_entered(table, place) and not _is_known(table, enemy_in(table, who, place))


def ways(
    table: Table, who: Id, allowance: int, *, anywhere: bool = False, barred: Container[Id] = ()
) -> Iterator[tuple[Id, tuple[Id, ...]]]:
    """Yield every hex somebody could go to within so many feet, with the cheapest path; fewer hexes go first.

    With ``anywhere``, as if nothing on the map barred the way; never over hexes that are ``barred``. A concealed
    combatant bars no way: a way around it would tell where it stands.
    """
    start = table[who].place
    paths: dict[Id, tuple[Id, ...]] = {start: ()}
    queue: list[tuple[int, int, Id]] = [(0, 0, start)]
    while queue:
        spent, steps, here = heappop(queue)
        for there in neighbours(here):
            # a hex is found first from where it costs least
            if there in paths or there in barred:
                continue
            free = is_on_board(table, there) if anywhere else can_be_entered(table, there)
            if not free or (not anywhere and _is_known(table, enemy_in(table, who, there))):
                continue
            total = spent + cost(table, (there,))
            if total <= allowance:
                paths[there] = (*paths[here], there)
                heappush(queue, (total, steps + 1, there))
                if not _is_known(table, other_in(table, who, there)):
                    yield there, paths[there]


def _is_known(table: Table, found: Id) -> bool:
    """Tell whether a cell holds a combatant that every viewer may know of."""
    return bool(found) and table.is_known(found)


def is_connected(start: Id, path: tuple[Id, ...]) -> bool:
    """Tell whether each hex of a path is next to the one before."""
    return all(there in neighbours(here) for here, there in pairwise((start, *path)))
