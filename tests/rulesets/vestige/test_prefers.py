"""Choices of a sensible fighter of Vestige, moment by moment."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.fight import Fight
from affray.events import Passed
from tests.rulesets.preferred import describe_next_action as next_of
from tests.rulesets.preferred import list_wishes
from tests.rulesets.statistics import open_unstored_fight, submit_intent
from tests.rulesets.vestige.fights import FIGHTER, act_in_vestige, begin_vestige_fight, four, rule_in_vestige

ADA: dict[str, Any] = {**FIGHTER, "name": "Ada", "side": "heroes", "weapons": ["sword"]}
BO: dict[str, Any] = {**FIGHTER, "name": "Bo", "side": "foes", "weapons": ["axe"]}


def two(
    blocked: tuple[str, ...] = (),
    ada: dict[str, Any] | None = None,
    config: dict[str, Any] | None = None,
    difficult: tuple[str, ...] = (),
    **others: dict[str, Any],
) -> Fight:
    """Begin a fight of Ada and others on a board, on her turn."""
    people = [{**ADA, "at": "0,0", **(ada or {})}]
    people += [{**BO, "name": name.title(), **told} for name, told in others.items()]
    board = {"blocked": list(blocked), "difficult": list(difficult)}
    return begin_vestige_fight(
        open_unstored_fight({"system": "vestige", "board": board, "config": config or {}, "combatant": people})
    )


def test_the_game_master_begins() -> None:
    assert next_of(four()) == "gm begin"


def test_an_enemy_in_reach_is_struck_before_all_else() -> None:
    fight = two(bo={"at": "1,0"})
    assert list_wishes(fight, "ada") == ["ada attack target=bo", "ada ready", "ada end_turn"]


def test_who_is_likely_to_fall_is_struck_first_and_one_at_the_brink_by_the_chance_to_die() -> None:
    fight = two(bo={"at": "1,0"}, cy={"at": "0,1", "health": 2})
    assert next_of(fight) == "ada attack target=cy"
    rule_in_vestige(fight, "pool", who="cy", pool="health", to=0)
    assert fight.state.combatants["cy"].has("brink")
    assert list_wishes(fight, "ada")[:2] == ["ada attack target=cy", "ada attack target=bo"]
    rule_in_vestige(fight, "pool", who="bo", pool="health", to=1)
    assert next_of(fight) == "ada attack target=bo"


def test_armor_and_agility_count() -> None:
    fight = two(bo={"at": "1,0", "protection": 2}, cy={"at": "0,1"})
    assert next_of(fight) == "ada attack target=cy"
    fight = two(bo={"at": "1,0", "agility": 14}, cy={"at": "0,1"})
    assert next_of(fight) == "ada attack target=cy"


def test_energy_that_would_be_lost_is_spent_on_skills_and_accuracy() -> None:
    """Of 5 points with 1 regained each turn, 1 would be lost."""
    fight = two(ada={"ep": 5, "ep_regain": 1, "skills": ["lunge"]}, bo={"at": "1,0"})
    assert list_wishes(fight, "ada")[:2] == ["ada skill skill=lunge target=bo", "ada attack target=bo ep=1"]
    poor = two(ada={"ep": 3, "ep_regain": 1, "skills": ["lunge"]}, bo={"at": "1,0"})
    assert list_wishes(poor, "ada")[0] == "ada attack target=bo"


def test_one_goes_straight_for_the_nearest_until_in_reach() -> None:
    fight = two(bo={"at": "4,0"}, cy={"at": "0,9"})
    way = "ada move path=1,0;2,0;3,0"
    assert list_wishes(fight, "ada") == [way, way, "ada ready", "ada end_turn"]
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
    rule_in_vestige(fight, "item", item="ada.pistol", counter="loaded", to=0)
    assert next_of(fight) == "ada reload"


def test_without_a_board_one_goes_as_many_metres_as_it_takes() -> None:
    for apart, metres in ((4, 3), (9, 5)):
        stated = [{"between": ["ada", "bo"], "metres": apart}]
        fight = begin_vestige_fight(
            open_unstored_fight({"system": "vestige", "distance": stated, "combatant": [ADA, BO]})
        )
        assert next_of(fight) == f"ada move metres={metres}"


def test_a_token_answers_enemies_in_reach_and_nobody_else() -> None:
    """Ada keeps hers while Cy, her friend, acts, and strikes when Bo does; no energy goes into it."""
    fight = two(ada={"ep": 5, "ep_regain": 1}, bo={"at": "1,0"}, cy={"at": "0,1", "side": "heroes"})
    act_in_vestige(fight, "ada", "ready")
    assert next_of(fight) == "pass ada"
    assert fight.state.window is not None
    submit_intent(fight, Passed(window=fight.state.window.id, who="ada"))
    act_in_vestige(fight, "bo", "move", path=["1,1"])
    assert list_wishes(fight, "ada", "readied") == ["ada readied attack target=bo"]


def test_nobody_strikes_whom_no_blow_can_hurt() -> None:
    """Three of might never get through five of protection; no fighter approaches such a foe or waits for it."""
    fight = two(bo={"at": "1,0", "protection": 5})
    assert list_wishes(fight, "ada") == ["ada end_turn"]
    assert list_wishes(two(bo={"at": "4,0", "protection": 5}), "ada") == ["ada end_turn"]
    assert next_of(two(bo={"at": "1,0", "protection": 5}, cy={"at": "0,1"})) == "ada attack target=cy"


def test_who_cannot_fail_at_the_brink_is_left_alone_unless_it_is_ruled_otherwise() -> None:
    fight = two(config={"brink_modifier": 9}, bo={"at": "1,0"})
    rule_in_vestige(fight, "pool", who="bo", pool="health", to=0)
    assert list_wishes(fight, "ada") == ["ada end_turn"]
    rule_in_vestige(fight, "brink", who="bo", modifier=0)
    assert next_of(fight) == "ada attack target=bo"
    rule_in_vestige(fight, "brink", who="bo", outcome="holds on")
    assert list_wishes(fight, "ada") == ["ada end_turn"]
    armored = two(bo={"at": "1,0", "protection": 5})
    rule_in_vestige(armored, "pool", who="bo", pool="health", to=0)
    assert list_wishes(armored, "ada") == ["ada end_turn"], "what takes nothing asks for no roll"


def test_energy_is_spent_where_nothing_else_hits_or_hurts() -> None:
    """A d20 reaches 20, a lunge adds to might; what there is not enough for is waited for."""
    nimble = two(ada={"ep": 3, "accuracy": 0}, bo={"at": "1,0", "agility": 22})
    assert list_wishes(nimble, "ada") == ["ada attack target=bo ep=2", "ada end_turn"]
    tired = two(ada={"ep": 1, "ep_max": 5, "accuracy": 0}, bo={"at": "1,0", "agility": 24})
    assert list_wishes(tired, "ada") == ["ada end_turn"]
    heavy = {"weapons": ["great-axe"], "skills": ["heavy-blow"], "ep": 3}
    hard = two(ada=heavy, bo={"at": "1,0", "protection": 4})
    assert list_wishes(hard, "ada")[0] == "ada skill skill=heavy-blow target=bo"


def test_another_weapon_is_taken_that_serves() -> None:
    """For energy if there is any; a wall all around is no reason to change."""
    fight = two(ada={"weapons": ["spear"]}, bo={"at": "2,0"})
    assert next_of(fight).startswith("ada attack")
    act_in_vestige(fight, "ada", "swap", weapon="ada.unarmed", pay="ep")
    assert next_of(fight) == "ada swap weapon=ada.spear pay=ep"
    rule_in_vestige(fight, "pool", who="ada", pool="ep", to=0)
    assert next_of(fight) == "ada swap weapon=ada.spear pay=action"
    walled = two(("1,0", "0,1", "-1,0", "0,-1", "1,1", "-1,1", "1,-1", "-1,-1"), bo={"at": "4,0"})
    assert list_wishes(walled, "ada") == ["ada ready", "ada end_turn"]


def test_nothing_is_readied_for_whom_two_moves_do_not_bring_near() -> None:
    """A sword reaches one metre, and a move is five."""
    for place, waits in (("11,0", True), ("12,0", False)):
        fight = two(bo={"at": place})
        rule_in_vestige(fight, "pool", who="ada", pool="actions", to=0)
        assert ("ada ready" in list_wishes(fight, "ada")) == waits


def test_who_walks_a_metre_at_a_time_goes_round_what_costs_two() -> None:
    fight = two(config={"move_metres": 1}, difficult=("1,-1", "1,0", "1,1"), bo={"at": "4,0"})
    assert next_of(fight) in ("ada move path=0,1", "ada move path=0,-1")


@pytest.mark.parametrize(("metres", "rough"), [(1, ()), (2, ("2,3",))])
def test_whom_no_one_move_leads_past_one_goes_round_and_not_to_and_fro(metres: int, rough: tuple[str, ...]) -> None:
    """Past Cy the way would be shorter, but she cannot stop where he stands; so she never goes back where she was."""
    friend = {"at": "2,3", "side": "heroes"}
    slow = {"move_metres": metres, "metric": "manhattan"}
    walls = ("3,3", "4,3", "1,4")
    fight = two(ada={"at": "1,2"}, bo={"at": "2,4"}, cy=friend, config=slow, blocked=walls, difficult=rough)
    been = ["1,2"]
    while "move path=" in (goes := next_of(fight)) and len(been) < 40:
        been += goes.removeprefix("ada move path=").split(";")
        rule_in_vestige(fight, "place", who="ada", to=been[-1])
    assert len({*been}) == len(been) > 5
    assert goes == "ada attack target=bo"


def test_whom_one_sees_from_nowhere_one_does_not_look_for() -> None:
    fight = two(bo={"at": "4,0"})
    rule_in_vestige(fight, "view", viewer="ada", target="bo", view="blocked")
    assert list_wishes(fight, "ada") == ["ada ready", "ada end_turn"]
    stated = [{"between": ["ada", "bo"], "metres": 4}]
    unmapped = begin_vestige_fight(
        open_unstored_fight({"system": "vestige", "distance": stated, "combatant": [ADA, BO]})
    )
    rule_in_vestige(unmapped, "view", viewer="ada", target="bo", view="blocked")
    assert next_of(unmapped) == "ada move metres=3"


def test_one_goes_to_whom_a_plain_blow_hurts_before_one_waits_for_energy() -> None:
    nimble = {"at": "1,0", "agility": 24}
    fight = two(ada={"ep": 0, "accuracy": 0}, bo=nimble, cy={"at": "0,4"})
    assert next_of(fight) == "ada move path=0,1;0,2;0,3"
    assert list_wishes(two(ada={"ep": 0, "accuracy": 0}, bo=nimble), "ada") == ["ada end_turn"]
