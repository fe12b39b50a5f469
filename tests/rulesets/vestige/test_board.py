"""Positions on a board of Vestige: distances, sight, locks, and ways."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.rulesets.vestige.movement import board, leaving
from affray.engine.rulesets.vestige.movement.moving import Move
from affray.events import Ruled, Source
from tests.rulesets.statistics import open_unstored_fight, params, submit_intent

FIGHTER = {"agility": 10, "might": 3, "health": 9}


def table(
    *people: dict[str, Any], blocked: tuple[str, ...] = (), difficult: tuple[str, ...] = (), **config: Any
) -> Table:
    """Return a fight of these, who stand on a board if they say where."""
    told: dict[str, Any] = {"system": "vestige", "config": config}
    told["combatant"] = [{**FIGHTER, "side": one["name"], **one} for one in people]
    if any("at" in one for one in people):
        told["board"] = {"blocked": blocked, "difficult": difficult}
    return open_unstored_fight(told).table


def ada(at: str = "0,0", **other: Any) -> dict[str, Any]:
    """Return a combatant at a place."""
    return {"name": "Ada", "at": at, **other}


def bo(at: str, **other: Any) -> dict[str, Any]:
    """Return another combatant."""
    return {"name": "Bo", "at": at, **other}


@pytest.mark.parametrize(("metric", "far"), [("chebyshev", 4), ("manhattan", 7), ("euclidean", 5)])
def test_distances_go_by_the_metric(metric: str, far: int) -> None:
    assert board.metres(table(ada(), metric=metric), "1,2", "4,6") == far


def test_where_people_stand_is_how_far_apart_they_are() -> None:
    at = table(ada("1,1"), bo("4,2"))
    assert (board.distance(at, "ada", "bo"), board.distance(at, "bo", "ada")) == (3, 3)


def test_without_a_board_distances_are_stated() -> None:
    """In either order of the two; a pair without a stated distance is 99 metres apart."""
    near = [{"between": ["zoe", "ada"], "metres": 7}]
    people = [{**FIGHTER, "name": name, "side": name} for name in ("Zoe", "Ada", "Cy")]
    at = open_unstored_fight({"system": "vestige", "combatant": people, "distance": near}).table
    assert (board.distance(at, "zoe", "ada"), board.distance(at, "ada", "zoe")) == (7, 7)
    assert board.distance(at, "ada", "cy") == 99


def test_a_target_is_in_reach_up_to_the_last_metre() -> None:
    at = table(ada(), bo("3,0"))
    board.must_be_in_reach(at, "ada", "bo", 3, "VES-021")
    with pytest.raises(Refused, match=r"Bo is 3 m away, beyond 2 m") as found:
        board.must_be_in_reach(at, "ada", "bo", 2, "VES-021")
    assert (found.value.code, found.value.rule, found.value.source) == ("out_of_range", "VES-021", "bo")


def test_a_wall_hides_what_lies_behind_it() -> None:
    """Only a wall does: no combatant, no cell beside the line, no difficult ground."""
    at = table(ada(), bo("4,0"), blocked=("2,0",))
    assert not board.can_see(at, "ada", "bo")
    assert not board.can_see(at, "bo", "ada")
    with pytest.raises(Refused, match="Ada cannot see Bo") as found:
        board.must_be_in_sight(at, "ada", "bo", "VES-022")
    assert (found.value.code, found.value.rule, found.value.source) == (
        "no_line_of_sight",
        "VES-022",
        Source(of="ada", to="bo"),
    )
    for blocked in ("0,0", "4,0", "2,1", "5,0"):
        assert board.can_see(table(ada(), bo("4,0"), blocked=(blocked,)), "ada", "bo")
    assert board.can_see(table(ada(), bo("4,0"), difficult=("2,0",)), "ada", "bo")
    board.must_be_in_sight(table(ada(), bo("4,0")), "ada", "bo", "VES-022")


def test_what_is_ruled_about_a_pair_goes_before_the_board() -> None:
    """One way only; who is not named is seen as the board has it."""
    told = {"system": "vestige", "board": {"blocked": ["2,0"]}, "combatant": [{**FIGHTER, "side": "a", **ada()}]}
    told["combatant"].append({**FIGHTER, "side": "b", **bo("4,0")})  # type: ignore[attr-defined]
    fight = open_unstored_fight(told)
    submit_intent(
        fight, Ruled(kind="view", params=params(viewer="ada", target="bo", view="clear", both=False), reason="a window")
    )
    assert board.can_see(fight.table, "ada", "bo")
    assert not board.can_see(fight.table, "bo", "ada")
    submit_intent(
        fight, Ruled(kind="view", params=params(viewer="ada", target="bo", view="blocked", both=False), reason="shut")
    )
    assert not board.can_see(fight.table, "ada", "bo")


@pytest.mark.parametrize(
    ("weapon", "reach"), [("sword", 1), ("spear", 2), ("unarmed", 1), ("bow", -1), ("pistol", -1), ("staff", 2)]
)
def test_melee_weapons_hold_within_their_range(weapon: str, reach: int) -> None:
    """Weapons that shoot lock no enemy, or only at arm's length if configured so."""
    weapons = [] if weapon == "unarmed" else [weapon]
    assert leaving.find_melee_reach(table(ada(weapons=weapons)), "ada") == reach
    loose = table(ada(weapons=weapons), lock_needs_melee_weapon=False)
    assert leaving.find_melee_reach(loose, "ada") == max(1, reach)


