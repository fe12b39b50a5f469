"""Windows, questions, turns and relations of several combatants, one of them concealed.

Everybody reads the event without the concealed combatant; the whole event is sealed.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.ledger import collect_chances
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.errors import EngineError
from affray.engine.visibility import can_read, project_state
from affray.events import (
    Answered,
    Asked,
    Declared,
    DiceEntered,
    Event,
    Id,
    OfferDeclined,
    Option,
    OrderSet,
    Passed,
    PoolChanged,
    RelationSet,
    TurnBegan,
    WindowClosed,
    WindowOpened,
)
from affray.tools.present.story.narration import tell_all
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_unseen import BRIDGE, GLADE, ROAD, gatehouse, of_type, pass_the_turn, reveal
from tests.engine.twins import SPECTATOR, NamedDice, Twins, fold_open_events, open_events
from tests.rulesets.systems import SYSTEMS


def sealed_of(fight: Fight, *kinds: type[Event]) -> list[Any]:
    """Return the events of some types that a spectator may not read."""
    return [
        one.event for one in fight.history.recorded if isinstance(one.event, kinds) and not can_read(SPECTATOR, one)
    ]


def pass_to_mab(twins: Twins) -> None:
    """Begin, and let turns pass until it is Mab's."""
    twins.do("gm", "begin")
    while "mab" not in twins.fights[0].state.acting:
        pass_the_turn(twins)


def test_a_window_for_a_concealed_combatant_alone_is_sealed() -> None:
    """No known combatant can snap: the fox is asked, at any place, and the window is sealed."""
    twins = Twins(ROAD, "The Fox", at="40,40")
    pass_to_mab(twins)
    before = len(of_type(open_events(twins.fights[0]), WindowOpened))
    (fight, _) = twins.fights
    submit_accepted(fight, make_declared("mab", "move", path=["0,1"]))
    assert fight.state.window is not None
    assert fight.state.window.to == ("the-fox",)
    assert project_state(SPECTATOR, fight.state).window is None
    submit_accepted(fight, Passed(window=fight.state.window.id, who="the-fox"))
    assert len(of_type(open_events(fight), WindowOpened)) == before
    assert {type(one) for one in sealed_of(fight, WindowOpened, Passed, OfferDeclined, WindowClosed)} == {
        WindowOpened, Passed, OfferDeclined, WindowClosed,
    }  # fmt: skip


def make_declared(actor: Id, kind: str, **params: Any) -> Declared:
    """Return a declaration."""
    return Declared(actor=actor, kind=kind, params=Raw(msgspec.json.encode(params)))


def test_a_window_of_several_lists_known_combatants_openly() -> None:
    """The outlaw is asked openly, with or without a concealed one beside it; both may let it pass."""
    road = deepcopy(ROAD)
    road["combatant"][1].update(at="2,0")
    twins = Twins(road, "The Fox", at="40,40")
    pass_to_mab(twins)
    twins.do("mab", "move", path=["0,1"])
    opened = of_type(open_events(twins.fights[0]), WindowOpened)[-1]
    assert opened.to == ("outlaw",)
    assert sealed_of(twins.fights[0], WindowOpened)[-1].to == ("outlaw", "the-fox")
    twins.let_pass("outlaw")
    assert of_type(open_events(twins.fights[0]), WindowClosed)[-1].window == opened.window


def test_a_window_is_opened_anew_for_who_is_revealed_in_it() -> None:
    """From then on all viewers know that it is asked."""
    twins = Twins(ROAD, "The Fox")
    pass_to_mab(twins)
    (fight, _) = twins.fights
    submit_accepted(fight, make_declared("mab", "move", path=["0,1"]))
    reveal(fight, "the-fox")
    assert of_type(open_events(fight), WindowOpened)[-1].to == ("the-fox",)
    window = project_state(SPECTATOR, fight.state).window
    assert window is not None
    assert window.to == ("the-fox",)


def test_the_order_of_turns_is_open_without_the_concealed() -> None:
    """So is each turn of a known combatant."""
    twins = Twins(BRIDGE, "Captain", at="8,3")
    twins.do("gm", "begin", cause="threat")
    (order,) = of_type(open_events(twins.fights[0]), OrderSet)
    assert {slot.id for slot in order.slots} == {"ilse", "bandit"}


def test_a_turn_of_several_begins_openly_and_once() -> None:
    """A side has its turn, whether a concealed member of it has one too or is down; it counts as one turn."""
    twins = Twins(load_shipped_encounters()["wyrd/barrow"], "The King")
    twins.do("gm", "begin")
    for fight in twins.fights:
        while not any(one.slot == "barrow" for one in of_type(open_events(fight), TurnBegan)):
            submit_accepted(fight, make_declared(fight.state.acting[0], "end_turn"))
        began = of_type(open_events(fight), TurnBegan)[-1]
        assert began.members == ("retainer-a", "retainer-b")
        assert sealed_of(fight, TurnBegan)[-1].members == ("the-king", "retainer-a", "retainer-b")
        assert fight.state.counts["barrow/turn"] == 1
        assert "the-king" in fight.state.acting


