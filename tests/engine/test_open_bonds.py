"""Indirect hints at a concealed combatant: ended bonds, orders, former items, windows."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, Refused, begin_fight
from affray.engine.visibility import project_state
from affray.engine.visibility.audiences import find_audiences
from affray.events import MarkSet, OrderSet, Passed, RelationSet, Ruled, SideChanged, TurnBegan, WindowOpened
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_open_parts import pass_to_mab, turn_of_ada
from tests.engine.test_unseen import ROAD, of_type
from tests.engine.twins import SPECTATOR, Twins, fold_open_events, open_events
from tests.rulesets.statistics import make_declaration

HERO: dict[str, Any] = {
    "name": "Ilka",
    "side": "party",
    "pc": True,
    "hp": 5,
    **dict.fromkeys(("strength", "agility", "intelligence", "charisma", "dodge", "withstand", "panic"), 3),
    "at": "road",
}


def open_bonds_fight(told: dict[str, Any]) -> Fight:
    """Return a fight of an encounter."""
    return begin_fight("fight", {"name": "n", **told}, who="gm", seed=SEED, clock=noon, salts=salt)


def open_nag_riders() -> Fight:
    """Lurker rides a known nag, and is in a group with Asha."""
    warden = {"side": "wardens", "block": "raider"}
    people = [
        {"name": "Bran", "side": "raiders", "pc": True, "hp": 9, "attack": 1},
        {"name": "Lurker", **warden, "rides": "nag", "concealed": True},
        {"name": "Nag", "side": "wardens", "block": "warhorse"},
        {"name": "Asha", **warden},
    ]
    return open_bonds_fight({"system": "wwn", "combatant": people})


def wolves() -> Fight:
    """Fang is in a group with Lurker."""
    pack = [{"name": name, "side": "pack", "block": "minion"} for name in ("Fang", "Lurker")]
    fight = open_bonds_fight(
        {"system": "vestige", "combatant": [{"name": "Runa", "side": "wardens", "block": "hero"}, *pack]}
    )
    rule(fight, "conceal", who="lurker")
    rule(fight, "group", group="wolves", members=["fang", "lurker"])
    return fight


def open_melee_duel() -> Fight:
    """Lurker is in a melee with Sigrid."""
    orcs = [{"name": name, "side": "orcs", "block": "orc"} for name in ("Orc", "Lurker")]
    orcs[1]["concealed"] = True  # type: ignore[assignment]
    people = [{"name": "Sigrid", "side": "heirs", "pc": True, "weapons": ["spear"]}, *orcs]
    return open_bonds_fight({"system": "wyrd", "melee": [{"members": ["sigrid", "lurker"]}], "combatant": people})


@pytest.mark.parametrize("begin", [open_nag_riders, wolves, open_melee_duel])
def test_what_a_concealed_combatant_was_bound_to_is_not_told_when_it_leaves(begin: Any) -> None:
    """The bond was hidden; so viewers read neither its end nor the rest of it."""
    fight = begin()
    before = open_events(fight)
    rule(fight, "leave", who="lurker")
    assert open_events(fight) == before
    assert fold_open_events(before).relations == project_state(SPECTATOR, fight.state).relations
    assert all(len(relation.members) > 1 for relation in fight.state.relations.values())


@pytest.mark.parametrize(
    ("one", "other"), [({"side": "goblins"}, {"side": "wolves"}), ({"pc": True}, {"pc": False})], ids=["side", "hero"]
)
def test_the_order_of_sides_does_not_hang_on_a_concealed_combatant(one: dict[str, Any], other: dict[str, Any]) -> None:
    """On either side, and whether or not it is a player character."""
    numbers = {"grace": 4, "power": 4, "weapons": ["spear"]}
    people = [
        {"name": "Lurker", "side": "goblins", **numbers, **one},
        {"name": "Sigrid", "side": "heirs", "pc": True, "grace": 8, "weapons": ["longbow"]},
        {"name": "Wolf", "side": "wolves", **numbers},
        {"name": "Goblin", "side": "goblins", **numbers},
    ]
    twins = Twins({"system": "wyrd", "name": "n", "combatant": people}, "Lurker", **other)
    twins.do("gm", "begin")
    (order,) = of_type(open_events(twins.fights[0]), OrderSet)
    assert [slot.id for slot in order.slots] == ["heirs", "wolves", "goblins"]
    assert of_type(open_events(twins.fights[0]), TurnBegan)[0].members == ("sigrid",)


def test_no_mark_names_the_seat_of_a_concealed_hero_who_left() -> None:
    """The game master had said that it rolls for its side next."""
    robber = {"name": "Robber", "side": "enemies", "block": "bandit", "at": "road"}
    people = [HERO, {**HERO, "name": "Lurker", "concealed": True}, robber]
    fight = open_bonds_fight({"system": "verdigris", "zone": [{"name": "road"}], "combatant": people})
    rule(fight, "seat", seat="seat-lurker")
    rule(fight, "leave", who="lurker")
    assert "seat-lurker" not in msgspec.json.encode(project_state(SPECTATOR, fight.state)).decode()


def test_a_mark_of_a_thing_that_was_a_concealed_combatants_is_sealed() -> None:
    """Wren was given Lurker's axe; its id names its first owner."""
    axe = {"name": "Lurker", "side": "raiders", "block": "bandit", "concealed": True, "weapons": ["battle axe"]}
    people = [{"name": "Wren", "side": "heirs", "block": "bandit"}, axe]
    fight = open_bonds_fight({"system": "hexblade", "combatant": people})
    (item,) = [one for one in fight.state.items if one.startswith("lurker.battle")]
    rule(fight, "give", item=item, to="wren", where="pack")
    mark = MarkSet(owner=item, key="drawn", value=1)
    _, (readers,) = find_audiences(fight.state, [mark], fight.state_at)
    assert readers == ("lurker",)
    assert "lurker" not in msgspec.json.encode(project_state(SPECTATOR, fight.state)).decode()


