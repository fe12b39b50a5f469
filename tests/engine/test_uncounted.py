"""Concealed combatants that no rule counts: scores, losses, ties, allies, drilled friends and shooters in a melee.

Each test plays twins: two fights that differ in the concealed combatant alone (``tests/engine/twins.py``).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec import Raw

from affray.engine.visibility import project_state
from affray.events import Asked, Declared, Id, Judged, OrderSet, RelationSet, Rolled, Ruled, TurnBegan
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import submit_accepted
from tests.engine.test_unseen import GLADE, ROAD, of_type, pass_the_turn, reveal
from tests.engine.twins import SPECTATOR, Twins, open_events

FIGHTER = {"pc": True, "at": "hall", "strength": 4, "agility": 3, "dodge": 3, "withstand": 2, "panic": 2, "hp": 5}

BANDIT = {"side": "enemies", "block": "bandit", "at": "hall", "talents": {"drilled": 1}}

HALL: dict[str, Any] = {
    "system": "verdigris",
    "name": "a hall",
    "zone": [{"name": "hall"}],
    "combatant": [
        {"name": "Ada", "side": "party", **FIGHTER, "skills": {"bows": 2}, "weapons": ["longbow", "dagger"]},
        {"name": "Bram", "side": "party", **FIGHTER, "weapons": ["broad-sword"]},
        {"name": "Sergeant", **BANDIT, "hp": 20},
        {"name": "Lurker", **BANDIT, "hp": 9},
    ],
}


CLEARING: dict[str, Any] = {
    "system": "wyrd",
    "name": "a clearing",
    "combatant": [
        {"name": "Ada", "side": "party", "pc": True, "weapons": ["spear"]},
        {"name": "Bram", "side": "party", "pc": True, "weapons": ["longbow"]},
        {"name": "Orc", "side": "orcs", "block": "orc", "weapons": ["longbow"]},
        {"name": "Lurker", "side": "orcs", "block": "orc"},
    ],
}


def hall(*melees: tuple[Id, ...]) -> dict[str, Any]:
    """Return the hall with these melees."""
    return {**HALL, "melee": [{"members": list(members)} for members in melees]}


def to_the_turn_of(twins: Twins, who: Id) -> None:
    """Let the party roll initiative, and begin a combatant's turn once it is due."""
    twins.do("gm", "begin")
    twins.rule("dice", owner="*", source="entered")
    twins.do("ada", "roll_initiative")
    twins.enter(6)
    twins.rule("dice", owner="*", source="engine")
    twins.do(who, "begin_turn")


def play_to_mab(twins: Twins) -> None:
    """Begin, and end turns until it is Mab's."""
    twins.do("gm", "begin")
    while "mab" not in twins.fights[0].state.acting:
        pass_the_turn(twins)


def test_morale_is_rolled_against_the_lowest_known_score() -> None:
    """The fox has a Morale of 7 or 2; the open roll names the outlaw's 7 until the fox is revealed."""
    twins = Twins(ROAD, "The Fox", morale=2)
    play_to_mab(twins)
    twins.rule("morale", side="outlaws")
    (roll,) = [one for one in of_type(open_events(twins.fights[1]), Rolled) if one.purpose == "morale"]
    assert (roll.by, roll.against) == ("outlaw", 7)


def test_a_side_of_concealed_members_is_tested_in_secret() -> None:
    """Its own lowest Morale counts, and viewers read neither roll nor judgement."""
    road = deepcopy(ROAD)
    road["combatant"][2]["side"] = "foxes"
    twins = Twins(road, "The Fox", morale=2)
    play_to_mab(twins)
    twins.rule("morale", side="foxes")
    for fight, morale in zip(twins.fights, (7, 2), strict=True):
        (roll,) = [one.event for one in fight.history.recorded if isinstance(one.event, Rolled)][-1:]
        assert (roll.by, roll.against) == ("the-fox", morale)
        assert not of_type(open_events(fight), Judged)


def mill(lurkers: int = 1) -> Twins:
    """Return twins of the mill with one concealed orc, and with several."""
    told = deepcopy(load_shipped_encounters()["wyrd/mill"])
    told["combatant"].append({"name": "Lurker", "side": "orcs", "block": "orc", "at": "road"})
    twins = Twins(told, "Lurker", count=lurkers)
    twins.do("gm", "begin")
    return twins


