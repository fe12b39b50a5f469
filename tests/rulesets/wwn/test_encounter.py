"""Refused content of an encounter file of Worlds Without Number, and the named fields."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from affray.engine.core.ruleset import config_of
from affray.engine.errors import Unusable
from affray.engine.rulesets.wwn import RULESET
from affray.engine.rulesets.wwn.config import Config

HERO = {"name": "Asha", "side": "heroes", "pc": True, "class": "warrior", "level": 3, "hp": 20}
FOE = {"name": "Raider", "side": "raiders", "block": "raider"}
HORSE = {"name": "Nag", "side": "heroes", "block": "riding_horse"}
TOLD: dict[str, Any] = {"system": "wwn", "apart": 5, "combatant": [HERO, FOE, HORSE]}


def reject_encounter(told: dict[str, Any]) -> Unusable:
    """Return what is said of an encounter that cannot be used."""
    with pytest.raises(Unusable) as caught:
        RULESET.encounters.build(told, Config())
    return caught.value


@pytest.mark.parametrize(
    ("nth", "said", "field", "message"),
    [
        (0, {"hp": None}, "combatant[0].hp", "hp is missing"),
        (0, {"hp": 21, "hp_max": 20}, "combatant[0].hp", "maximum of 20"),
        (0, {"class": "bard"}, "combatant[0].class", "warrior, expert, mage, partial_warrior"),
        (0, {"class": None}, "combatant[0].attack", "attack is missing"),
        (0, {"ac": 15}, "combatant[0].ac", "is for foes and mounts"),
        (0, {"str": 19}, "combatant[0].str", "<= 18"),
        (0, {"skills": {"dance": 1}}, "combatant[0].skills", "there is no skill dance"),
        (0, {"skills": {"stab": 5}}, "combatant[0].skills", "<= 4"),
        (0, {"armor": "tin"}, "combatant[0].armor", "there is no armor tin"),
        (0, {"armor": "shield_small"}, "combatant[0].armor", "there is no armor shield_small"),
        (0, {"shield": "plate"}, "combatant[0].shield", "there is no shield plate"),
        (0, {"weapons": ["excalibur"]}, "combatant[0].weapons[0]", "there is no weapon excalibur"),
        (0, {"weapons": ["dagger", "dagger"]}, "combatant[0].weapons[1]", "named twice"),
        (0, {"weapons": ["dagger+x"]}, "combatant[0].weapons[0]", "dagger+1"),
        (0, {"weapons": ["dagger"], "stowed": ["mace"]}, "combatant[0].stowed[0]", "mace"),
        (0, {"weapons": ["sword_great"], "shield": "shield_small", "in_hand": ["shield_small", "sword_great"]},
         "combatant[0].in_hand", "no hand left"),
        (0, {"foci": ["brave"]}, "combatant[0].foci[0]", "Focus brave"),
        (0, {"rides": "raider"}, "combatant[0].rides", "cannot ride raider"),
        (0, {"mount": True}, "combatant[0].pc", "no mount"),
        (0, {"at": "1,1"}, "combatant[0].at", "board"),
        (0, {"name": "?"}, "combatant[0].name", "a letter or a digit"),
        (0, {"sneaky": True}, "combatant[0]", "sneaky"),
        (0, {"group": "pack"}, "combatant[0].group", "only foes roll in groups"),
        (0, {"quick": 2}, "combatant[0].quick", "only foes roll in groups"),
        (2, {"group": "pack", "quick": True}, "combatant[2].group", "only foes roll in groups"),
        (1, {"block": "ogre"}, "combatant[1].block", "there is no stat block ogre"),
        (1, {"name": "Asha"}, "combatant[1].name", "taken"),
        (1, {"count": 0}, "combatant[1].count", ">= 1"),
        (2, {"block": None, "mount": True, "hp": 5, "ac": 10, "attack": 0, "instinct": 5},
         "combatant[2].morale", "ordinary riding beast"),
    ],
)  # fmt: skip
def test_an_entry_that_cannot_be_used_names_its_field(nth: int, said: dict[str, Any], field: str, message: str) -> None:
    """``None`` leaves a key out."""
    told = deepcopy(TOLD)
    entry = {**told["combatant"][nth], **said}
    told["combatant"][nth] = {key: value for key, value in entry.items() if value is not None}
    error = reject_encounter(told)
    assert error.field.startswith(field)
    assert message in error.message


@pytest.mark.parametrize(
    ("said", "field", "message"),
    [
        ({"distance": [{"between": ["asha", "ogre"], "feet": 5}]}, "distance[0].between", "there is no ogre"),
        ({"distance": [{"between": ["asha", "asha"], "feet": 5}]}, "distance[0].between", "two combatants"),
        ({"melee": [{"members": ["asha", "ogre"]}]}, "melee[0].members", "there is no ogre"),
        ({"view": [{"viewer": "asha", "target": "ogre", "view": "half"}]}, "view[0]", "there is no ogre"),
        ({"view": [{"viewer": "asha", "target": "raider", "view": "dim"}]}, "view[0].view", "dim"),
        ({"board": {}, "apart": None}, "combatant[0].at", "one square"),
        (
            {"combatant": [{**FOE, "group": "pack"}, {**FOE, "name": "Ulf", "side": "wolves", "group": "pack"}]},
            "combatant",
            "two sides",
        ),
        (
            {
                "armor": {"targe": {"name": "Targe", "class": "shield", "ac": 13, "bash": "poke"}},
                "combatant": [{**HERO, "shield": "targe"}, FOE],
            },
            "armor.targe.bash",
            "there is no weapon poke",
        ),
        ({"board": {"blocked": ["here"]}, "apart": None}, "board.blocked[0]", "x,y"),
        ({"combatant": []}, "combatant", "length"),
        ({"weather": "rain"}, "", "weather"),
    ],
)
def test_a_file_that_cannot_be_used_names_its_field(said: dict[str, Any], field: str, message: str) -> None:
    told = {key: value for key, value in {**TOLD, **said}.items() if value is not None}
    error = reject_encounter(told)
    assert error.field.startswith(field)
    assert message in error.message


@pytest.mark.parametrize(
    ("key", "value"),
    [("pc_at_zero", "asleep"), ("bleed_rounds", 0), ("nat_1_miss", True), ("unusable_mounted_tags", ["sword"])],
)
def test_a_setting_that_cannot_be_used_is_named(key: str, value: Any) -> None:
    with pytest.raises(Unusable, match=key):
        config_of(RULESET, {key: value})