def test_a_ruling_on_a_concealed_combatant_opens_no_window_anew() -> None:
    """Outlaw and fox are asked. In one fight the fox has nothing to answer with any more; in the other it rains."""
    road = deepcopy(ROAD)
    road["combatant"][1].update(at="2,0")
    twins = Twins(road, "The Fox")
    pass_to_mab(twins)
    twins.do("mab", "move", path=["0,1"])
    windows = [fight.state.window for fight in twins.fights]
    assert all(window is not None and window.to == ("outlaw", "the-fox") for window in windows)
    twins.send(
        *(
            Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so be it")
            for kind, params in (("pool", {"who": "the-fox", "pool": "main", "to": 0}), ("note", {"text": "it rains"}))
        )
    )
    one, other = (fight.state.window for fight in twins.fights)
    assert one is not None
    assert other is not None
    assert (one.to, other.to) == (("outlaw",), ("outlaw", "the-fox"))


def ruled_apart(twins: Twins, *rulings: tuple[str, dict[str, Any]]) -> None:
    """Rule something else in each twin."""
    twins.send(*(Ruled(kind=kind, params=Raw(msgspec.json.encode(one)), reason="so be it") for kind, one in rulings))


def test_a_concealed_combatant_that_can_answer_now_is_asked_unseen() -> None:
    """The window stays open for those who were asked; the fox comes into it, and may pass."""
    road = deepcopy(ROAD)
    road["combatant"][1].update(at="2,0")
    twins = Twins(road, "The Fox")
    pass_to_mab(twins)
    for fight in twins.fights:
        rule(fight, "pool", who="the-fox", pool="main", to=0)
    twins.do("mab", "move", path=["0,1"])
    ruled_apart(twins, ("pool", {"who": "the-fox", "pool": "main", "to": 1}), ("note", {"text": "it rains"}))
    one, other = (fight.state.window for fight in twins.fights)
    assert one is not None
    assert other is not None
    assert (one.to, other.to) == (("outlaw", "the-fox"), ("outlaw",))
    submit_accepted(twins.fights[0], Passed(window=one.id, who="the-fox"))
    twins.must_look_alike()


