"""Dangers to combatants: found as each system declares them, counted, with those who can help, as a viewer may know."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, begin_fight
from affray.engine.core.loading import load
from affray.engine.core.perils import Helper, list_peril_faults
from affray.engine.core.words import PerilWord
from affray.engine.rulesets.verdigris.tables import injuries
from affray.engine.visibility import Viewer
from affray.events import Declared
from affray.tools.api.viewer_queries import list_actors_for
from affray.tools.present.perils import ShownPeril
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import SPECTATOR, rule
from tests.rulesets.systems import PRESENT

GM = Viewer(role="gm")


def open_told(system: str, *combatants: dict[str, Any], **more: Any) -> Fight:
    """Open a fight of a system."""
    told = {"system": system, "name": "n", "combatant": list(combatants), **more}
    return begin_fight("f", told, who="gm", seed=SEED, clock=noon, salts=salt)


def list_of(fight: Fight, viewer: Viewer = GM) -> dict[str, ShownPeril]:
    """Return the dangers that a viewer is told of, by word."""
    return {one.peril: one for one in list_actors_for(viewer, fight).perils}


def open_wwn(*, wall: bool = False) -> Fight:
    """Open a fight of WWN: Wren at 1 HP, Ilka beside her, Odo 25 feet away."""

    def hero(name: str, at: str) -> dict[str, Any]:
        return {"name": name, "side": "party", "pc": True, "class": "warrior", "level": 1, "hp": 6, "at": at}

    row = [f"4,{y}" for y in range(-40, 41)] if wall else []
    foe = {"name": "Raider", "side": "enemies", "block": "raider", "at": "9,9"}
    return open_told("wwn", hero("Wren", "0,0"), hero("Ilka", "1,0"), hero("Odo", "6,0"), foe, board={"blocked": row})


def test_dying_counts_the_rounds_and_tells_who_can_help() -> None:
    """A mortally wounded hero of WWN bleeds; one ally is beside her, and one is a move away."""
    fight = open_wwn()
    assert not list_of(fight)
    rule(fight, "pool", who="wren", pool="hp", to=0)
    rule(fight, "pool", who="wren", pool="bleed", to=2)
    told = list_of(fight)["dying"]
    assert (told.who, told.grade, told.count, told.most, told.left, told.pc) == ("wren", "mortal", 2, 6, 4, True)
    assert (told.help, told.helpers) == ("stabilize", (Helper("ilka", 0), Helper("odo", 1)))
    assert told.label == "dying 2/6"
    assert told.says == "Wren is dying. Bleeding: 2 of 6 rounds."
    assert told.helps == "Ilka can stabilize Wren. Odo can reach Wren."
    rule(fight, "pool", who="wren", pool="hp", to=1)
    assert not list_of(fight)


def test_an_ally_behind_a_wall_or_out_of_the_fight_cannot_help() -> None:
    """Those who can reach the one in danger are those whom the rules let get there."""
    fight = open_wwn(wall=True)
    rule(fight, "pool", who="wren", pool="hp", to=0)
    assert list_of(fight)["dying"].helpers == (Helper("ilka", 0),)
    rule(fight, "pool", who="ilka", pool="hp", to=0)
    of = {one.who: one for one in list_actors_for(GM, fight).perils}
    assert of["wren"].helps == "No ally can reach Wren with one move."


def test_the_danger_of_a_hidden_combatant_is_told_to_the_game_master_alone() -> None:
    """Neither a hidden combatant's danger nor its help reaches the players."""
    fight = open_wwn()
    rule(fight, "pool", who="wren", pool="hp", to=0)
    rule(fight, "conceal", who="ilka")
    player = Viewer(role="player", owns=("odo",))
    assert list_of(fight)["dying"].helpers == (Helper("ilka", 0), Helper("odo", 1))
    for viewer in (player, SPECTATOR):
        assert list_of(fight, viewer)["dying"].helpers == (Helper("odo", 1),)
    rule(fight, "reveal", who="ilka")
    rule(fight, "conceal", who="wren")
    assert list_of(fight)["dying"].who == "wren"
    assert not list_of(fight, player)
    assert not list_of(fight, SPECTATOR)


def test_a_veiled_counter_is_not_told_by_a_danger() -> None:
    """A player sees that somebody is dying, as the condition is open, but not the hidden count."""
    fight = open_wwn()
    rule(fight, "pool", who="wren", pool="hp", to=0)
    rule(fight, "veil", who="wren", pools=["bleed"])
    told = list_of(fight, SPECTATOR)["dying"]
    assert (told.count, told.label, told.says) == (None, "dying", "Wren is dying.")
    assert list_of(fight)["dying"].count == 0


def open_verdigris() -> Fight:
    """Open a fight of Verdigris: two heroes in neighbouring zones, and a bandit."""

    def hero(name: str, zone: str) -> dict[str, Any]:
        return {"name": name, "side": "party", "pc": True, "hp": 5, "weapons": ["spear"], "at": zone}

    foe = {"name": "Fang", "side": "enemies", "block": "bandit", "at": "road"}
    zones = [{"name": "road"}, {"name": "ditch", "exits": ["road"]}]
    return open_told("verdigris", hero("Ilka", "road"), hero("Pell", "ditch"), foe, zone=zones)


