"""Groups and turn order count known combatants only: twins with another concealed one look alike."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Refused, begin_fight
from affray.engine.commands import Intent
from affray.engine.core.draft import Draft
from affray.engine.core.open_parts import open_part
from affray.engine.errors import Unusable
from affray.engine.visibility import project_state
from affray.events import Declared, Id, OrderSet, Rolled, Ruled, Slot, TurnBegan, TurnEnded
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_unseen import of_type
from tests.engine.twins import SPECTATOR, Twins, open_events
from tests.rulesets.statistics import make_declaration


def wwn(*foes: dict[str, Any], **config: Any) -> dict[str, Any]:
    """Return an encounter of Ada and foes."""
    ada = {"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}
    people = [ada, *({"side": "foes", "hp": 4, "attack": 0, **foe} for foe in foes)]
    return {"system": "wwn", "name": "n", "config": config, "combatant": people}


def slots_of(twins: Twins) -> list[tuple[str, ...]]:
    """Return who shares each slot of the order that is open in both twins."""
    return [slot.members for slot in of_type(open_events(twins.fights[0]), OrderSet)[-1].slots]


BOAR = {"name": "Boar", "side": "foes", "hp": 4, "attack": 0}


@pytest.mark.parametrize("changed", [{"quick": 20}, {"side": "others"}, {"group": "shadows"}], ids=str)
@pytest.mark.parametrize("said", [{}, {"group": "foes"}], ids=str)
def test_newcomer_acts_with_the_one_known_foe_alone(changed: dict[str, Any], said: dict[str, Any]) -> None:
    """Lurker has a separate slot anywhere: no newcomer is in it, and no open event has its id."""
    twins = Twins(wwn({"name": "Snag"}, {"name": "Lurker"}), "Lurker", **changed)
    twins.do("gm", "begin")
    twins.rule("join", combatant={**BOAR, **said})
    for fight in twins.fights:
        with_boar = [slot.members for slot in fight.state.slots if "boar" in slot.members]
        assert with_boar == [("boar",) if said else ("snag", "boar")]
        while fight.state.round == 1:
            submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
            assert project_state(SPECTATOR, fight.state).up != "lurker"
    assert "lurker" not in repr(open_events(twins.fights[0]))


def test_newcomer_leaves_the_group_of_a_concealed_foe_where_that_has_another_name() -> None:
    """Snag and Lurker are the shadows; all viewers read that Snag and Boar are the foes."""
    twins = Twins(wwn({"name": "Snag"}, {"name": "Lurker"}), "Lurker")
    for fight in twins.fights[:1]:
        rule(fight, "group", group="shadows", members=["snag", "lurker"])
    twins.do("gm", "begin")
    twins.rule("join", combatant=BOAR)
    assert slots_of(twins).count(("snag", "boar")) == 1


def test_concealed_newcomer_acts_alone_beside_one_known_foe() -> None:
    """It is as if it had been there from the start: who is alone but for concealed combatants acts alone."""
    fight = begin_fight("n", wwn({"name": "Snag"}), who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    rule(fight, "join", combatant={**BOAR, "concealed": True})
    assert [slot.members for slot in fight.state.slots if {"snag", "boar"} & {*slot.members}] == [("snag",), ("boar",)]


def test_slot_called_like_a_concealed_combatant_is_in_no_open_event() -> None:
    """Boar acts in the slot of Snag, who is concealed by now: order, turn and its end are sealed as they name Snag."""
    fight = begin_fight("n", wwn({"name": "Snag"}), who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    rule(fight, "join", combatant=BOAR)
    rule(fight, "conceal", who="snag")
    before = len(open_events(fight))
    rule(fight, "join", combatant={**BOAR, "name": "Hog"}, initiative=3)
    while fight.state.round < 3:
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
        assert project_state(SPECTATOR, fight.state).up != "snag"
    opened = of_type(open_events(fight)[before:], OrderSet, TurnBegan, TurnEnded)
    assert opened
    assert "snag" not in repr(opened)


def test_open_part_of_an_order_has_no_slot_called_like_a_concealed_combatant() -> None:
    """Even with known members only; but a group may share a concealed combatant's name."""
    fight = begin_fight("n", wwn({"name": "Snag"}, {"name": "Grub"}), who="gm", seed=SEED, clock=noon, salts=salt)
    rule(fight, "conceal", coming="Lurker")
    order = OrderSet(slots=(Slot(id="ada", members=("ada",)), Slot(id="lurker", members=("snag",))))
    assert open_part(order, Draft(fight.state)) == replace(order, slots=order.slots[:1])
    called = {**fight.state.relations, "lurker": fight.state.relations["foes"]}
    assert open_part(order, Draft(replace(fight.state, relations=called))) is None


