"""Encounter files of Verdigris: valid content, and messages about faults."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from affray.engine import begin_fight
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.rulesets.verdigris.tables import injuries, panic, panicking, talents, weapons
from tests.engine.fights import SEED, noon

PEOPLE: list[dict[str, Any]] = [
    {"name": "Ada", "side": "party", "pc": True, "strength": 1},
    {"name": "Orc", "side": "enemies", "block": "orc"},
]
DAGGERS = [
    "dagger",
    "rondel",
    "sickle",
    "club",
    "whip",
    "mace",
    "hand-axe",
    "rapier",
    "war-pick",
    "short-sword",
    "pike",
]


def open_with_ada(**changes: Any) -> State:
    """Open a fight between Ada and an orc, with what is otherwise about Ada, or in the file under ``file``."""
    file = changes.pop("file", {})
    told = {"system": "verdigris", "combatant": [{**PEOPLE[0], **changes}, PEOPLE[1]], **file}
    return begin_fight("opened", told, who="gm", seed=SEED, clock=noon).state


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"pc": False}, "combatant", "the party has no player character"),
        ({"side": "wolves"}, "combatant[0].side", "wolves"),
        ({"strenght": 3}, "combatant[0]", "strenght"),
        ({"block": "troll"}, "combatant[0].block", "there is no stat block troll; there are goblin, bandit, orc, ogre"),
        ({"skills": {"juggling": 1}}, "combatant[0].skills", "there is no skill juggling"),
        ({"talents": {"flying": 1}}, "combatant[0].talents", "there is no talent flying"),
        ({"talents": {"ironclad": 3}}, "combatant[0].talents", "ironclad goes up to 2"),
        ({"weapons": ["sword"]}, "combatant[0].weapons[0]", "there is no weapon sword"),
        ({"weapons": DAGGERS}, "combatant[0].weapons", "there is no room for the pike"),
        ({"armor": "plate"}, "combatant[0].armor", "there is no armour plate"),
        ({"shield": "round"}, "combatant[0].shield", "there is no shield round"),
        ({"ammunition": {"pebble": 3}}, "combatant[0].ammunition", "there is no ammunition pebble"),
        ({"mount": "camel"}, "combatant[0].mount", "there is no mount camel"),
        ({"hp": 6, "hp_max": 5}, "combatant[0].hp", "must be from 1 to the maximum of 5"),
        ({"wounds": 3, "wounds_max": 2}, "combatant[0].wounds", "must be from 0 to the maximum of 2"),
        ({"inspiration": 2}, "combatant[0].inspiration", "<= 1"),
        ({"at": "hall"}, "combatant[0].at", "there is no zone in this encounter"),
        ({"file": {"config": {"crit_sixes": 0}}}, "config", ">= 1"),
        ({"file": {"zone": [{"name": "hall", "exits": ["moat"]}]}}, "zone[0].exits[0]", "there is no other zone moat"),
        ({"file": {"zone": [{"name": "hall"}, {"name": "Hall"}]}}, "zone[1].name", "two zones are called alike"),
        ({"file": {"melee": [{"members": ["ada", "wolf"]}]}}, "melee[0].members", "there is no fighter wolf"),
        ({"file": {"view": [{"between": ["ada", "ada"]}]}}, "view[0].between", "must name two combatants"),
        ({"file": {"weapon": {"hook": {"name": "hook", "group": "heavy", "damage": 2}}}}, "weapon", "bonus"),
        (
            {"file": {"weapon": {"hook": {"name": "hook", "group": "heavy", "damage": -1, "bonus": 0}}}},
            "weapon",
            ">= 0",
        ),
    ],
)
def test_what_cannot_be_used_is_named_with_its_place(changes: dict[str, Any], field: str, message: str) -> None:
    """VER-098 among them: a weapon without both numbers, or with one below 0."""
    with pytest.raises(Unusable) as fault:
        open_with_ada(**changes)
    assert message in str(fault.value)
    assert (fault.value.field or "").startswith(field)


def test_only_a_player_character_has_wounds_and_stress() -> None:
    people = [PEOPLE[0], {**PEOPLE[1], "stress": 1}]
    with pytest.raises(Unusable, match="only a player character"):
        begin_fight("opened", {"system": "verdigris", "combatant": people}, who="gm", seed=SEED, clock=noon)


def test_a_new_character_is_what_the_table_says() -> None:
    """One in every attribute and save, 3 hit points and 2 wounds (5.3)."""
    ada = open_with_ada().combatants["ada"]
    names = ("strength", "agility", "intelligence", "charisma", "dodge", "panic", "warding", "withstand")
    assert [ada.stats[name] for name in names] == [1] * 8
    assert (ada.pools["hp"], ada.pools["wounds"], ada.pools["stress"]) == (3, 2, 0)


def test_what_is_carried_goes_where_there_is_room() -> None:
    """The first weapon in hand, the others on the belt, and the rest in the pack (5.6)."""
    state = open_with_ada(weapons=["dagger", "rondel", "pike", "sickle", "club"], shield="buckler")
    where = {id.removeprefix("ada."): item.where for id, item in state.items.items() if item.owner == "ada"}
    assert where["dagger"] == where["buckler"] == "hand"
    assert (where["rondel"], where["sickle"]) == ("belt", "belt")
    assert set(where.values()) <= {"hand", "belt", "pack", "worn", ""}


def test_the_tables_are_whole() -> None:
    """Every d66 has one row, every total of the panic table too, and unlisted maxima are damage and 6."""
    rows = [row for injury in injuries().d66 for row in injury.row]
    assert rows == [10 * tens + units for tens in range(1, 7) for units in range(1, 7)]
    panics = panic()["row"]
    assert all(low.high + 1 == high.low for low, high in pairwise(panics))
    assert (len(weapons()), len(talents())) == (38, 32)
    assert {weapons()[key].max for key in ("whip", "net", "unarmed")} == {6, 7}


@pytest.mark.parametrize(("total", "name"), [(2, 0), (15, -2), (16, -1), (99, -1), (100, -1), (1_011, -1)])
def test_the_panic_table_has_a_row_for_any_stress(total: int, name: int) -> None:
    """Its last row has no end, for a crowd that panics gives each other more stress than two dice can show."""
    assert panicking(total) is panic()["row"][name]
