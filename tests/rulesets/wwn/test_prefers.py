"""Choices of a sensible fighter of Worlds Without Number, moment by moment."""

from __future__ import annotations

from typing import Any

from affray.engine import Fight
from affray.engine.analysis.policies import PASSING
from affray.engine.rulesets.wwn.attack.declaring import Attack
from affray.engine.rulesets.wwn.policy import appraise
from affray.events import AskingSet, Passed
from tests.rulesets.preferred import describe_next_action, list_wishes
from tests.rulesets.statistics import make_declaration, open_unstored_fight, submit_intent
from tests.rulesets.wwn.moments import rule

ASHA: dict[str, Any] = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "hp": 20, "dex": 18}
BRAN: dict[str, Any] = {"name": "Bran", "side": "heroes", "pc": True, "attack": 1, "hp": 10, "dex": 3}
RAIDER: dict[str, Any] = {"name": "Raider", "side": "raiders", "block": "raider", "hp": 8}


def fight_of(*people: dict[str, Any], config: dict[str, Any] | None = None, **said: Any) -> Fight:
    """Open a fight without snap attacks; Asha is first."""
    fight = open_unstored_fight({"system": "wwn", "combatant": list(people), "config": config or {}, **said})
    for who in fight.state.combatants:
        submit_intent(fight, AskingSet(who=who, ask="never"))
    submit_intent(fight, make_declaration("gm", "begin"))
    while fight.state.acting != ("asha",):
        who = fight.state.acting[0]
        submit_intent(fight, make_declaration(who, "end_turn"))
    return fight


def make_armed_asha(weapon: str, **more: Any) -> dict[str, Any]:
    """Return Asha with one weapon."""
    return {**ASHA, "weapons": [weapon], "skills": {"stab": 1, "shoot": 1}, **more}


def near(*people: dict[str, Any], apart: int = 5) -> Fight:
    """Open a fight without a map."""
    return fight_of(*people, apart=apart)


def open_blocked_map(*people: dict[str, Any], blocked: tuple[str, ...] = ()) -> Fight:
    """Open a fight on a map."""
    return fight_of(*people, board={"blocked": list(blocked)})


def at(who: dict[str, Any], place: str) -> dict[str, Any]:
    """Return a combatant at a place."""
    return {**who, "at": place}


def test_the_game_master_begins() -> None:
    fight = open_unstored_fight({"system": "wwn", "apart": 5, "combatant": [make_armed_asha("sword_long"), RAIDER]})
    assert describe_next_action(fight) == "gm begin"


def test_an_enemy_in_reach_is_struck_and_then_the_turn_ends() -> None:
    fight = near(make_armed_asha("sword_long"), RAIDER)
    assert describe_next_action(fight) == "asha attack target=raider weapon=asha.sword_long mode=melee"
    rule(fight, "pool", who="asha", pool="main", to=0)
    assert list_wishes(fight, "asha") == ["asha end_turn"]


def test_who_lies_stands_up_first() -> None:
    fight = near(make_armed_asha("sword_long"), RAIDER)
    rule(fight, "condition", who="asha", condition="prone")
    assert describe_next_action(fight) == "asha stand"


def test_a_dying_friend_beside_is_stabilized_before_anything_is_struck() -> None:
    fight = open_blocked_map(at(make_armed_asha("sword_long"), "0,0"), at(BRAN, "1,0"), at(RAIDER, "0,1"))
    strike = "asha attack target=raider weapon=asha.sword_long mode=melee"
    assert describe_next_action(fight) == strike
    rule(fight, "pool", who="bran", pool="hp", to=0)
    assert describe_next_action(fight) == "asha stabilize target=bran"
    rule(fight, "fate", who="bran", fate="stabilized")
    assert describe_next_action(fight) == strike


def test_a_dying_friend_farther_off_is_not() -> None:
    fight = open_blocked_map(at(make_armed_asha("sword_long"), "0,0"), at(BRAN, "4,0"), at(RAIDER, "0,1"))
    rule(fight, "pool", who="bran", pool="hp", to=0)
    assert describe_next_action(fight) == "asha attack target=raider weapon=asha.sword_long mode=melee"