PACK: dict[str, dict[str, Any]] = {
    "hexblade": {
        "combatant": [
            {"name": "Ada", "side": "wardens", "block": "fighter", "at": "0,0"},
            {"name": "Fang", "side": "pack", "block": "bandit", "initiative": 12, "at": "3,0"},
            {"name": "Grey", "side": "pack", "block": "bandit", "initiative": 8, "at": "4,0"},
            {"name": "Lurker", "side": "pack", "block": "bandit", "initiative": 10, "at": "6,0"},
        ]
    },
    "vestige": {
        "combatant": [
            {"name": "Ada", "side": "wardens", "block": "hero"},
            {"name": "Bo", "side": "wardens", "block": "hero"},
            *({"name": name, "side": "pack", "block": "minion"} for name in ("Fang", "Grey", "Lurker")),
        ]
    },
    "wwn": wwn({"name": "Fang"}, {"name": "Grey"}, {"name": "Lurker"}, foe_groups="single"),
}
"""Per system two wolves and Lurker, who act each by themselves."""


def pack(system: str) -> Twins:
    """Return twins that have begun, in which Ada may be asked for no input."""
    twins = Twins({"system": system, "name": "n", **PACK[system]}, "Lurker")
    twins.do("gm", "begin", **({"cause": "threat"} if system == "vestige" else {}))
    if system == "hexblade":
        twins.do("ada", "roll_initiative")
    return twins


def reorder(twins: Twins, *orders: list[Id]) -> None:
    """Set the order of each twin; who is not named follows."""
    told = []
    for fight, order in zip(twins.fights, orders, strict=True):
        rest = [slot.id for slot in fight.state.slots if slot.id not in order]
        told.append(Ruled(kind="reorder", params=Raw(msgspec.json.encode({"order": [*order, *rest]})), reason="so"))
    twins.send(*told)


@pytest.mark.parametrize("system", sorted(PACK))
@pytest.mark.parametrize("initiative", [-9, 5, 10, 40])
def test_newcomer_has_its_place_among_known_combatants(system: str, initiative: int) -> None:
    """Lurker's place, such as after a delayed turn, does not change the others' places."""
    twins = pack(system)
    known = [slot.id for slot in project_state(SPECTATOR, twins.fights[0].state).slots]
    reorder(twins, ["lurker", *known], [*known, "lurker"])
    newcomer = dict(PACK[system]["combatant"][-2], name="New") | ({"at": "5,5"} if system == "hexblade" else {})
    twins.rule("join", combatant=newcomer, initiative=initiative)
    assert "lurker" not in repr(open_events(twins.fights[0]))


@pytest.mark.parametrize("initiative", [-9, 1, 3, 5, 40])
def test_newcomer_waits_in_a_concealed_turn_where_a_known_one_behind_it_acted(initiative: int) -> None:
    """Ada has had her turn, and Lurker has its own, before or behind the place of the newcomer."""
    twins = pack("wwn")
    reorder(twins, ["ada", "lurker", "fang", "grey"], ["ada", "lurker", "fang", "grey"])
    for fight in twins.fights:
        while fight.state.acting != ("lurker",):
            submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    others = (["ada", "fang", "grey", "lurker"], ["lurker", "ada", "fang", "grey"])
    reorder(twins, *others)
    twins.rule("join", combatant={**BOAR, "name": "New"}, initiative=initiative)
    waits = "waits" in repr(project_state(SPECTATOR, twins.fights[0].state).marks.get("new"))
    order = [slot.id for slot in project_state(SPECTATOR, twins.fights[0].state).slots]
    assert waits == (order.index("new") < order.index("ada"))


@pytest.mark.parametrize("after", ["", "lurker"])
def test_loose_mount_has_the_number_of_a_known_slot(after: Id) -> None:
    """It is the last known number before its place, even after Lurker, with any number of Lurker."""
    told = wwn({"name": "Snag"}, {"name": "Lurker"}, foe_groups="single")
    told["combatant"].append({"name": "Grey", "side": "party", "block": "warhorse"})
    twins = Twins(told, "Lurker", quick=20)
    twins.do("gm", "begin")
    reorder(twins, ["ada", "snag", "lurker"], ["ada", "snag", "lurker"])
    twins.rule("loose", mount="grey", **({"after": after} if after else {}))
    order = of_type(open_events(twins.fights[0]), OrderSet)[-1].slots
    assert [(slot.id, slot.score) for slot in order][1:] == [("snag", order[1].score), ("grey", order[1].score)]


