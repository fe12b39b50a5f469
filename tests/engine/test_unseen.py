"""Secrecy of a concealed combatant, by system: its place changes no open event.

Each test plays twins: two fights that differ in the concealed combatant alone (``tests/engine/twins.py``).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec import Raw

from affray.engine import Fight, Refused
from affray.engine.visibility import can_read, project_state
from affray.events import ConditionChanged, Declared, DiceEntered, Event, Id, Judged, Moved, PhaseEntered, Rolled, Ruled
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import submit_accepted
from tests.engine.twins import SPECTATOR, Twins, open_events

GLADE: dict[str, Any] = {
    "system": "hexblade",
    "name": "a glade",
    "combatant": [
        {"name": "Wren", "side": "village", "block": "archer", "at": "0,0"},
        {"name": "Raider", "count": 2, "side": "raiders", "block": "bandit", "at": ["4,0", "5,0"], "initiative": 1},
        {"name": "Grole", "side": "raiders", "block": "brute", "at": "4,1", "initiative": 0},
    ],
}

RING: dict[str, Any] = {
    **GLADE,
    "combatant": [
        {"name": "Marta", "side": "village", "block": "fighter", "at": "0,0"},
        {"name": "Raider", "count": 3, "side": "raiders", "block": "bandit", "at": ["-1,0", "0,-1", "3,0"]},
        {"name": "Grole", "side": "raiders", "block": "brute", "at": "1,0"},
    ],
}

FIGHTER = {"agility": 10, "might": 3, "accuracy": 2, "health": 9, "ep": 3, "weapons": ["sword"]}

BRIDGE: dict[str, Any] = {
    "system": "vestige",
    "name": "a bridge",
    "board": {},
    "combatant": [
        {"name": "Ilse", "side": "heroes", **FIGHTER, "at": "1,1"},
        {"name": "Bandit", "side": "bandits", **FIGHTER, "at": "8,1"},
        {"name": "Captain", "side": "bandits", **FIGHTER, "at": "2,2"},
    ],
}

SWORD = {"ac": 12, "hp": 9, "attack": 2, "morale": 7, "weapons": ["sword_short", "bow_small"]}

ROAD: dict[str, Any] = {
    "system": "wwn",
    "name": "a road",
    "board": {},
    "config": {"foe_groups": "per_entry"},
    "combatant": [
        {"name": "Mab", "side": "caravan", **SWORD, "at": "1,1"},
        {"name": "Outlaw", "side": "outlaws", **SWORD, "weapons": ["sword_short"], "at": "20,1"},
        {"name": "The Fox", "side": "outlaws", **SWORD, "at": "2,2"},
    ],
}


def of_type(events: list[Event], *kinds: type[Event]) -> list[Any]:
    """Return the events of some types."""
    return [one for one in events if isinstance(one, kinds)]


def reveal(fight: Fight, who: Id) -> None:
    """Let every viewer know of a combatant."""
    submit_accepted(fight, Ruled(kind="reveal", params=Raw(b'{"who":"%s"}' % who.encode()), reason="seen at last"))


def shoot_and_miss(twins: Twins, target: Id) -> Twins:
    """Let Wren shoot at a combatant with real dice, and miss."""
    twins.rule("dice", owner="*", source="entered")
    twins.do("gm", "begin")
    twins.do("wren", "roll_initiative")
    twins.enter(20)
    twins.do("wren", "begin_turn")
    twins.do("wren", "shoot", target=target)
    twins.enter(5)
    twins.enter(19)
    return twins


def test_a_stray_shot_endangers_known_neighbours_alone() -> None:
    """Two stand beside Raider A, and one is known: no die picks between them, and no shot finds the other."""
    twins = shoot_and_miss(Twins(GLADE, "Grole", at="-3,3"), "raider-a")
    twins.enter(1)
    for fight in twins.fights:
        assert fight.state.awaited is not None
        assert (fight.state.awaited.purpose, fight.state.awaited.by) == ("evade", "raider-b")
    twins.enter(2)
    assert of_type(open_events(twins.fights[0]), Judged)[-1].outcome == "hit"


def test_a_shot_at_a_concealed_target_is_sealed_with_all_its_dice() -> None:
    """The faces that were entered and the judgement name the roll alone: they are for the readers of the roll."""
    (fight, _) = shoot_and_miss(Twins(GLADE, "Grole", at="-3,3"), "grole").fights
    of_the_shot = [one for one in fight.history.recorded if "1/wren/shoot" in repr(one.event)]
    assert {DiceEntered, Rolled, Judged} <= {type(one.event) for one in of_the_shot}
    assert not any(can_read(SPECTATOR, one) for one in of_the_shot)


def test_nobody_is_flanked_or_overrun_by_a_concealed_enemy() -> None:
    """Grole stands opposite a raider and is the fourth around Marta; both count from his revelation on."""
    twins = Twins(RING, "Grole", at="5,0")
    twins.do("gm", "begin")
    twins.rule("place", who="raider-c", to="-1,1")
    beside, away = twins.fights
    for fight in twins.fights:
        assert {"flanked", "overrun"}.isdisjoint(fight.state.combatants["marta"].conditions)
        reveal(fight, "grole")
    assert {"flanked", "overrun"} <= beside.state.combatants["marta"].conditions.keys()
    assert {"flanked", "overrun"}.isdisjoint(away.state.combatants["marta"].conditions)
    assert {one.condition for one in of_type(open_events(beside), ConditionChanged)} >= {"flanked", "overrun"}


def test_an_attack_has_no_advantage_by_a_concealed_flanker() -> None:
    """Raiders B and C flank Marta; Raider A stands opposite Grole, and is not half of a pair."""
    ring = deepcopy(RING)
    ring["combatant"][1]["at"] = ["-1,0", "0,-1", "0,1"]
    twins = Twins(ring, "Grole", at="5,0")
    twins.do("gm", "begin")
    beside, _ = twins.fights
    assert "flanked" in beside.state.combatants["marta"].conditions
    twins.do("marta", "roll_initiative")
    for who in ("marta", "raider-a"):
        twins.do(who, "begin_turn")
        if who == "marta":
            twins.do(who, "end_turn")
    twins.do("raider-a", "attack", target="marta")
    assert "flanking" not in repr(of_type(open_events(beside), Rolled)[-2:])


def test_no_way_leads_around_a_concealed_enemy() -> None:
    """The straight way is taken, and barred: a way around would tell where the enemy stands."""
    twins = Twins(GLADE, "Grole", at="1,0")
    twins.do("gm", "begin")
    twins.do("wren", "roll_initiative")
    away, barred = twins.fights
    for fight in twins.fights:
        submit_accepted(fight, Declared(actor="wren", kind="begin_turn", params=Raw(b"{}")))
    go = Declared(actor="wren", kind="move", params=Raw(b'{"to":"2,0"}'))
    submit_accepted(away, go)
    assert of_type(open_events(away), Moved)[-1].path == ("1,0", "2,0")
    with pytest.raises(Refused, match="Grole bars the way at 1,0"):
        submit_accepted(barred, go)


def test_leaving_the_reach_of_a_concealed_enemy_provokes_nobody_in_vestige() -> None:
    """The move is one step, in no other phase, and no combatant is asked."""
    twins = Twins(BRIDGE, "Captain", at="8,3")
    twins.do("gm", "begin", cause="threat")
    while twins.fights[0].state.acting != ("ilse",):
        pass_the_turn(twins)
    twins.do("ilse", "move", path=["0,0", "-1,-1"])
    let_all_pass(twins)
    for fight in twins.fights:
        assert fight.state.combatants["ilse"].place == "-1,-1"
        assert not any("melee" in one.phase for one in of_type(open_events(fight), PhaseEntered))


def test_leaving_the_reach_of_a_concealed_enemy_stops_nobody_in_wwn() -> None:
    """The open move goes the whole way in one piece."""
    twins = Twins(ROAD, "The Fox", at="15,9")
    twins.do("gm", "begin")
    while "mab" not in twins.fights[0].state.acting:
        pass_the_turn(twins)
    twins.do("mab", "move", path=["0,1", "-1,1", "-2,1"])
    let_all_pass(twins)
    for fight in twins.fights:
        (moved,) = of_type(open_events(fight), Moved)
        assert moved.path == ("0,1", "-1,1", "-2,1")


def test_a_bow_can_be_shot_beside_a_concealed_enemy() -> None:
    """No known combatant melees the shooter; neither the shot nor the offers differ."""
    twins = Twins(ROAD, "The Fox", at="15,9")
    twins.do("gm", "begin")
    while "mab" not in twins.fights[0].state.acting:
        pass_the_turn(twins)
    twins.do("mab", "attack", target="outlaw", weapon="mab.bow_small", mode="shoot")
    let_all_pass(twins)
    assert "melee" not in repr(of_type(open_events(twins.fights[0]), Rolled)[-1].modifiers)


def pass_the_turn(twins: Twins) -> None:
    """Let the active combatant end its turn, and all asked combatants pass."""
    for who in twins.fights[0].state.acting:
        twins.do(who, "end_turn")
    let_all_pass(twins)


def let_all_pass(twins: Twins) -> None:
    """Let all combatants that are asked in a window pass."""
    while (window := twins.fights[0].state.window) is not None:
        twins.let_pass(next(who for who in window.to if who != twins.hidden))


def gatehouse(*members: Id) -> dict[str, Any]:
    """Return the gatehouse with a melee of these, all of them at the gate."""
    told = deepcopy(next(one for name, one in load_shipped_encounters().items() if name.endswith("gatehouse")))
    for entry in told["combatant"]:
        if entry["name"] in ("Hild", "Orc", "Ugrak"):
            entry["at"] = "gate"
    return {**told, "melee": [{"members": list(members)}]}


def let_the_enemies_begin(twins: Twins) -> None:
    """Let the party lose its initiative roll."""
    twins.rule("dice", owner="hild", source="entered")
    twins.do("hild", "roll_initiative")
    twins.enter(1)
    twins.rule("dice", owner="hild", source="engine")


def test_a_concealed_member_of_a_melee_is_not_counted() -> None:
    """Neither among many against few, nor in who may strike at one who leaves."""
    twins = Twins(gatehouse("hild", "orc-a", "ugrak"), "Ugrak", gatehouse("hild", "orc-a"))
    twins.do("gm", "begin")
    let_the_enemies_begin(twins)
    twins.do("orc-a", "begin_turn")
    twins.do("orc-a", "attack", target="hild")
    (attack,) = [one for one in of_type(open_events(twins.fights[0]), Rolled) if one.purpose == "attack"]
    assert "numbers" not in repr(attack.pool)
    reveal(twins.fights[0], "ugrak")
    assert {one.who for one in project_state(SPECTATOR, twins.fights[0].state).relations["melee"].members} >= {"ugrak"}


@pytest.mark.parametrize("cautious", [False, True])
def test_a_concealed_enemy_in_the_zone_has_no_opportunity(cautious: bool) -> None:
    """The game master is asked about known enemies alone, and offered no others."""
    told = deepcopy(next(one for name, one in load_shipped_encounters().items() if name.endswith("gatehouse")))
    twins = Twins(told, "Tam", at="wall")
    twins.do("gm", "begin")
    let_the_enemies_begin(twins)
    twins.do("orc-a", "begin_turn")
    twins.do("orc-a", "move", to="gate", cautious=cautious)
    if not cautious:
        twins.answer("gm", "pass")
    assert of_type(open_events(twins.fights[0]), Moved)[-1].after == "gate"
