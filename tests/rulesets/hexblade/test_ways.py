"""The cheapest way to every hex in reach, against trying all ways, on a map with everything on it."""

from __future__ import annotations

from itertools import product

import pytest

from affray.engine.core.table import Table
from affray.engine.kit.hexes import hex_neighbours
from affray.engine.rulesets.hexblade.movement.board import find_way, list_reachable
from tests.rulesets.statistics import open_unstored_fight

EDGE = 3
PLACES = {f"{q},{r}" for q, r in product(range(-EDGE, EDGE + 1), repeat=2)}
DEAR = {"1,0", "1,-1", "0,-1", "-2,1", "2,1", "-1,3", "0,2"}
WALLS = {"2,-1", "-1,0", "-3,1"}
FOES, FRIENDS, FALLEN = {"0,1", "2,0"}, {"-1,1"}, {"1,1"}


def a_map() -> Table:
    """Return a table with rubble, walls, enemies, a friend and one who cannot bar the way."""
    people = [{"name": "Ada", "side": "a", "hp": 5, "at": "0,0"}]
    people += [{"name": f"Foe {nth}", "side": "b", "hp": 5, "at": at} for nth, at in enumerate(sorted(FOES | FALLEN))]
    people += [{"name": "Ben", "side": "a", "hp": 5, "at": at} for at in FRIENDS]
    board = {"q": [-EDGE, EDGE], "r": [-EDGE, EDGE], "difficult": sorted(DEAR), "blocked": sorted(WALLS)}
    table = open_unstored_fight({"system": "hexblade", "board": board, "combatant": people}).table
    fallen = next(who for who, one in table.draft.combatants.items() if one.place in FALLEN)
    table.draft.change(fallen, conditions={"down": {"": 1}})
    return table


def cheapest(anywhere: bool) -> dict[str, tuple[int, int]]:
    """Return the feet and the hexes of the best way to each hex, found by going over the map again and again."""
    best = {"0,0": (0, 0)}
    shut = set() if anywhere else WALLS | FOES
    for _ in range(len(PLACES)):
        for here, there in product(tuple(best), PLACES - shut):
            if there in hex_neighbours(here):
                price = 10 if there in DEAR else 5
                way = (best[here][0] + price, best[here][1] + 1)
                best[there] = min(best.get(there, way), way)
    return {there: way for there, way in best.items() if there not in FOES | FRIENDS | FALLEN | {"0,0"}}


@pytest.mark.parametrize("anywhere", [False, True])
@pytest.mark.parametrize("allowance", [0, 4, 5, 10, 15, 20, 25, 30, 100])
def test_every_hex_in_reach_has_its_cheapest_way(allowance: int, anywhere: bool) -> None:
    """Among equal ones that with the fewest hexes; no way ends on a combatant."""
    table = a_map()
    found = list_reachable(table, "ada", allowance, anywhere=anywhere)
    due = {there: way for there, way in cheapest(anywhere).items() if way[0] <= allowance}
    assert {there: (price(path), len(path)) for there, path in found.items()} == due
    for there in PLACES - {"0,0"}:
        assert find_way(table, "ada", there, allowance, anywhere=anywhere) == found.get(there)
    for there, path in found.items():
        assert path[-1] == there
        assert all(one in hex_neighbours(before) for before, one in zip(("0,0", *path), path, strict=False))
        assert anywhere or not (WALLS | FOES) & set(path)


def price(path: tuple[str, ...]) -> int:
    """Return the cost of a way; enterable walls cost as much as open ground."""
    return sum(10 if there in DEAR else 5 for there in path)