def test_a_question_is_not_told_again_as_a_choice_of_it_leaves_unseen() -> None:
    """The goblin strikes; a sealed ruling removes the concealed defender of Sigrid."""
    npc = {"grace": 4, "power": 4, "weapons": ["spear"]}
    people = [{"name": "Sigrid", "side": "heirs", "pc": True, "grace": 8, "weapons": ["spear"]}]
    people += [{"name": "Goblin", "side": "goblins", **npc}, {"name": "Lurker", "side": "heirs", **npc}]
    twins = Twins({"system": "wyrd", "name": "n", "combatant": people}, "Lurker")
    twins.do("gm", "begin")
    if "goblin" not in twins.fights[0].state.acting:
        twins.do("sigrid", "end_turn")
        for fight in twins.fights:
            submit_accepted(fight, make_declaration("lurker", "end_turn"))
    twins.do("goblin", "attack", target="sigrid")
    ruled_apart(twins, ("leave", {"who": "lurker"}), ("note", {"text": "it rains"}))
    one, other = (fight.state.question for fight in twins.fights)
    assert one is not None
    assert other is not None
    assert "lurker" not in str(one)
    assert one.id == other.id


def test_nobody_known_is_asked_behind_a_turn_that_nobody_knows_of() -> None:
    """Ilse delays, and then the fox has its turn: no table waits for her there, but behind Bram's next turn."""
    people = [{"name": name, "side": side, "block": "hero"} for name, side in (("Ilse", "blue"), ("Bram", "red"))]
    fox = {"name": "Fox", "side": "red", "block": "minion", "concealed": True}
    pairs = (("ilse", "bram"), ("ilse", "fox"), ("bram", "fox"))
    far = [{"between": list(pair), "metres": 9} for pair in pairs]
    fight = open_bonds_fight({"system": "vestige", "combatant": [*people, fox], "distance": far})
    submit_accepted(fight, make_declaration("gm", "begin"))
    with suppress(Refused):  # the dice may give this order already
        rule(fight, "reorder", order=["bram", "ilse", "fox"])
    while fight.state.round == 1:
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    turns = []
    while fight.state.window is None:
        (who,) = fight.state.acting
        turns.append(who)
        submit_accepted(fight, make_declaration(who, "delay" if who == "ilse" else "end_turn"))
    assert turns == ["bram", "ilse", "fox", "bram"]
    assert fight.state.window.to == ("ilse",)
    assert "fox" not in fight.state.window.id
    assert of_type(open_events(fight), WindowOpened) != []


def test_who_joins_unseen_rides_an_unseen_mount() -> None:
    """The game master announces a concealed stalker; its courser comes with it."""
    robber = {"name": "Robber", "side": "enemies", "block": "bandit", "at": "road"}
    stalker = {**robber, "name": "Stalker", "mount": "courser"}
    fight = open_bonds_fight({"system": "verdigris", "zone": [{"name": "road"}], "combatant": [HERO, robber]})
    rule(fight, "conceal", coming="Stalker")
    before = open_events(fight)
    rule(fight, "join", combatant=stalker)
    assert open_events(fight) == before
    assert [*project_state(SPECTATOR, fight.state).combatants] == ["ilka", "robber"]
    assert {"stalker", "stalker-courser"} <= {*fight.state.combatants}