def test_an_empty_crossbow_is_reloaded() -> None:
    fight = near(make_armed_asha("crossbow"), RAIDER, apart=60)
    assert describe_next_action(fight) == "asha attack target=raider weapon=asha.crossbow mode=shoot"
    rule(fight, "item", item="asha.crossbow", counter="loaded", to=0)
    assert describe_next_action(fight).startswith("asha reload weapon=asha.crossbow")


def test_what_is_thrown_reaches_as_far_as_it_flies() -> None:
    dagger = make_armed_asha("dagger")
    far = fight_of(dagger, RAIDER, apart=60)
    assert describe_next_action(fight=far) == "asha attack target=raider weapon=asha.dagger mode=throw"
    assert describe_next_action(near(dagger, RAIDER, apart=65)).startswith("asha move")
    assert (
        describe_next_action(near(dagger, RAIDER, apart=5)) == "asha attack target=raider weapon=asha.dagger mode=melee"
    )


def test_a_bow_shoots_as_far_as_it_carries() -> None:
    bow = make_armed_asha("bow_large")
    assert (
        describe_next_action(near(bow, RAIDER, apart=600))
        == "asha attack target=raider weapon=asha.bow_large mode=shoot"
    )
    assert describe_next_action(near(bow, RAIDER, apart=605)) == "asha move feet=5"


def test_without_a_map_one_goes_as_far_as_it_takes() -> None:
    sword = make_armed_asha("sword_long")
    assert describe_next_action(near(sword, RAIDER, apart=20)) == "asha move feet=15"
    fight = near(sword, RAIDER, apart=60)
    assert list_wishes(fight, "asha") == [
        "asha move feet=30",
        "asha move feet=30 pay=main",
        "asha end_turn",
    ]
    rule(fight, "pool", who="asha", pool="main", to=0)
    assert list_wishes(fight, "asha") == ["asha move feet=30", "asha end_turn"]


def test_on_a_map_one_goes_straight_and_round_what_is_in_the_way() -> None:
    fight = open_blocked_map(at(make_armed_asha("sword_long"), "0,0"), at(RAIDER, "4,0"))
    assert describe_next_action(fight) == "asha move path=1,0;2,0;3,0"
    walled = open_blocked_map(
        at(make_armed_asha("sword_long"), "1,0"), at(RAIDER, "4,0"), blocked=("2,-1", "2,0", "2,1")
    )
    assert describe_next_action(walled) in ("asha move path=1,1;2,2;3,1", "asha move path=1,-1;2,-2;3,-1")


def test_the_nearest_is_gone_for_and_the_weakest_struck() -> None:
    weak = {**RAIDER, "name": "Weak", "hp": 2}
    fight = open_blocked_map(at(make_armed_asha("sword_long"), "0,0"), at(RAIDER, "1,0"), at(weak, "0,1"))
    assert describe_next_action(fight).startswith("asha attack target=weak")
    far = open_blocked_map(at(make_armed_asha("sword_long"), "0,0"), at(weak, "6,0"), at(RAIDER, "0,4"))
    assert describe_next_action(far) == "asha move path=0,1;0,2;0,3"


def test_a_mount_goes_for_its_rider() -> None:
    horse = {"name": "Grey", "side": "heroes", "block": "riding_horse"}
    rider = {**make_armed_asha("sword_long", skills={"stab": 1, "ride": 1}), "rides": "grey", "at": "0,0"}
    fight = open_blocked_map(rider, horse, at(RAIDER, "6,0"))
    assert describe_next_action(fight).startswith("grey move path=1,0;2,0;")
    assert list_wishes(fight, "asha") == []
    rule(fight, "pool", who="grey", pool="move", to=0)
    assert list_wishes(fight, "asha") == ["asha end_turn"]


def test_one_gets_off_a_mount_that_goes_nowhere() -> None:
    horse = {"name": "Grey", "side": "heroes", "block": "riding_horse"}
    rider = {**make_armed_asha("sword_long", skills={"stab": 1, "ride": 1}), "rides": "grey", "at": "0,0"}
    fight = open_blocked_map(rider, horse, at(RAIDER, "6,0"))
    rule(fight, "sheet", who="grey", stat="pace", to=0)
    assert describe_next_action(fight) == "asha dismount"
    rule(fight, "place", who="raider", to="1,0")
    assert describe_next_action(fight).startswith("asha attack")


