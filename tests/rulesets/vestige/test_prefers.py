"""What a sensible fighter of Vestige does, moment by moment."""

from __future__ import annotations

from typing import Any

from affray.engine.fight import Fight
from affray.events import Passed
from tests.rulesets.preferred import done as next_of
from tests.rulesets.preferred import wished
from tests.rulesets.statistics import acted, opened
from tests.rulesets.vestige.fights import FIGHTER, begun, done, four, ruled

ADA: dict[str, Any] = {**FIGHTER, "name": "Ada", "side": "heroes", "weapons": ["sword"]}
BO: dict[str, Any] = {**FIGHTER, "name": "Bo", "side": "foes", "weapons": ["axe"]}


def two(blocked: tuple[str, ...] = (), ada: dict[str, Any] | None = None, **others: dict[str, Any]) -> Fight:
    """Begin a fight of Ada and others on a board, whose turn is hers."""
    people = [{**ADA, "at": "0,0", **(ada or {})}]
    people += [{**BO, "name": name.title(), **told} for name, told in others.items()]
    return begun(opened({"system": "vestige", "board": {"blocked": list(blocked)}, "combatant": people}))


def test_the_game_master_begins() -> None:
    assert next_of(four()) == "gm begin"


def test_an_enemy_in_reach_is_struck_before_all_else() -> None:
    fight = two(bo={"at": "1,0"})
    assert wished(fight, "ada") == ["ada attack target=bo", "ada ready", "ada end_turn"]


def test_who_is_likely_to_fall_is_struck_first_and_one_at_the_brink_by_the_chance_to_die() -> None:
    fight = two(bo={"at": "1,0"}, cy={"at": "0,1", "health": 2})
    assert next_of(fight) == "ada attack target=cy"
    ruled(fight, "pool", who="cy", pool="health", to=0)
    assert fight.state.combatants["cy"].has("brink")
    assert wished(fight, "ada")[:2] == ["ada attack target=cy", "ada attack target=bo"]
    ruled(fight, "pool", who="bo", pool="health", to=1)
    assert next_of(fight) == "ada attack target=bo"


def test_armor_and_agility_count() -> None:
    fight = two(bo={"at": "1,0", "protection": 2}, cy={"at": "0,1"})
    assert next_of(fight) == "ada attack target=cy"
    fight = two(bo={"at": "1,0", "agility": 14}, cy={"at": "0,1"})
    assert next_of(fight) == "ada attack target=cy"


def test_energy_that_would_be_lost_is_spent_on_skills_and_accuracy() -> None:
    """Of 5 with 1 regained each turn, 1 would be too much."""
    fight = two(ada={"ep": 5, "ep_regain": 1, "skills": ["lunge"]}, bo={"at": "1,0"})
    assert wished(fight, "ada")[:2] == ["ada skill skill=lunge target=bo", "ada attack target=bo ep=1"]
    poor = two(ada={"ep": 3, "ep_regain": 1, "skills": ["lunge"]}, bo={"at": "1,0"})
    assert wished(poor, "ada")[0] == "ada attack target=bo"


def test_one_goes_straight_for_the_nearest_until_in_reach() -> None:
    fight = two(bo={"at": "4,0"}, cy={"at": "0,9"})
    way = "ada move path=1,0;2,0;3,0"
    assert wished(fight, "ada") == [way, way, "ada ready", "ada end_turn"]
    far = two(bo={"at": "9,0"})
    assert next_of(far) == "ada move path=1,0;2,0;3,0;4,0;5,0"


def test_one_goes_round_a_wall() -> None:
    fight = two(("1,-1", "1,0", "1,1"), bo={"at": "3,0"})
    assert next_of(fight) in ("ada move path=0,-1;1,-2;2,-1", "ada move path=0,1;1,2;2,1")


def test_an_archer_who_sees_nobody_goes_where_one_is_seen() -> None:
    bow = {"weapons": ["bow"]}
    assert next_of(two(ada=bow, bo={"at": "4,0"})) == "ada attack target=bo"
    hidden = two(("2,0",), ada=bow, bo={"at": "4,0"})
    assert next_of(hidden).startswith("ada move path=")


def test_nobody_ends_a_way_where_somebody_stands() -> None:
    """Before the last free step towards Bo stands a friend; one stops before."""
    fight = two(bo={"at": "6,0"}, cy={"at": "5,0", "side": "heroes"}, di={"at": "4,0", "side": "heroes"})
    path = next_of(fight).removeprefix("ada move path=").split(";")
    assert path[-1] not in ("4,0", "5,0")
    assert len(path) <= 5


def test_an_empty_pistol_is_loaded_first() -> None:
    fight = two(ada={"weapons": ["pistol"]}, bo={"at": "3,0"})
    assert next_of(fight) == "ada attack target=bo"
    ruled(fight, "item", item="ada.pistol", counter="loaded", to=0)
    assert next_of(fight) == "ada reload"


def test_without_a_board_one_goes_as_many_metres_as_it_takes() -> None:
    for apart, metres in ((4, 3), (9, 5)):
        stated = [{"between": ["ada", "bo"], "metres": apart}]
        fight = begun(opened({"system": "vestige", "distance": stated, "combatant": [ADA, BO]}))
        assert next_of(fight) == f"ada move metres={metres}"


def test_a_token_answers_enemies_in_reach_and_nobody_else() -> None:
    """Ada keeps hers while Cy, her friend, acts, and strikes when Bo does; no energy goes into it."""
    people: dict[str, dict[str, Any]] = {"bo": {"at": "1,0"}, "cy": {"at": "0,1", "side": "heroes"}}
    fight = two(ada={"ep": 5, "ep_regain": 1}, blocked=(), **people)
    done(fight, "ada", "ready")
    assert next_of(fight) == "pass ada"
    assert fight.state.window is not None
    acted(fight, Passed(window=fight.state.window.id, who="ada"))
    done(fight, "bo", "move", path=["1,1"])
    assert wished(fight, "ada", "readied") == ["ada readied attack target=bo"]
