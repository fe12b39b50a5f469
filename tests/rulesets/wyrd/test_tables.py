"""The tables of the rule page, line by line."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import ValidationError

from affray.engine import begin_fight
from affray.engine.rulesets.wyrd.gear.pieces import is_lightly_armored
from affray.engine.rulesets.wyrd.tables import (
    PROTECTION,
    Ability,
    Block,
    Effect,
    Grade,
    Omen,
    Piece,
    Tag,
    abilities,
    blocks,
    gear,
    grades,
    omens,
    stunts,
    tags,
)
from tests.engine.fights import SEED, noon

MELEE = {
    (4, 1): "light_melee dagger dirk cudgel staff scepter walking_stick",
    (6, 1): "medium_melee smallsword mace spear battleaxe war_hammer rapier axe scimitar shortsword",
    (8, 2): "heavy_melee halberd glaive",
    (8, 1): "longsword orc_spear",
    (10, 2): "greatsword",
}
RANGED = {(6, 1): "sling", (8, 2): "longbow crossbow"}
POWDER = {(6, 1): "wheellock", (8, 2): "blunderbuss", (10, 2): "arquebus musket"}
WORN = {
    ("body", 2, 1): "robe leather_vest padded_doublet hooded_jerkin",
    ("body", 4, 1): "padded_leathers",
    ("body", 6, 2): "maille scale coat_of_plates",
    ("head", 4, 1): "helmet",
    ("shield", 2, 1): "targe",
    ("shield", 4, 2): "heater_shield",
}
LIGHT = ["robe", "leather_vest", "padded_doublet", "hooded_jerkin", "padded_leathers"]


READ = (abilities, blocks, gear, grades, omens, stunts, tags)
"""What is read from the data files, once."""


@pytest.fixture(autouse=True)
def read_anew() -> None:
    """Read all of it from the files for each test."""
    for one in READ:
        one.cache_clear()
        one()


def weapons(*wanted: str) -> dict[tuple[int, int], set[str]]:
    """Return the weapons with exactly these tags, by die and hands."""
    found: dict[tuple[int, int], set[str]] = {}
    for key, one in gear().items():
        if one.kind == "weapon" and one.tags == wanted and one.die:
            found.setdefault((one.die, one.hands), set()).add(key)
    return found


def test_every_weapon_has_its_die_hands_and_tags() -> None:
    assert weapons() == {line: set(keys.split()) for line, keys in MELEE.items()}
    assert weapons("ranged") == {line: set(keys.split()) for line, keys in RANGED.items()}
    assert weapons("ranged", "black_powder") == {line: set(keys.split()) for line, keys in POWDER.items()}


def test_fists_have_no_die_and_do_1() -> None:
    assert gear()["unarmed"] == Piece(name="bare hands", kind="weapon", damage=1)


def test_a_weapon_fills_as_many_slots_as_it_takes_hands() -> None:
    assert {key for key, one in gear().items() if one.kind == "weapon" and one.slots != one.hands} == set()


def test_every_piece_of_protection_has_its_kind_die_and_slots() -> None:
    worn = {key: (one.kind, one.die, one.slots) for key, one in gear().items() if one.kind in PROTECTION}
    assert worn == {key: line for line, keys in WORN.items() for key in keys.split()}


def test_abilities_sizes_tags_and_the_rest() -> None:
    assert [(one.start, one.least, one.most, one.injured) for one in abilities().values()] == [(6, 4, 12, 2)] * 4
    assert {key: one.die for key, one in grades().items()} == {
        "single_use": 1,
        "poor": 2,
        "standard": 4,
        "above_average": 6,
        "high_quality": 8,
    }
    assert {key: (one.steps, one.wears, one.rerolls, one.twice) for key, one in tags().items()} == {
        **dict.fromkeys(("light", "arrowproof", "ranged", "black_powder"), (0, True, False, "")),
        "quality": (1, True, False, ""),
        "durable": (0, False, False, ""),
        "enchanted": (1, True, True, ""),
        **dict.fromkeys(("sharp", "precise", "impervious"), (0, True, False, "higher")),
        "cursed": (0, True, False, "lower"),
    }
    assert {key: (one.condition, one.steps) for key, one in stunts().items()} == {
        "shoved": ("shoved", 0),
        "prone": ("prone", 0),
        "disarmed": ("disarmed", 0),
        "armor_step_down": ("", 1),
    }
    assert {face: one.surprised for face, one in omens().items()} == {1: "party", 6: "encounter"}


def test_everything_in_the_tables_can_be_carried() -> None:
    """Each piece by a separate combatant, with the die of the table; light pieces are light."""
    people = [
        {"name": key, "side": "a", "weapons" if one.kind == "weapon" else "protection": [key]}
        for key, one in gear().items()
        if key != "unarmed"
    ]
    told = {"system": "wyrd", "combatant": [*people, {"name": "Orc", "side": "b", "block": "orc"}]}
    fight = begin_fight("fair", told, who="gm", seed=SEED, clock=noon)
    for person in people:
        key = str(person["name"])
        item = fight.state.items[f"{key.replace('_', '-')}.{key}"]
        assert (item.die, item.base, item.name) == (gear()[key].die, gear()[key].die, gear()[key].name)
        if gear()[key].kind in PROTECTION:
            assert is_lightly_armored(fight.table, item.owner) is (key in LIGHT), key


@pytest.mark.parametrize(
    ("kind", "line", "rest"),
    [
        (Piece, {"name": "x"}, ("other", 0, "", "", 0, 0, 0, ())),
        (Tag, {"name": "x", "says": "y"}, (0, True, False, "")),
        (Grade, {"name": "x", "die": 4}, ()),
        (Ability, {"name": "x", "start": 6, "least": 4, "most": 12, "injured": 2}, ()),
        (Effect, {"name": "x", "says": "y"}, ("", 0)),
        (Omen, {"surprised": "party", "says": "y"}, ()),
        (Block, {"name": "x"}, (None, None, None, None, None, (), ())),
    ],
)
def test_a_line_of_a_table_may_leave_out_what_is_usual_and_has_no_other_keys(kind: Any, line: Any, rest: Any) -> None:
    made = msgspec.convert(line, kind)
    assert msgspec.structs.astuple(made)[len(line) :] == rest
    with pytest.raises(ValidationError, match="unknown field"):
        msgspec.convert({**line, "harp": 1}, kind)


def test_what_a_block_says_is_read() -> None:
    assert {key: (one.power, one.grace, one.weapons, one.protection) for key, one in blocks().items()} == {
        "adventurer": (None, None, ("smallsword",), ("padded_leathers",)),
        "grog": (None, None, ("greatsword",), ("padded_leathers",)),
        "mira": (None, 8, ("shortsword", "dagger", "longbow"), ("leather_vest",)),
        "brand": (8, None, ("mace",), ("maille", "helmet", "heater_shield")),
        "orc": (None, None, ("orc_spear",), ("maille",)),
        "brigand": (None, None, ("battleaxe",), ("maille", "helmet", "targe")),
        "bandit": (None, None, ("longbow",), ()),
    }