def test_half_of_a_side_is_half_of_its_known_members() -> None:
    """Two of four orcs fall: that is half of them, however many more are concealed."""
    twins = mill(lurkers=6)
    asked = []
    for who in ("orc-a", "orc-b"):
        twins.rule("condition", who=who, condition="dead", count=1)
        asked.append(of_type(open_events(twins.fights[1]), Asked)[-1].options[0].says)
        twins.answer("gm", "holds")
    assert asked == [
        "test the Will of the orcs: their first casualty",
        "test the Will of the orcs: half of them are lost",
    ]


def test_the_fall_of_a_concealed_combatant_is_no_loss_to_its_side() -> None:
    """It is one once the combatant is revealed."""
    twins = mill()
    twins.rule("condition", who="lurker", condition="dead", count=1)
    for fight in twins.fights:
        assert fight.state.question is None
    reveal(twins.fights[0], "lurker")
    assert twins.fights[0].state.question is not None


@pytest.mark.parametrize("changed", [{"initiative": 1}, {"side": "village"}], ids=["tie", "ally"])
def test_the_open_order_cites_clauses_for_known_combatants(changed: dict[str, Any]) -> None:
    """Neither the concealed number nor the concealed side brings a clause in."""
    glade = deepcopy(GLADE)
    glade["combatant"][1].update(count=1, at="4,0")
    twins = Twins(glade, "Grole", **changed)
    twins.do("gm", "begin")
    twins.do("wren", "roll_initiative")
    (order,) = of_type(open_events(twins.fights[1]), OrderSet)
    assert order.rules == ("HEX-006", "HEX-003")


def test_a_shooter_in_melee_with_a_concealed_combatant_shoots_out_of_no_melee() -> None:
    """The clause for shots out of a melee is cited once the lurker is revealed."""
    twins = Twins(hall(("bram", "sergeant")), "Lurker", hall(("bram", "sergeant"), ("ada", "lurker")))
    to_the_turn_of(twins, "ada")
    twins.do("ada", "attack", target="sergeant", weapon="ada.longbow")
    (attack,) = [one for one in of_type(open_events(twins.fights[1]), Rolled) if one.purpose == "attack"]
    assert "VER-045" not in attack.rules


def test_a_concealed_drilled_friend_adds_no_die() -> None:
    """The sergeant withstands with the same dice, whether the lurker fights beside it or not."""
    twins = Twins(hall(("bram", "sergeant")), "Lurker", hall(("bram", "sergeant", "lurker")))
    to_the_turn_of(twins, "bram")
    twins.rule("dice", owner="*", source="entered")
    twins.do("bram", "attack", target="sergeant", weapon="bram.broad-sword")
    while (awaited := twins.fights[0].state.awaited) is None or awaited.purpose != "withstand":
        if awaited is None:
            twins.answer("bram", "keep")
        else:
            face = 1 if awaited.by == "sergeant" else 6
            twins.enter(*[face for dice in awaited.dice for _ in range(dice.count)])
    assert "drilled" not in repr(awaited.dice)


def melees_in(twins: Twins) -> list[tuple[Id, ...]]:
    """Return the members of each melee that viewers read of, in order."""
    found = of_type(open_events(twins.fights[1]), RelationSet)
    return [tuple(member.who for member in one.members) for one in found if one.kind == "melee"]


def settle(twins: Twins) -> None:
    """Throw high dice, push nothing and take no chance to strike, until nothing is asked."""
    while twins.fights[0].state.question or twins.fights[0].state.awaited:
        question, awaited = twins.fights[0].state.question, twins.fights[0].state.awaited
        if question is not None:
            choices = [option.choice for option in question.options]
            twins.answer(question.of[0], "keep" if "keep" in choices else "decline")
        elif awaited is not None:
            twins.enter(*[6 for dice in awaited.dice for _ in range(dice.count)])


def test_a_melee_ends_once_when_its_last_known_fighter_leaves() -> None:
    """A concealed enemy holds no combatant in it: viewers read that Bram leaves and the melee ends."""
    twins = Twins(hall(("bram", "sergeant")), "Lurker", hall(("bram", "sergeant", "lurker")))
    to_the_turn_of(twins, "bram")
    twins.rule("dice", owner="*", source="entered")
    twins.do("bram", "leave_melee")
    settle(twins)
    assert melees_in(twins) == [("bram", "sergeant"), ("sergeant",), ()]
    assert not twins.fights[1].state.relations.keys() & {"melee"}


