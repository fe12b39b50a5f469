"""The board: costs of hexes, edges of the map, occupied hexes, paths."""

from collections.abc import Container, Iterator
from heapq import heappop, heappush
from itertools import islice, pairwise

from affray.engine.core.coordinates import cell_label, is_cell
from affray.engine.kit.hexes import hex_distance, hex_neighbours, parse_hex
from affray.engine.kit.sides import are_enemies
from affray.engine.limits import MOST_WAYS
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.marks import FIGHT, Q_FROM, Q_TO, R_FROM, R_TO
from affray.engine.rulesets.hexblade.sheet import is_active
from affray.engine.rulesets.hexblade.tables import terrains
from affray.events import Id

HEXES: dict[str, int] = {key: one.hexes for key, one in terrains().items()}
"""The cost of each kind of ground in ordinary hexes; 0 is ground that cannot be entered."""

EDGES = ((Q_FROM.key, 0, -1), (Q_TO.key, 0, 1), (R_FROM.key, 1, -1), (R_TO.key, 1, 1))
"""The notes of the map's edges: the key of the mark, the coordinate, and the outward direction."""

MARKS_OF_EDGES = frozenset(key for key, _, _ in EDGES)
"""The keys of these marks."""


def is_on_board(table: Table, place: Id) -> bool:
    """Return whether a place is a hex within the edges of the map."""
    here = parse_hex(place)
    if here is None or not is_cell(place):
        return False
    edges = table.draft.marks.get(FIGHT)
    if not edges or MARKS_OF_EDGES.isdisjoint(edges):
        return True
    for key, axis, outward in EDGES:
        edge = edges.get(key, {}).get("")
        if isinstance(edge, int) and (here[axis] - edge) * outward > 0:
            return False
    return True


def weigh_hex(table: Table, place: Id) -> int:
    """Return the cost of a hex in ordinary hexes; 0 if it cannot be entered (HEX-070)."""
    found = table.draft.places.get(place)
    if found is None:
        return 1
    costs = [HEXES[trait] for trait in found.traits if trait in HEXES]
    return 0 if 0 in costs else max(costs, default=1)


def can_be_entered(table: Table, place: Id) -> bool:
    """Return whether a hex is on the map and not blocked."""
    return is_on_board(table, place) and weigh_hex(table, place) > 0


def cost_in_feet(table: Table, place: Id) -> int:
    """Return the cost of entering a hex in feet (HEX-T23)."""
    return weigh_hex(table, place) * table.config.hex_feet


def distance_in_feet(table: Table, here: Id, there: Id) -> int | None:
    """Return the distance of two hexes in feet."""
    hexes = hex_distance(here, there)
    return None if hexes is None else hexes * table.config.hex_feet


def is_adjacent(one: Id, other: Id) -> bool:
    """Return whether two places are neighbouring hexes (HEX-T22)."""
    return hex_distance(one, other) == 1


def find_enemy_in(table: Table, who: Id, place: Id) -> Id:
    """Return an active enemy that bars a hex, or nothing."""
    return next(
        (one for one in table.at(place) if one != who and is_active(table, one) and are_enemies(table, who, one)), ""
    )


def find_other_in(table: Table, who: Id, place: Id) -> Id:
    """Return another combatant in a hex, or nothing; one hex holds one combatant."""
    return next((one for one in table.at(place) if one != who), "")


def explain_no_room(table: Table, place: Id, newcomer: str = "") -> str:
    """Return why a hex has no room for a combatant, or nothing if it has (HEX-071).

    Args:
        newcomer: The name of another combatant that enters the hex at the same time.
    """
    if not is_on_board(table, place):
        return f"{cell_label(place)} is off the map"
    if not can_be_entered(table, place):
        return f"{cell_label(place)} is blocked"
    other = newcomer or next((table.name_of(who) for who in table.at(place)), "")
    return f"{other} is at {cell_label(place)}, and a hex holds one combatant" if other else ""


def path_cost(table: Table, path: tuple[Id, ...]) -> int:
    """Return the cost of entering these hexes in feet.

    A hex that only a waiver lets enter costs as much as an ordinary one.
    """
    return sum(cost_in_feet(table, hex) or table.config.hex_feet for hex in path)


def list_reachable(table: Table, who: Id, allowance: int, *, anywhere: bool = False) -> dict[Id, tuple[Id, ...]]:
    """Return each hex within some feet, with its cheapest path; see ``list_ways``."""
    return dict(list_ways(table, who, allowance, anywhere=anywhere))


def find_way(table: Table, who: Id, goal: Id, allowance: int, *, anywhere: bool = False) -> tuple[Id, ...] | None:
    """Return the path to a hex that ``list_ways`` yields; nothing if none is found.

    A path over ordinary hexes is found at any length, unless special hexes lie beside it. Other paths are found
    to the nearest hexes only.
    """
    start, here = table[who].place, goal
    plain = table.config.hex_feet
    apart = hex_distance(start, goal)
    if apart is None or apart * plain > allowance or _is_known(table, find_other_in(table, who, goal)):
        return None
    way: list[Id] = []
    while here != start:  # among the cheapest paths, take the one that ``list_ways`` finds first, from its end
        if not _is_plain(table, who, here, anywhere=anywhere):
            found = islice(list_ways(table, who, allowance, anywhere=anywhere), MOST_WAYS)
            return next((path for there, path in found if there == goal), None)
        way.append(here)
        here = min(one for one in hex_neighbours(here) if hex_distance(start, one) == apart - len(way))
    return tuple(reversed(way)) or None


def _is_plain(table: Table, who: Id, place: Id, *, anywhere: bool) -> bool:
    """Return whether a hex has the ordinary cost, and no known enemy bars it."""
    if (cost_in_feet(table, place) or table.config.hex_feet) != table.config.hex_feet:
        return False
    if anywhere:
        return is_on_board(table, place)
    return can_be_entered(table, place) and not _is_known(table, find_enemy_in(table, who, place))


def list_ways(
    table: Table, who: Id, allowance: int, *, anywhere: bool = False, barred: Container[Id] = ()
) -> Iterator[tuple[Id, tuple[Id, ...]]]:
    """Yield each hex within a number of feet, with its cheapest path.

    Among equal costs, paths of fewer hexes go first.
    With ``anywhere``, nothing on the map bars the way. ``barred`` hexes are never entered. A concealed
    combatant bars no way: a detour would reveal its position.
    """
    start = table[who].place
    paths: dict[Id, tuple[Id, ...]] = {start: ()}
    queue: list[tuple[int, int, Id]] = [(0, 0, start)]
    while queue:
        spent, steps, here = heappop(queue)
        for there in hex_neighbours(here):
            # a hex is first found from its cheapest neighbour
            if there in paths or there in barred:
                continue
            free = is_on_board(table, there) if anywhere else can_be_entered(table, there)
            if not free or (not anywhere and _is_known(table, find_enemy_in(table, who, there))):
                continue
            total = spent + path_cost(table, (there,))
            if total <= allowance:
                paths[there] = (*paths[here], there)
                heappush(queue, (total, steps + 1, there))
                if not _is_known(table, find_other_in(table, who, there)):
                    yield there, paths[there]


def _is_known(table: Table, found: Id) -> bool:
    """Return whether a hex holds a combatant that every viewer may know of."""
    return bool(found) and table.is_known(found)


def is_connected(start: Id, path: tuple[Id, ...]) -> bool:
    """Return whether each hex of a path is next to the one before."""
    return all(there in hex_neighbours(here) for here, there in pairwise((start, *path)))