@pytest.mark.parametrize("wolves", [2, 3])
@pytest.mark.parametrize("system", sorted(PACK))
def test_letter_that_tells_of_concealed_combatants_is_refused_beside_a_concealed_newcomer(
    system: str, wolves: int
) -> None:
    """Only a concealed newcomer goes on with the letters of concealed ones, and hides those of newcomers after it."""
    entry = {key: value for key, value in PACK[system]["combatant"][-1].items() if key != "at"}
    places = iter(f"{at},7" for at in range(9))

    def wolf(count: int = 1, **said: Any) -> dict[str, Any]:
        at = [next(places) for _ in range(count)]
        here = {"at": at if count > 1 else at[0]} if system == "hexblade" else {}
        return {**entry, "name": "Wolf", **({"count": count} if count > 1 else {}), **here, **said}

    told = {"system": system, "name": "n", **PACK[system]}
    told["combatant"] = [*told["combatant"], wolf(wolves, concealed=True)]
    fight = begin_fight("n", told, who="gm", seed=SEED, clock=noon, salts=salt)
    for newcomers in ([wolf(), wolf(name="Ghoul", concealed=True)], [wolf(concealed=True), wolf()]):
        with pytest.raises(Unusable, match="the next letter would tell of a concealed combatant"):
            rule(fight, "join", combatant=newcomers)
    rule(fight, "join", combatant=[wolf(concealed=True), wolf(name="Ghoul")])
    assert "wolf" not in repr(open_events(fight))


def end_turns_until(twins: Twins, who: Id) -> None:
    """Let each twin go on to a turn of its next round."""
    for fight in twins.fights:
        then = fight.state.round
        while fight.state.round == then or fight.state.acting != (who,):
            submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    twins.must_look_alike()


@pytest.mark.parametrize("system", ["vestige", "wwn"])
def test_group_acts_in_the_place_of_its_first_known_member(system: str) -> None:
    """Lurker, acting at any place, is in it too, and follows at once or from the next round on."""
    twins = pack(system)
    order = ["ada", "bo", "fang", "grey"] if system == "vestige" else ["ada", "fang", "grey"]
    reorder(twins, [*order[::-1], "lurker"], [*order[::-1], "lurker"])
    reorder(twins, ["lurker", *order], [*order[:-2], "lurker", *order[-2:]])
    end_turns_until(twins, "ada")
    twins.rule("group", group="wolves", members=["lurker", "grey", "fang"])
    assert slots_of(twins)[-1] == ("grey", "fang")
    end_turns_until(twins, "ada")
    for fight in twins.fights:
        assert fight.state.slots[-1].members == ("lurker", "grey", "fang")
        assert "regroups" not in repr(fight.state.marks)


@pytest.mark.parametrize("system", ["vestige", "wwn", "wyrd"])
def test_turn_of_a_concealed_member_brings_no_known_one_up(system: str) -> None:
    """Lurker is with the wolves as group or side, or alone. It has one turn, they have theirs."""
    told = {"system": system, "name": "n", **PACK.get(system, PACK_OF_WYRD)}
    changed: dict[str, Any] = {"side": "others"} if system == "wyrd" else {}
    twins = Twins(told, "Lurker", **changed)
    if system != "wyrd":
        groups = (["lurker", "fang", "grey"], ["fang", "grey"])
        twins.send(*[make_order_ruling("group", group="wolves", members=members) for members in groups])
    twins.do("gm", "begin", **({"cause": "threat"} if system == "vestige" else {}))
    twins.rule("turn", who="lurker")
    for fight in twins.fights:
        turns = list[tuple[Id, ...]]()
        while fight.state.round < 2:
            if fight.state.acting not in turns:
                turns.append(fight.state.acting)
            submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
        assert ("lurker",) in turns
        assert [one for one in turns[:-1] if "fang" in one]
    told_of = [of_type(open_events(fight), TurnBegan, TurnEnded) for fight in twins.fights]
    assert told_of[0] == told_of[1]