def test_verdigris_tells_last_wounds_deaths_door_and_bleeding() -> None:
    """Each danger gives way to the graver one; a stable hero is in none."""
    fight = open_verdigris()
    rule(fight, "condition", who="ilka", condition="bleeding", count=2)
    rule(fight, "pool", who="ilka", pool="wounds", to=0)
    told = list_of(fight)
    assert (told["last_wound"].grade, told["bleeding"].count) == ("close", 2)
    assert "loses 2d3 HP" in told["bleeding"].says
    rule(fight, "pool", who="ilka", pool="hp", to=0)
    told = list_of(fight)
    assert [*told] == ["deaths_door"]
    assert told["deaths_door"].helps == "Pell can reach Ilka."
    rule(fight, "place", who="pell", to="road")
    assert list_of(fight)["deaths_door"].helps == "Pell can treat Ilka for Death's Door."
    rule(fight, "stabilize", who="ilka")
    assert not list_of(fight)


def test_verdigris_counts_down_a_fatal_injury() -> None:
    """An artery that is cut kills with the next turn, unless it is treated."""
    fight = open_verdigris()
    rule(fight, "injury", who="ilka", row="artery cut in the arm")
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    rule(fight, "harm", who="ilka", amount=5)
    told = list_of(fight)["fatal_injury"]
    assert (told.grade, told.count, told.left, told.about) == ("mortal", 1, 1, "artery cut in the arm")
    assert told.says == "Ilka has a fatal injury (artery cut in the arm). Death in 1 turn."


def test_every_fatal_injury_of_verdigris_is_a_danger() -> None:
    """Those that kill with a turn are named; others end with it and kill nobody."""
    fatal = {row.name for row in injuries().rows if row.fatal and row.limit == "1 round"}
    assert fatal == {*load("verdigris").vocabulary.perils["fatal_injury"].about}


def test_a_veiled_counter_makes_no_danger() -> None:
    """Who may not know a hero's Wounds is not told that none is left."""
    fight = open_verdigris()
    rule(fight, "pool", who="ilka", pool="wounds", to=0)
    rule(fight, "veil", who="ilka", pools=["wounds"])
    assert [*list_of(fight)] == ["last_wound"]
    assert not list_of(fight, SPECTATOR)
    assert [*list_of(fight, Viewer(role="player", owns=("ilka",)))] == ["last_wound"]


def test_hexblade_tells_who_is_down_and_what_is_damaged() -> None:
    """A damaged weapon in hand is worn, until it is broken."""
    hero = {"name": "Isen", "side": "party", "pc": True, "hp": 9, "at": "0,0", "weapons": ["short-sword"]}
    fight = open_told("hexblade", hero, {"name": "Thug", "side": "enemies", "hp": 5, "at": "3,0"})
    sword = next(one.id for one in fight.state.items.values() if one.kind == "weapon" and one.where == "hand")
    rule(fight, "wear", item=sword, to="damaged")
    told = list_of(fight)["damaged"]
    assert (told.grade, told.item) == ("worn", sword)
    assert told.says == "Isen's short sword is damaged. A natural 1 with it breaks it."
    rule(fight, "wear", item=sword, to="broken")
    assert not list_of(fight)
    rule(fight, "pool", who="isen", pool="hp", to=0)
    assert list_of(fight)["down"].says == "Isen is down. Any healing brings Isen back."


def test_wyrd_tells_who_is_down_and_what_is_worn_to_its_last_size() -> None:
    """Power at d2 is close to death; gear at d2 is worn; a die that began at d2 is neither."""
    grog = {"name": "Grog", "side": "party", "pc": True, "weapons": ["greatsword"]}
    fight = open_told("wyrd", grog, {"name": "Mira", "side": "party", "pc": True}, {"name": "Orc", "side": "foes"})
    assert not list_of(fight)
    rule(fight, "step", item="grog.power", by=-2)
    told = list_of(fight)["power"]
    assert (told.grade, told.item) == ("close", "grog.power")
    rule(fight, "condition", who="grog", condition="incapacitated")
    told = list_of(fight)["down"]
    assert (told.grade, told.helps) == ("mortal", "Mira can revive Grog.")


def test_vestige_tells_who_is_at_the_brink() -> None:
    """The number to roll is that of the configuration; one that gave up is in no danger."""
    ilse = {"name": "Ilse", "side": "party", "block": "hero", "at": "0,0"}
    bandit = {"name": "Bandit", "side": "foes", "block": "minion", "at": "3,0"}
    fight = open_told("vestige", ilse, bandit, config={"brink_target": 12}, board={})
    rule(fight, "pool", who="ilse", pool="health", to=0)
    told = list_of(fight)["brink"]
    assert told.grade == "mortal"
    assert told.says == "Ilse is at the brink. If hurt again: 12+ on a d20 to hold on."


@pytest.mark.parametrize("system", PRESENT)
def test_every_system_declares_its_dangers(system: str) -> None:
    """Each names what there is, and a danger to life is among them."""
    ruleset = load(system)
    assert not [*list_peril_faults(ruleset)]
    assert "mortal" in {one.grade for one in ruleset.vocabulary.perils.values()}


def test_a_danger_that_names_nothing_is_a_fault() -> None:
    """Undeclared words, unknown options, actions and clauses are reported, and a danger without any test."""
    wrong = PerilWord(says="{who} {nonsense}", grade="close", rule="X", help="pray", most="none", unless=("odd",))
    ruleset = load("wwn")
    words = msgspec.structs.replace(ruleset.vocabulary, perils={"wrong": wrong})
    faults = [*list_peril_faults(_With(ruleset, words))]  # type: ignore[arg-type]
    assert faults == [
        "perils.wrong: there is no condition odd",
        "perils.wrong: there is no option none",
        "perils.wrong: there is no option nonsense",
        "perils.wrong: there is no action pray",
        "perils.wrong: there is no clause X",
        "perils.wrong: it needs a condition, a pool, a clock, a die or a counter",
    ]


class _With:
    """A ruleset with other words."""

    def __init__(self, ruleset: Any, vocabulary: Any) -> None:
        self._ruleset, self.vocabulary = ruleset, vocabulary

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ruleset, name)