def test_the_game_master_is_told_of_a_turn_and_of_a_window_once() -> None:
    """The open part and the whole event are one headline and one chance."""
    (barrow, _) = Twins(load_shipped_encounters()["wyrd/barrow"], "The King").fights
    submit_accepted(barrow, make_declared("gm", "begin"))
    while barrow.state.up != "barrow":
        submit_accepted(barrow, make_declared(barrow.state.acting[0], "end_turn"))
    turns = [line for line in tell_all(barrow.history.recorded, barrow) if "urn of" in line]
    assert len([text for text in turns if "Retainer" in text]) == 1
    assert "The King" in turns[-1]
    road = deepcopy(ROAD)
    road["combatant"][1].update(at="2,0")
    twins = Twins(road, "The Fox")
    pass_to_mab(twins)
    twins.do("mab", "move", path=["0,1"])
    assert collect_chances(twins.fights[0].history)[-1].to == ("outlaw", "the-fox")
    assert len({chance.id for chance in collect_chances(twins.fights[0].history)}) == len(
        collect_chances(twins.fights[0].history)
    )


def test_the_phases_of_a_concealed_turn_are_sealed() -> None:
    """Players read that no combatant has the turn; its actions are in no open line."""
    road = deepcopy(ROAD)
    road["combatant"][2].update(quick=True, at="4,4")
    (fight, _) = Twins(road, "The Fox").fights
    submit_accepted(fight, make_declared("gm", "begin"))
    while fight.state.acting != ("the-fox",):
        submit_accepted(fight, make_declared(fight.state.acting[0], "end_turn"))
    seen = project_state(SPECTATOR, fight.state)
    assert (seen.up, seen.acting, seen.phase) == ("", (), "")
    before = len(open_events(fight))
    submit_accepted(fight, make_declared("the-fox", "move", path=["5,5"]))
    while fight.state.window is not None:
        submit_accepted(fight, Passed(window=fight.state.window.id, who=fight.state.window.to[0]))
    assert fight.state.combatants["the-fox"].place == "5,5"
    assert len(open_events(fight)) == before
    submit_accepted(fight, make_declared("the-fox", "end_turn"))
    assert isinstance(open_events(fight)[before], TurnBegan)


