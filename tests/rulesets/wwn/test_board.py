"""Squares of 5 feet: how far apart, what lies between, who is near, what is seen."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from affray.engine import Fight
from affray.engine.rulesets.wwn.movement import board
from affray.engine.rulesets.wwn.movement.board import find_straight_run, list_paths
from tests.rulesets.statistics import open_unstored_fight
from tests.rulesets.wwn.moments import rule

SPAN = range(-4, 5)
NAMES = ("Asha", "Bran", "Cole", "Dara", "Ulf", "Vika")


def fight_at(*places: str, **squares: list[str]) -> Fight:
    """Open a fight with a combatant in each of these squares, and special squares."""
    people: list[dict[str, Any]] = [
        {"name": name, "side": name, "ac": 10, "hp": 5, "attack": 0, "at": place}
        for name, place in zip(NAMES, places, strict=False)
    ]
    return open_unstored_fight({"system": "wwn", "board": squares, "combatant": people})


def test_a_step_is_5_feet_in_all_eight_ways() -> None:
    for dx, dy in product(SPAN, SPAN):
        assert board.measure_feet("2,-1", f"{2 + dx},{dy - 1}") == 5 * max(abs(dx), abs(dy))


def test_near_are_all_within_so_many_feet() -> None:
    """Oneself among them; on a map as without one."""
    people = {"asha": "0,0", "bran": "1,1", "cole": "2,0", "dara": "-2,-2", "ulf": "3,0"}
    fight = fight_at(*people.values())
    people_apart: list[dict[str, Any]] = [
        {"name": name.title(), "side": name, "ac": 10, "hp": 5, "attack": 0} for name in people
    ]
    pairs = [
        {"between": ["asha", other], "feet": board.measure_feet("0,0", at)}
        for other, at in people.items()
        if other != "asha"
    ]
    apart = open_unstored_fight({"system": "wwn", "combatant": people_apart, "distance": pairs})
    for feet in (0, 4, 5, 9, 10, 14, 15):
        near = {who for who, at in people.items() if board.measure_feet("0,0", at) <= feet}
        assert set(board.list_near(fight.table, "asha", feet)) == near
        assert set(board.list_near(apart.table, "asha", feet)) == near


def test_beside_a_square_are_its_free_neighbours() -> None:
    """The four straight ones first, clockwise from north, then the diagonal ones; fallen combatants do not block."""
    fight = fight_at("0,0", "0,1", "-1,0", blocked=["1,1"])
    assert [*board.list_free_beside(fight.table, "0,0")] == ["0,-1", "1,0", "1,-1", "-1,1", "-1,-1"]
    rule(fight, "unable", who="cole", how="downed")
    assert [*board.list_free_beside(fight.table, "0,0")] == ["0,-1", "1,0", "-1,0", "1,-1", "-1,1", "-1,-1"]
    assert board.find_occupant(fight.table, "0,1") == "bran"
    assert board.find_occupant(fight.table, "0,1", but=("bran",)) == ""
    assert board.find_occupant(fight.table, "-1,0") == ""


HALF, NEAR, WALL = "half_cover", "near_complete_cover", "blocked"


@pytest.mark.parametrize(
    ("squares", "seen"),
    [
        ({}, "clear"),
        ({1: HALF}, "half"),
        ({1: NEAR}, "near_complete"),
        ({1: WALL}, "blocked"),
        ({1: HALF, 2: HALF}, "half"),
        ({1: HALF, 2: NEAR}, "near_complete"),
        ({1: NEAR, 2: HALF}, "near_complete"),
        ({1: NEAR, 2: WALL}, "blocked"),
        ({2: HALF, 3: WALL}, "blocked"),
        ({3: HALF}, "half"),
        ({0: WALL, 4: WALL}, "clear"),
        ({0: HALF, 4: NEAR}, "clear"),
    ],
)
def test_the_worst_between_two_decides_how_well_they_see_each_other(squares: dict[int, str], seen: str) -> None:
    """Their own squares hide neither, and neither do squares beside the line."""
    told: dict[str, list[str]] = {"half_cover": ["1,1"], "blocked": ["2,-1"]}
    for x, kind in squares.items():
        told.setdefault(kind, []).append(f"{x},0")
    fight = fight_at("0,0", "4,0", **told)
    assert board.view(fight.table, "asha", "bran") == seen
    assert board.view(fight.table, "bran", "asha") == seen


def test_what_the_game_master_said_of_two_goes_before_the_map() -> None:
    """The statement is about the viewer's view, not the other's."""
    fight = fight_at("0,0", "4,0", half_cover=["2,0"])
    rule(fight, "view", viewer="asha", target="bran", view="blocked", both=False)
    assert board.view(fight.table, "asha", "bran") == "blocked"
    assert board.view(fight.table, "bran", "asha") == "half"
    rule(fight, "view", viewer="asha", target="bran", view="clear", both=False)
    assert board.view(fight.table, "asha", "bran") == "clear"


def test_a_square_may_be_two_things() -> None:
    fight = fight_at("0,0", "2,0", half_cover=["1,0"], near_complete_cover=["1,0"])
    assert board.view(fight.table, "asha", "bran") == "near_complete"
    fight = fight_at("0,0", "2,0", half_cover=["1,0"], blocked=["1,0"])
    assert board.view(fight.table, "asha", "bran") == "blocked"


def test_ways_lead_everywhere_within_the_feet_and_around_walls() -> None:
    """Combatants block no way."""
    fight = fight_at("0,0", "2,0", blocked=["1,-1", "1,0", "1,1"])
    near = {f"{x},{y}" for x in (-2, -1, 0) for y in range(-2, 3)} - {"0,0"}

    def reached(feet: int) -> set[str]:
        return {way[-1] for way in list_paths(fight.table, "asha", feet)}

    assert reached(10) == near | {"1,-2", "1,2"}
    assert reached(9) == {f"{x},{y}" for x in (-1, 0) for y in (-1, 0, 1)} - {"0,0"}
    assert reached(4) == set()
    assert "2,0" in reached(20)
    assert "2,0" not in reached(15)


@pytest.mark.parametrize(
    ("way", "x", "y"),
    [("n", 0, -1), ("e", 1, 0), ("s", 0, 1), ("w", -1, 0), ("ne", 1, -1), ("se", 1, 1), ("sw", -1, 1), ("nw", -1, -1)],
)
def test_a_straight_run_ends_at_its_feet_or_at_a_wall(way: str, x: int, y: int) -> None:
    free, walled = fight_at("1,1", "9,9"), fight_at("1,1", "9,9", blocked=[f"{1 + 3 * x},{1 + 3 * y}"])
    run = tuple(f"{1 + nth * x},{1 + nth * y}" for nth in (1, 2, 3, 4))
    assert find_straight_run(free.table, "asha", way, 20) == run
    assert find_straight_run(free.table, "asha", way, 19) == run[:3]
    assert find_straight_run(walled.table, "asha", way, 20) == run[:2]
    assert find_straight_run(free.table, "asha", way, 4) == ()