def test_who_is_held_by_whom() -> None:
    """Active enemies within their range, in turn order."""
    around = [
        bo("1,1"),
        {"name": "Cy", "at": "2,0", "weapons": ["spear"]},
        {"name": "Di", "at": "0,2"},
        {"name": "Eve", "at": "0,1", "side": "Ada"},
        {"name": "Fay", "at": "-1,0", "weapons": ["bow"]},
        {"name": "Gus", "at": "-2,-2", "weapons": ["spear"]},
    ]
    at = table(ada(weapons=["spear"]), *around)
    assert leaving.list_locking_enemies(at, "ada") == ("bo", "cy", "gus")
    assert leaving.list_locking_enemies(at, "di") == ("ada", "bo", "cy", "eve")
    assert leaving.is_locking(at, "cy", "ada")
    assert not leaving.is_locking(at, "di", "ada")
    assert leaving.find_longest_reach(at) == 2
    assert leaving.find_longest_reach(table(ada(weapons=["bow"]))) == 1


def test_ways_lead_around_walls_and_cost_twice_through_rough_ground() -> None:
    at = table(ada(), blocked=("1,0", "1,1"), difficult=("0,1",))
    near, far = dict(board.list_ways(at, "ada", 1)), dict(board.list_ways(at, "ada", 2))
    assert near.keys() == {"0,-1", "1,-1", "-1,-1", "-1,0", "-1,1"}
    assert (far["0,1"], far["2,0"], far["0,2"]) == (("0,1",), ("1,-1", "2,0"), ("-1,1", "0,2"))
    assert far.keys().isdisjoint({"0,0", "1,0", "1,1", "2,1"})
    assert board.path_cost(at, "ada", ("0,1", "0,2")) == 3
    assert board.plain_cost(at, "ada", ("0,1", "0,2")) == 2
    assert dict(board.list_ways(table(ada(), metric="manhattan"), "ada", 1)).keys() == {"1,0", "0,1", "-1,0", "0,-1"}


def test_a_cell_is_occupied_by_whoever_can_still_fight() -> None:
    told = [{**FIGHTER, "side": "a", **ada("1,1")}, {**FIGHTER, "side": "b", **bo("2,1")}]
    fight = open_unstored_fight({"system": "vestige", "board": {}, "combatant": told})
    assert (board.find_occupant(fight.table, "2,1"), board.find_occupant(fight.table, "3,1")) == ("bo", "")
    submit_intent(fight, Ruled(kind="unable", params=params(who="bo"), reason="bound"))
    assert board.find_occupant(fight.table, "2,1") == ""


def test_a_way_that_is_too_long_says_by_how_much_if_it_is_known() -> None:
    """A path has a cost; a cell that no way reaches has none."""
    at = table(ada(), blocked=("9,9",))
    with pytest.raises(Refused, match=r"^6 m is more than the 5 m Ada can go \("):
        Move(path=tuple(f"{x},0" for x in range(1, 7))).check_steps(at, "ada", 5)
    with pytest.raises(Refused, match=r"^that is more than the 5 m Ada can go \("):
        Move(to="6,0").check_steps(at, "ada", 5)