def snapping(fight: Fight) -> Fight:
    """Let all combatants be asked, and Asha act, so that the window for snaps opens."""
    for who in fight.state.combatants:
        submit_intent(fight, AskingSet(who=who, ask="always"))
    submit_intent(fight, make_declaration("asha", "attack", target="raider"))
    assert fight.state.window is not None
    return fight


def test_a_snap_is_made_only_where_it_may_well_stop_the_enemy() -> None:
    """The raider's snap at an unhurt target is not worth the Main Action; at one with one hit point it is."""
    assert describe_next_action(snapping(near(make_armed_asha("sword_long"), RAIDER))) == "pass raider"
    frail = make_armed_asha("sword_long")
    fight = near(frail, RAIDER)
    rule(fight, "pool", who="asha", pool="hp", to=1)
    assert describe_next_action(snapping(fight)).startswith("raider snap attack target=asha")


def test_a_table_need_not_stop_for_a_snap_at_who_does_not_act() -> None:
    """Asha acts, with one hit point left: a snap at her is better than to pass, one at Bran, who is as weak, is not."""
    fight = near(make_armed_asha("sword_long"), {**BRAN, "weapons": ["sword_long"]}, RAIDER)
    for who in ("asha", "bran"):
        rule(fight, "pool", who=who, pool="hp", to=1)
    snapping(fight)
    at_asha, at_bran = (
        appraise(fight.table, "raider", Attack(target=who, weapon="raider.sword_short"), "snap")
        for who in ("asha", "bran")
    )
    assert at_bran < PASSING <= at_asha


def test_friends_of_who_acts_and_those_who_have_passed_do_not_snap() -> None:
    weak = make_armed_asha("sword_long")
    fight = near(weak, {**BRAN, "weapons": ["sword_long"]}, RAIDER, {**RAIDER, "name": "Other"})
    rule(fight, "pool", who="asha", pool="hp", to=1)
    snapping(fight)
    assert list_wishes(fight, "bran", "snap") == []
    window = fight.state.window
    assert window is not None
    submit_intent(fight, Passed(window=window.id, who="raider"))
    assert list_wishes(fight, "raider", "snap") == []
    assert list_wishes(fight, "other", "snap")[0].startswith("other snap attack target=asha")


def test_whom_one_sees_from_nowhere_one_does_not_look_for() -> None:
    """The game master has said that she does not see the raider, and on a board no step changes that."""
    fight = open_blocked_map(at(make_armed_asha("sword_long"), "0,0"), at(RAIDER, "5,0"))
    assert describe_next_action(fight).startswith("asha move")
    rule(fight, "view", viewer="asha", target="raider", view="blocked")
    assert list_wishes(fight, "asha") == ["asha end_turn"]


def test_who_has_nothing_at_hand_gets_out_what_is_put_away() -> None:
    fight = near(make_armed_asha("dagger", stowed=["sword_short"], weapons=["sword_short"]), RAIDER)
    assert describe_next_action(fight) == "asha ready item=asha.sword_short"


def test_whom_nothing_can_hurt_one_leaves_alone() -> None:
    """Fists do 1d2 less the strength of a weakling: nothing, unless the table has every hit do something."""
    weakling = {**ASHA, "str": 3, "weapons": []}
    assert describe_next_action(near(weakling, RAIDER)) == "asha end_turn"
    assert describe_next_action(near(weakling, RAIDER, apart=30)) == "asha end_turn"
    sure = fight_of(weakling, RAIDER, apart=5, config={"min_damage": 1})
    assert describe_next_action(sure).startswith("asha attack target=raider weapon=asha.unarmed")


def test_nobody_loads_for_ten_rounds_beside_an_enemy() -> None:
    """An attack unloads it again; with the enemy farther away there is time."""
    gunner = make_armed_asha("hurlant_long", weapons=["hurlant_long", "dagger"])
    for apart, does in ((5, "asha attack target=raider weapon=asha.dagger"), (100, "asha reload")):
        fight = near(gunner, RAIDER, apart=apart)
        rule(fight, "item", item="asha.hurlant_long", counter="loaded", to=0)
        assert describe_next_action(fight).startswith(does)