def test_a_melee_ends_when_its_last_known_enemy_falls() -> None:
    """Ada and Bram are free again, though the lurker was with them."""
    members = ("ada", "bram", "sergeant")
    twins = Twins(hall(members), "Lurker", hall((*members, "lurker")))
    twins.do("gm", "begin")
    twins.rule("condition", who="sergeant", condition="slain", count=1)
    assert melees_in(twins)[-1] == ()


def test_a_ruling_that_moves_the_last_known_enemy_ends_the_melee() -> None:
    """The lurker is left alone, and viewers read the same with it and without it."""
    twins = Twins(hall(("bram", "sergeant")), "Lurker", hall(("bram", "sergeant", "lurker")))
    twins.do("gm", "begin")
    twins.rule("melee", members=["ada", "sergeant"])
    assert melees_in(twins)[-3:] == [("bram",), ("ada", "sergeant"), ()]


def test_a_melee_with_a_concealed_enemy_alone_is_hidden_from_viewers() -> None:
    """A melee of two friends would reveal a concealed enemy."""
    twins = Twins(hall(("bram", "sergeant")), "Lurker")
    twins.do("gm", "begin")
    (_, fight) = twins.fights
    before = len(open_events(fight))
    submit_accepted(
        fight, Ruled(kind="melee", params=Raw(b'{"members":["ada","bram","lurker"]}'), reason="they are upon them")
    )
    assert [one for one in melees_in(twins) if "ada" in one] == []
    assert project_state(SPECTATOR, fight.state).relations.keys() & fight.state.relations.keys() == {
        "seat-ada",
        "seat-bram",
    }
    assert len(open_events(fight)) > before


def test_the_observer_of_an_ambush_is_known() -> None:
    """The lurker would notice best; who sneaks is judged by the dice of the sergeant."""
    twins = Twins(hall(), "Lurker", skills={"awareness": 9})
    twins.do("gm", "surprise_check", ambushers=["bram"])
    settle(twins)
    notices = [one.by for one in of_type(open_events(twins.fights[1]), Rolled) if one.purpose.startswith("notice")]
    assert notices == ["sergeant"]


def test_combat_reflexes_of_a_concealed_player_character_do_not_count() -> None:
    """Ada and Bram are of one player; Bram's reflexes ease her roll once he is revealed."""
    told = hall()
    people = deepcopy(told["combatant"])
    for one in people[:2]:
        one["player"] = "Sanna"
    twins = Twins({**told, "combatant": people}, "Bram", talents={"combat-reflexes": 2})
    twins.do("gm", "begin")
    twins.do("ada", "roll_initiative")
    (roll,) = [one for one in of_type(open_events(twins.fights[1]), Rolled) if one.purpose == "initiative"]
    assert roll.pool == ()


def test_friends_with_a_concealed_enemy_alone_are_engaged_with_nobody() -> None:
    """Bram shoots without hindrance, although the lurker is in a melee with him and Ada."""
    twins = Twins(CLEARING, "Lurker", {**CLEARING, "melee": [{"members": ["ada", "bram", "lurker"]}]})
    twins.do("gm", "begin")
    twins.do("bram", "fire", target="orc", weapon="bram.longbow")
    assert of_type(open_events(twins.fights[1]), Rolled)


@pytest.mark.parametrize("groups", ["per_side", "single"])
def test_a_turn_of_one_known_combatant_cites_no_clause_on_groups(groups: str) -> None:
    """The outlaw acts together with the concealed fox, or for itself; viewers read the same of its turn."""
    twins = Twins({**ROAD, "config": {"foe_groups": groups}}, "The Fox", at="40,40")
    play_to_mab(twins)
    for fight in twins.fights:
        while "outlaw" not in fight.state.acting:
            submit_accepted(fight, Declared(actor=fight.state.acting[0], kind="end_turn", params=Raw(b"{}")))
        assert of_type(open_events(fight), TurnBegan)[-1].rules == ("WWN-006",)