def test_a_concealed_combatant_that_delays_is_like_one_that_ends_its_turn() -> None:
    """Either way the next open lines begin the turn of the wolf."""
    wolf = {"side": "p", "agility": 8, "might": 2, "health": 6, "weapons": ["knife"]}
    runa = {"name": "Runa", "side": "w", "agility": 14, "might": 3, "health": 9, "weapons": ["sword"], "at": "1,1"}
    people = [runa, {**wolf, "name": "Wolf", "at": "6,1"}, {**wolf, "name": "Lurker", "at": "9,9", "concealed": True}]
    told = {"system": "vestige", "name": "n", "board": {}, "combatant": people}
    read = []
    for kind in ("delay", "end_turn"):
        fight = begin_fight("q", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
        submit_accepted(fight, make_declared("gm", "begin"))
        while fight.state.acting != ("lurker",):
            submit_accepted(fight, make_declared(fight.state.acting[0], "end_turn"))
        before = len(open_events(fight))
        submit_accepted(fight, make_declared("lurker", kind))
        read.append(open_events(fight)[before:])
        assert fold_open_events(open_events(fight)).phase == project_state(SPECTATOR, fight.state).phase == "turn"
    delayed, ended = read
    assert delayed == ended
    assert isinstance(ended[0], TurnBegan)
    assert ended[0].members == ("wolf",)


def test_what_a_concealed_combatant_does_to_others_is_open() -> None:
    """Hit points are lost openly; the blow that cost them, and its dice, are sealed."""
    (fight, _) = Twins(ROAD, "The Fox").fights
    submit_accepted(fight, make_declared("gm", "begin"))
    while fight.state.acting != ("the-fox",):
        submit_accepted(fight, make_declared(fight.state.acting[0], "end_turn"))
    rule(fight, "dice", owner="*", source="entered")
    before = len(open_events(fight))
    submit_accepted(fight, make_declared("the-fox", "attack", target="mab", weapon="the-fox.sword_short", mode="melee"))
    while fight.state.window is not None:
        submit_accepted(fight, Passed(window=fight.state.window.id, who=fight.state.window.to[0]))
    while (awaited := fight.state.awaited) is not None:
        submit_accepted(fight, DiceEntered(roll=awaited.roll, faces=(awaited.dice[0].sides,)))
    (lost,) = open_events(fight)[before:]
    assert isinstance(lost, PoolChanged)
    assert (lost.who, lost.pool) == ("mab", "hp")


def test_a_fight_goes_on_for_a_concealed_enemy() -> None:
    """With the last known enemy gone, players can tell that there is another."""
    alone = {**ROAD, "combatant": ROAD["combatant"][:2]}
    ended = begin_fight("drawn", alone, who="gm", seed=SEED, clock=noon)
    for fight in (ended, Twins(ROAD, "The Fox").fights[0]):
        submit_accepted(fight, make_declared("gm", "begin"))
        rule(fight, "leave", who="outlaw")
        assert fight.state.ended == (fight is ended)


def test_a_melee_is_open_without_its_concealed_member() -> None:
    """As it was set up, and as it changes; where too few are left it is none to see."""
    (fight, _) = Twins(gatehouse("hild", "orc-a", "ugrak"), "Ugrak").fights
    (melee,) = [one for one in of_type(open_events(fight), RelationSet) if one.kind == "melee"]
    assert [one.who for one in melee.members] == ["hild", "orc-a"]
    rule(fight, "melee", members=["hild", "ugrak"])
    assert of_type(open_events(fight), RelationSet)[-1].members == ()
    assert "melee" not in project_state(SPECTATOR, fight.state).relations


def cave(*concealed: str) -> Fight:
    """Return a fight with a melee of Ada, Bram and the ogre."""
    told = deepcopy(load_shipped_encounters()["verdigris/ogre-cave"])
    for entry in told["combatant"]:
        if entry["name"] in concealed:
            entry["concealed"] = True
    return begin_fight("cave", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)


def melee_of(fight: Fight) -> list[Id]:
    """Return the members of the melee that a spectator sees."""
    return [one.who for one in project_state(SPECTATOR, fight.state).relations["melee"].members]


def test_ruling_moves_concealed_combatant_out_of_melee_unseen() -> None:
    """The command is sealed; a spectator folds the same melee that the server shows."""
    fight = cave("Ada")
    before = open_events(fight)
    rule(fight, "place", who="ada", to="shaft")
    assert [one.who for one in fight.state.relations["melee"].members] == ["bram", "ogre"]
    assert open_events(fight) == before
    (left,) = [one for one in fight.history.recorded if isinstance(one.event, RelationSet)][-1:]
    assert left.audience == ("ada",)
    assert fold_open_events(before).relations == project_state(SPECTATOR, fight.state).relations


def turn_of_ada() -> Fight:
    """Return a fight on concealed Ada's turn."""
    fight = cave("Ada")
    submit_accepted(fight, make_declared("gm", "begin"))
    rule(fight, "dice", owner="*", source="entered")
    rule(fight, "seat", seat="seat-ada")
    submit_accepted(fight, make_declared("ada", "roll_initiative"))
    while (awaited := fight.state.awaited) is not None:
        submit_accepted(fight, DiceEntered(roll=awaited.roll, faces=(6,) if awaited.by == "ada" else (1,)))
    submit_accepted(fight, make_declared("ada", "begin_turn"))
    rule(fight, "dice", owner="*", source="engine")
    return fight


def test_concealed_combatant_leaves_melee_unseen_by_its_own_action() -> None:
    """Ada leaves the melee in her turn; no relation is recorded openly."""
    fight = turn_of_ada()
    before = of_type(open_events(fight), RelationSet)
    rule(fight, "dice", owner="*", source="entered")
    submit_accepted(fight, make_declared("ada", "leave_melee"))
    while not fight.state.quiet:
        if (awaited := fight.state.awaited) is not None:
            faces = tuple(6 if awaited.by == "ada" else 1 for dice in awaited.dice for _ in range(dice.count))
            submit_accepted(fight, DiceEntered(roll=awaited.roll, faces=faces))
        elif (intent := choose_sensibly(fight, Random(1), lambda _: True)) is not None:
            submit_accepted(fight, intent)
    assert [one.who for one in fight.state.relations["melee"].members] == ["bram", "ogre"]
    assert of_type(open_events(fight), RelationSet) == before
    assert melee_of(fight) == ["bram", "ogre"]


def test_concealed_combatant_joins_melee_unseen() -> None:
    """Ada comes back into the melee, and spectators have its other members already."""
    fight = turn_of_ada()
    rule(fight, "place", who="ada", to="shaft")
    rule(fight, "place", who="ada", to="cave")
    before = of_type(open_events(fight), RelationSet)
    submit_accepted(fight, make_declared("ada", "enter_melee", target="ogre"))
    while (window := fight.state.window) is not None:
        submit_accepted(fight, Passed(window=window.id, who=window.to[0]))
    assert len(fight.state.relations["melee"].members) == 3
    assert of_type(open_events(fight), RelationSet) == before
    assert melee_of(fight) == ["bram", "ogre"]


def test_combatant_concealed_in_mid_fight_leaves_melee_unseen() -> None:
    """Spectators saw Ada in the melee; when she leaves it is not theirs to read."""
    fight = cave()
    rule(fight, "conceal", who="ada")
    assert melee_of(fight) == ["bram", "ogre"]
    before = open_events(fight)
    rule(fight, "place", who="ada", to="shaft")
    assert open_events(fight) == before
    assert melee_of(fight) == ["bram", "ogre"]


def test_known_combatant_leaves_melee_of_concealed_one_openly() -> None:
    """The ogre goes; Bram and the goblin stay in the melee, and so does Ada."""
    fight = cave("Ada")
    rule(fight, "melee", members=["ada", "bram", "ogre", "netter-a"])
    rule(fight, "place", who="ogre", to="mouth")
    assert [one.who for one in of_type(open_events(fight), RelationSet)[-1].members] == ["bram", "netter-a"]
    assert fold_open_events(open_events(fight)).relations == project_state(SPECTATOR, fight.state).relations


def test_concealed_combatant_changes_its_place_in_turn_order_unseen() -> None:
    """The order of all others stays as it was until one of them has another place, or leaves."""
    (fight, _) = Twins(BRIDGE, "Captain", at="8,3").fights
    submit_accepted(fight, make_declared("gm", "begin", cause="threat"))
    before = len(of_type(open_events(fight), OrderSet))
    known = [slot.id for slot in fight.state.slots if slot.id != "captain"]
    for order in ([known[0], "captain", *known[1:]], [*known, "captain"]):
        rule(fight, "reorder", order=order)
    assert len(of_type(open_events(fight), OrderSet)) == before
    rule(fight, "reorder", order=[*reversed(known), "captain"])
    assert len(of_type(open_events(fight), OrderSet)) == before + 1
    rule(fight, "leave", who="captain")
    assert [slot.id for slot in fight.state.slots] == [*reversed(known)]
    assert len(of_type(open_events(fight), OrderSet)) == before + 1
    assert fold_open_events(open_events(fight)).slots == project_state(SPECTATOR, fight.state).slots


def test_a_question_lists_known_combatants_alone() -> None:
    """The open offer lacks the concealed combatant; the game master may still name it."""
    twins = Twins(GLADE, "Grole", hp=1)
    twins.do("gm", "begin")
    twins.do("wren", "roll_initiative")
    twins.do("wren", "begin_turn")
    (fight, _) = twins.fights
    twins.rule("place", who="raider-a", to="1,0")
    rule(fight, "place", who="grole", to="0,1")
    fight.submit(
        Command(id="oak", who="Wren", intent=make_declared("wren", "maneuver", what="climb the oak"), knows=())
    )
    (asked,) = of_type(open_events(fight), Asked)
    assert among(asked.options, "by") == ("wren", "raider-a")
    question = project_state(SPECTATOR, fight.state).question
    assert question is not None
    assert question.options == asked.options
    assert fight.state.question is not None
    assert among(fight.state.question.options, "by") == ("wren", "raider-a", "grole")


def among(options: tuple[Option, ...], name: str) -> tuple[str, ...]:
    """Return what can be chosen in a field of any option."""
    return next(field.among for option in options for field in option.fields if field.name == name)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_twins_stay_alike_in_whole_fights(system: str, seed: int) -> None:
    """With any concealed combatant at any place: the others' actions look the same."""
    chance = Random(f"{system} {seed}")
    told = chance.choice([one for one in load_shipped_encounters().values() if one["system"] == system])
    alone = [one for one in told["combatant"] if one.get("count", 1) == 1]
    hidden = chance.choice(alone)
    changed: dict[str, Any] = {"at": find_place(told, hidden, chance)} if isinstance(hidden.get("at"), str) else {}
    try:
        twins = Twins(told, hidden["name"], **changed)
    except EngineError:
        return
    for _ in range(60):
        one = twins.fights[0]
        intent = choose_sensibly(one, chance, lambda who: who != twins.hidden)
        if intent is None or isinstance(intent, Answered) or twins.hidden in repr(intent):
            return
        try:
            twins.send(intent)
        except EngineError:  # a concealed combatant stands in the way
            return


def find_place(told: dict[str, Any], hidden: dict[str, Any], chance: Random) -> str:
    """Return a place beside another combatant, or another zone."""
    zones = told.get("zone") or told.get("place")
    if zones:
        return str(chance.choice(zones)["name"])
    others = [one["at"] for one in told["combatant"] if isinstance(one.get("at"), str) and one is not hidden]
    x, y = (int(part) for part in chance.choice(others).split(","))
    return f"{x + 1},{y}"