@pytest.mark.parametrize(
    "intent", [make_declaration("lurker", "delay"), Ruled(kind="late_delay", params=Raw(b"{}"), reason="so")]
)
def test_a_turn_apart_from_the_slot_cannot_be_delayed(intent: Intent) -> None:
    """It has no place to come back to."""
    fight = begin_fight("n", {"system": "vestige", "name": "n", **PACK["vestige"]}, who="gm", seed=SEED, clock=noon)
    rule(fight, "group", group="wolves", members=["lurker", "fang", "grey"])
    rule(fight, "conceal", who="lurker")
    submit_accepted(fight, make_declaration("gm", "begin", cause="threat"))
    rule(fight, "turn", who="lurker")
    while fight.state.acting != ("lurker",):
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    with pytest.raises(Refused, match="apart from its slot cannot be delayed"):
        submit_accepted(fight, intent)


def make_order_ruling(kind: str, **params: Any) -> Ruled:
    """Return a ruling."""
    return Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so")


PACK_OF_WYRD = {
    "combatant": [
        {"name": "Ada", "side": "wardens", "pc": True, "weapons": ["spear"]},
        *({"name": name, "side": "pack", "block": "orc"} for name in ("Fang", "Grey", "Lurker")),
    ]
}
"""As ``PACK``, for the Wyrd rules, in which sides act."""


def test_group_of_known_combatants_does_not_wait_for_a_concealed_group() -> None:
    """Lurker and Shade are grouped after Lurker had its turn, or before; the wolves act together at once."""
    told = wwn({"name": "Fang"}, {"name": "Grey"}, {"name": "Lurker"}, {"name": "Shade"}, foe_groups="single")
    told["combatant"][-1]["concealed"] = True
    twins = Twins(told, "Lurker")
    twins.do("gm", "begin")
    order = ["grey", "fang", "ada", "lurker", "shade"]
    reorder(twins, order, order)
    reorder(twins, ["lurker", "ada", "shade", "fang", "grey"], ["ada", "lurker", "shade", "fang", "grey"])
    end_turns_until(twins, "ada")
    twins.rule("group", group="shadows", members=["lurker", "shade"])
    twins.rule("group", group="wolves", members=["fang", "grey"])
    assert slots_of(twins) == [("ada",), ("fang", "grey")]
    end_turns_until(twins, "ada")
    for fight in twins.fights:
        assert {slot.members for slot in fight.state.slots} == {("ada",), ("fang", "grey"), ("lurker", "shade")}


@pytest.mark.parametrize("members", [["fang", "grey"], ["fang", "grey", "lurker"]], ids=len)
def test_group_comes_about_in_the_new_round_although_a_concealed_combatant_delays(members: list[Id]) -> None:
    """Lurker delays its turn, or ends it; one that has delayed joins its group in a later round."""
    twins = pack("vestige")
    order = ["ada", "lurker", "bo", "fang", "grey"]
    reorder(twins, order[::-1], order[::-1])
    reorder(twins, order, order)
    end_turns_until(twins, "lurker")
    if "lurker" in members:
        twins.rule("group", group="wolves", members=members)
    twins.send(*[Declared(actor="lurker", kind=kind, params=Raw(b"{}")) for kind in ("delay", "end_turn")])
    while (now := twins.fights[0].state).acting != ("ada",):
        if now.acting == ("fang",) and "lurker" not in members:
            twins.rule("group", group="wolves", members=members)
        twins.do(now.acting[0], "end_turn")
    assert ("fang", "grey") in slots_of(twins)


def test_a_group_rolls_in_the_roster_place_of_its_first_known_member() -> None:
    """Lurker comes before Bo in the roster, and is in the group of the wolves or was split off."""
    ada, bo, fang, grey, lurker = PACK["vestige"]["combatant"]
    told = {"system": "vestige", "name": "n", "combatant": [ada, {**lurker, "concealed": True}, bo, fang, grey]}
    for splits in (True, False):
        fight = begin_fight("n", told, who="gm", seed=SEED, clock=noon, salts=salt)
        rule(fight, "group", group="wolves", members=["lurker", "fang", "grey"])
        if splits:
            rule(fight, "split", who="lurker")
        submit_accepted(fight, make_declaration("gm", "begin", cause="threat"))
        rolls = [one.roll for one in of_type(open_events(fight), Rolled)]
        assert [roll.rpartition(":")[2] for roll in rolls] == ["ada", "bo", "wolves"]
