"""A melee of known combatants is open, regardless of an earlier hidden melee."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.visibility import project_state
from affray.events import Id, RelationSet
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_unseen import gatehouse, let_the_enemies_begin, of_type
from tests.engine.twins import SPECTATOR, Twins, fold_open_events, open_events
from tests.rulesets.statistics import make_declaration


@pytest.mark.parametrize("members", [["ada", "orc"], ["ada", "orc", "lurker"]])
def test_a_melee_that_takes_the_id_of_a_hidden_one_is_open(members: list[Id]) -> None:
    """Ada's melee with Lurker is hidden. Spectators read that she meets the orc, with or without Lurker."""
    party = {"name": "Ada", "side": "party", "pc": True, "weapons": ["spear"]}
    orcs: list[dict[str, Any]] = [{"name": "Orc", "side": "orcs", "block": "orc"}]
    orcs += [{"name": "Lurker", "side": "orcs", "block": "orc", "concealed": True}]
    told = {"system": "wyrd", "name": "n", "melee": [{"members": ["ada", "lurker"]}], "combatant": [party, *orcs]}
    fight = begin_fight("mill", told, who="gm", seed=SEED, clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    assert of_type(open_events(fight), RelationSet) == []
    if "lurker" in members:
        rule(fight, "relate", relation="melee", members=members)
    else:
        submit_accepted(fight, make_declaration("ada", "move", contact="orc"))
    assert [[one.who for one in read.members] for read in of_type(open_events(fight), RelationSet)] == [["ada", "orc"]]
    assert fold_open_events(open_events(fight)).relations == project_state(SPECTATOR, fight.state).relations


def make_melee_encounter(*melees: list[Id]) -> dict[str, Any]:
    """Return an encounter of two heroes and three orcs in these melees."""
    heroes = [{"name": name, "side": "party", "pc": True, "weapons": ["spear"]} for name in ("Ada", "Bob")]
    orcs = [{"name": name, "side": "orcs", "block": "orc"} for name in ("Orc", "Gash", "Lurker")]
    told = [{"members": members} for members in melees]
    return {"system": "wyrd", "name": "n", "melee": told, "combatant": [*heroes, *orcs]}


def melees_read(fight: Fight) -> dict[Id, list[Id]]:
    """Return the melees that a spectator folds from what is open, which are those that the server shows."""
    relations = fold_open_events(open_events(fight)).relations
    assert relations == project_state(SPECTATOR, fight.state).relations
    return {id: [one.who for one in relation.members] for id, relation in relations.items() if relation.kind == "melee"}


def test_a_melee_is_over_although_a_concealed_combatant_goes_on_in_it() -> None:
    """The orc falls. Ada reads that the melee is over; Lurker still fights her."""
    twins = Twins(make_melee_encounter(["ada", "orc", "lurker"]), "Lurker", make_melee_encounter(["ada", "orc"]))
    twins.do("gm", "begin")
    twins.rule("harm", who="orc", amount=200)
    fight = twins.fights[0]
    assert melees_read(fight) == {}
    assert [one.who for one in fight.state.relations["melee"].members] == ["ada", "lurker"]


def test_a_melee_falls_apart_although_a_concealed_combatant_holds_it_together() -> None:
    """Ada and Gash are said to be far apart, and so are Bob and the orc. Lurker can strike both heroes."""
    four = ["ada", "orc", "bob", "gash"]
    twins = Twins(make_melee_encounter(["lurker", *four]), "Lurker", make_melee_encounter(four))
    twins.rule("distance", one="ada", other="gash", to=20)
    twins.rule("distance", one="bob", other="orc", to=20)
    for fight in twins.fights:
        assert melees_read(fight) == {"melee": ["ada", "orc"], "melee-2": ["bob", "gash"]}


def test_two_melees_stay_two_where_a_concealed_combatant_goes_from_one_to_the_other() -> None:
    """Lurker strikes Bob, who fights Gash; before, it was in the melee of Ada and the orc, or in none."""
    rest = ["bob", "gash"]
    twins = Twins(
        make_melee_encounter(["ada", "orc", "lurker"], rest), "Lurker", make_melee_encounter(["ada", "orc"], rest)
    )
    twins.do("gm", "begin", pcs_surprised=True)
    twins.do("lurker", "attack", target="bob")
    for fight in twins.fights:
        assert melees_read(fight) == {"melee": ["ada", "orc"], "melee-2": ["bob", "gash"]}
        assert [one.who for one in fight.state.relations["melee-2"].members] == ["bob", "gash", "lurker"]


def test_known_combatants_begin_a_melee_where_one_of_them_fights_somebody_concealed() -> None:
    """The orc goes for Hild, who is in a melee with Ugrak, or in none."""
    twins = Twins(gatehouse("hild", "ugrak"), "Ugrak", {**gatehouse(), "melee": []})
    twins.do("gm", "begin")
    let_the_enemies_begin(twins)
    twins.do("orc-a", "begin_turn")
    twins.do("orc-a", "enter_melee", target="hild")
    for fight, members in zip(twins.fights, (["orc-a", "hild", "ugrak"], ["orc-a", "hild"]), strict=True):
        assert melees_read(fight) == {"melee": ["orc-a", "hild"]}
        assert [one.who for one in fight.state.relations["melee"].members] == members


PAIRS = {"nobody": [], "mover": ["bob", "lurker"], "target": ["lurker", "gash"], "beside": ["lurker", "bob", "ada"]}
"""Whom Lurker fights in secret, before Bob goes for Gash."""


@pytest.mark.parametrize("fought", sorted(PAIRS))
def test_the_order_of_known_members_is_as_if_nobody_hidden_fought_one_of_them(fought: str) -> None:
    """The attacker is first, and those who join later follow."""
    melee = PAIRS[fought]
    told = [make_melee_encounter(*[melee] if melee else []), make_melee_encounter()]
    for one in told:
        one["combatant"][-1]["side"] = "wolves"
    twins = Twins(told[0], "Lurker", told[1])
    twins.do("gm", "begin")
    twins.do("bob", "move", contact="gash")
    for fight in twins.fights:
        assert melees_read(fight) == {"melee": ["bob", "gash"]}
    twins.do("ada", "move", contact="gash")
    for fight in twins.fights:
        assert melees_read(fight) == {"melee": ["bob", "gash", "ada"]}


@pytest.mark.parametrize("hidden", [["lurker", "gash"], ["bob", "lurker"]])
def test_the_order_of_a_melee_that_is_ruled_does_not_follow_from_a_hidden_one(hidden: list[Id]) -> None:
    """A melee that viewers know of takes over the hidden one, never the other way round; so do its id and its order."""
    told = [make_melee_encounter(hidden), make_melee_encounter()]
    for one in told:
        one["combatant"][-1]["side"] = "wolves"
    twins = Twins(told[0], "Lurker", told[1])
    twins.do("gm", "begin")
    twins.rule("relate", relation="melee-7", members=["orc", "bob", "gash", "ada"])
    twins.rule("harm", who="orc", amount=200)
    for fight in twins.fights:
        assert melees_read(fight) == {"melee-7": ["bob", "gash", "ada"]}