@pytest.mark.parametrize("system", ["verdigris", "vestige"])
def test_a_sealed_ruling_that_ends_a_bond_says_nothing_of_it(system: str) -> None:
    """Lurker leaves a hidden melee, or a hidden group."""
    if system == "verdigris":
        robber = {"name": "Robber", "side": "enemies", "block": "bandit", "at": "road"}
        lurker = {**robber, "name": "Lurker", "concealed": True}
        people = {
            "zone": [{"name": "road"}],
            "melee": [{"members": ["ilka", "lurker"]}],
            "combatant": [HERO, robber, lurker],
        }
        fight, ruled = open_bonds_fight({"system": "verdigris", **people}), ("unable", {"who": "lurker", "able": False})
    else:
        fight, ruled = wolves(), ("sheet", {"who": "lurker", "stat": "might", "to": 9})
    rule(fight, ruled[0], **ruled[1])
    if system == "vestige":  # who is not alike leaves the group as the dice are thrown
        submit_accepted(fight, make_declaration("gm", "begin"))
    assert not [one for one in of_type(open_events(fight), RelationSet) if one.relation in ("melee", "wolves")]
    assert not {"melee", "wolves"} & {*project_state(SPECTATOR, fight.state).relations}


@pytest.mark.parametrize("side", ["raiders", "strays"])
def test_a_known_combatant_changes_sides_openly(side: str) -> None:
    """With or without a concealed combatant alone on its new side."""
    people = [{"name": name, "side": "raiders", "block": "bandit"} for name in ("Scout", "Lurker", "Guard")]
    people[1].update(side=side, concealed=True)  # type: ignore[call-overload]
    fight = open_bonds_fight(
        {"system": "hexblade", "combatant": [*people, {"name": "Wren", "side": "heirs", "block": "bandit"}]}
    )
    rule(fight, "side", who="scout", side="strays")
    (changed,) = of_type(open_events(fight), SideChanged)
    assert changed.who == "scout"
    assert fold_open_events(open_events(fight)).combatants == project_state(SPECTATOR, fight.state).combatants


@pytest.mark.parametrize("last", ["snag", "lurker"])
def test_a_newcomer_has_the_score_of_the_last_whom_all_know(last: str) -> None:
    """A concealed foe is before or after Snag in the order."""
    foes = [{"name": name, "side": "foes", "hp": 4, "attack": 0} for name in ("Snag", "Lurker")]
    foes[1]["concealed"] = True
    told = [{"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}, *foes]
    fight = open_bonds_fight({"system": "wwn", "config": {"foe_groups": "single"}, "combatant": told})
    submit_accepted(fight, make_declaration("gm", "begin"))
    rule(fight, "reorder", order=["ada", *sorted(("snag", "lurker"), key=lambda who: who == last)])
    rule(fight, "join", combatant={"name": "Grub", "side": "foes", "hp": 4, "attack": 0})
    scores = {slot.id: slot.score for slot in of_type(open_events(fight), OrderSet)[-1].slots}
    assert scores["grub"] == scores["snag"]


def test_about_an_action_of_which_nobody_knows_nobody_known_is_asked() -> None:
    """The outlaw and Mab could not see the window, and the table would wait for them and for the game master."""
    (fight, _) = Twins(ROAD, "The Fox").fights
    submit_accepted(fight, make_declaration("gm", "begin"))
    while fight.state.acting != ("the-fox",):
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    recorded = submit_accepted(
        fight, make_declaration("the-fox", "attack", target="mab", weapon="the-fox.sword_short", mode="melee")
    ).recorded
    asked = [one.event.to for one in recorded if isinstance(one.event, WindowOpened)]
    assert not {who for to in asked for who in to} - {"the-fox"}


def test_concealed_combatant_readies_an_attack_unseen() -> None:
    """It counts for none of those that were readied, and comes behind those who did so openly before."""
    fight = turn_of_ada()
    before = open_events(fight)
    submit_accepted(fight, make_declaration("ada", "ready", trigger="acts"))
    assert fight.state.combatants["ada"].has("readied")
    assert open_events(fight) == before
