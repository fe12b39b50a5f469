"""An entry of an encounter file of Worlds Without Number: its sheet and items, complete and no more."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Unusable
from affray.engine.rulesets.wwn import RULESET
from affray.engine.rulesets.wwn.config import Config
from affray.engine.rulesets.wwn.tables import blocks
from affray.events import DistanceSet, Feature, ItemAdded, Joined

SPEC = {"name": "Asha", "side": "heroes"}


def sheets(*entries: dict[str, Any]) -> list[tuple[dict[str, int], dict[str, int], tuple[str | Feature, ...]]]:
    """Return the numbers, counters and words of all combatants in an encounter."""
    events = RULESET.encounters.build({"system": "wwn", "apart": 5, "combatant": list(entries)}, Config())
    return [(one.stats, one.pools, one.traits) for one in events if isinstance(one, Joined)]


def test_a_sheet_has_what_its_entry_says_and_no_more() -> None:
    """A hero, a hero with all scores, a foe without a block, and one of a block."""
    hero = {"name": "Asha", "side": "heroes", "pc": True, "class": "mage", "hp": 4}
    scores = {"str": 3, "dex": 4, "con": 5, "int": 6, "wis": 7, "cha": 8}
    full = {**hero, "name": "Bran", "level": 5, **scores, "hp": 3, "hp_max": 9, "skills": {"stab": -1, "heal": 0}}
    foe = {"name": "Wolf", "side": "pack", "attack": 2, "hp": 5, "armor_share": 2, "ac": 12, "dual_wields": True}
    raider = {"name": "Raider", "side": "pack", "block": "raider", "ac_bonus": 1, "shock_immune": True, "move": 0}
    said = blocks()["raider"]
    fresh = {"main": 1, "move": 1, "shock_ignored": 0}
    assert sheets(hero, full | {"ac_bonus": 2}, foe, raider) == [
        ({"attack": 0, "hp": 4, "pace": 30, "ac_bonus": 0}, {"hp": 4, **fresh, "bleed": 0}, ("pc", "caster")),
        (
            {"attack": 1, "hp": 9, "pace": 30, **scores, "stab": -1, "heal": 0, "ac_bonus": 2},
            {"hp": 3, **fresh, "bleed": 0},
            ("pc", "caster"),
        ),
        (
            {"attack": 2, "hp": 5, "pace": 30, "ac": 12, "armor_share": 2, "skill": 0},
            {"hp": 5, **fresh},
            ("dual_wields",),
        ),
        (
            {"attack": said.attack, "hp": said.hp, "pace": 0, "ac": said.ac + 1, "morale": said.morale, "skill": 0},
            {"hp": said.hp, **fresh},
            ("shock_immune",),
        ),
    ]


def test_what_an_entry_says_goes_before_its_block() -> None:
    """Also of mounts, which need no Morale and Instinct if they are trained for war, and may be no mounts at all."""
    horse = {"name": "Grey", "side": "heroes", "block": "riding_horse"}
    said = blocks()["riding_horse"]
    own = {"hp": 7, "ac": 14, "morale": 9, "instinct": 3, "attack": 5, "move": 40}
    fresh = {"main": 1, "move": 1, "shock_ignored": 0}
    wolf = {"name": "Wolf", "side": "pack", "attack": 1, "hp": 5, "mount": True, "war_trained": True, "ac": 9}
    numbers = {"attack": said.attack, "hp": said.hp, "pace": said.move, "ac": said.ac}
    nerve = {"morale": said.morale, "instinct": said.instinct}
    assert sheets(
        horse,
        {**horse, "name": "Bay", **own},
        {**horse, "name": "Roan", "mount": False},
        {**horse, "name": "Sorrel", "war_trained": True},
        wolf,
    ) == [
        ({**numbers, **nerve, "skill": 0}, {"hp": said.hp, **fresh, "feet": 0}, ("mount",)),
        (
            {"attack": 5, "hp": 7, "pace": 40, "ac": 14, "morale": 9, "instinct": 3, "skill": 0},
            {"hp": 7, **fresh, "feet": 0},
            ("mount",),
        ),
        ({**numbers, **nerve, "skill": 0}, {"hp": said.hp, **fresh}, ()),
        ({**numbers, **nerve, "skill": 0}, {"hp": said.hp, **fresh, "feet": 0}, ("mount", "war_trained")),
        (
            {"attack": 1, "hp": 5, "pace": 30, "ac": 9, "skill": 0},
            {"hp": 5, **fresh, "feet": 0},
            ("mount", "war_trained"),
        ),
    ]


def find_refused_field(*entries: dict[str, Any], **file: Any) -> str:
    """Return which field of an encounter cannot be used."""
    with pytest.raises(Unusable) as caught:
        RULESET.encounters.build({"system": "wwn", "combatant": list(entries), **file}, Config())
    return caught.value.field


HERO = {"name": "Asha", "side": "heroes", "pc": True, "class": "mage", "hp": 4}
HORSE = {"name": "Grey", "side": "heroes", "block": "riding_horse"}
WOLF = {"name": "Wolf", "side": "pack", "ac": 10, "attack": 1, "hp": 5}


def test_a_map_gives_the_distances_and_without_one_there_are_no_squares() -> None:
    """For any entry that contradicts."""
    here, there = {**HERO, "at": "1,1"}, {**WOLF, "at": "2,2"}
    assert find_refused_field(here, there, board={}, apart=0) == "apart"
    assert find_refused_field(here, there, board={}, distance=[{"between": ["asha", "wolf"], "feet": 5}]) == "distance"
    assert find_refused_field(here, there, board={}, melee=[{"members": ["asha", "wolf"]}]) == "melee"
    assert find_refused_field(HERO, there, apart=5) == "combatant[1].at"
    assert (
        find_refused_field(here, {**HORSE, "at": "1,1"}, {**WOLF, "at": "3,3"}, {**WOLF, "name": "Ulf"}, board={})
        == "combatant[3].at"
    )
    ridden = {**here, "rides": "grey"}
    assert find_refused_field(ridden, {**HORSE, "at": "1,1"}, there, board={}) == "combatant[1].at"


def test_a_mount_stands_where_its_rider_does() -> None:
    """In either order of the two; later ones have separate squares."""

    def places(*entries: dict[str, Any]) -> dict[str, str]:
        events = RULESET.encounters.build({"system": "wwn", "board": {}, "combatant": list(entries)}, Config())
        return {one.who: one.place for one in events if isinstance(one, Joined)}

    ridden, wolves = {**HERO, "rides": "grey", "at": "1,1"}, {**WOLF, "count": 2, "at": ["3,3", "4,4"]}
    expected = {"asha": "1,1", "grey": "1,1", "wolf-a": "3,3", "wolf-b": "4,4"}
    assert places(HORSE, ridden, wolves) == places(ridden, HORSE, wolves) == places(wolves, ridden, HORSE) == expected


def test_riding_takes_a_free_mount_of_ones_own_side() -> None:
    """And a rider who is no mount."""
    ridden = {**HERO, "rides": "grey"}
    assert find_refused_field(ridden, {**HORSE, "side": "pack"}, WOLF) == "combatant[0].rides"
    assert find_refused_field(ridden, {**HORSE, "mount": False}, WOLF) == "combatant[0].rides"
    assert find_refused_field(ridden, WOLF) == "combatant[0].rides"
    assert find_refused_field(ridden, {**ridden, "name": "Bran"}, HORSE, WOLF) == "combatant[1].rides"
    assert find_refused_field({**HORSE, "name": "Bay", "rides": "grey"}, HORSE, WOLF) == "combatant[0].rides"


def test_pairs_are_those_of_the_sides_and_of_whom_they_ride() -> None:
    """Friends are side by side; what is said of one of rider and mount is said of both, and between the two nothing."""

    def pairs(*entries: dict[str, Any], **file: Any) -> dict[str, int]:
        events = RULESET.encounters.build({"system": "wwn", "combatant": list(entries), **file}, Config())
        return {"|".join(one.pair): one.after for one in events if isinstance(one, DistanceSet)}

    ridden = {**HERO, "rides": "grey"}
    assert pairs(HERO, {**HERO, "name": "Bran"}, WOLF, apart=30) == {"asha|bran": 5, "asha|wolf": 30, "bran|wolf": 30}
    assert pairs(HERO, WOLF, apart=0) == {"asha|wolf": 0}
    assert pairs(HERO, WOLF) == {}
    both = {"asha|wolf": 20, "grey|wolf": 20}
    assert pairs(ridden, HORSE, WOLF, distance=[{"between": ["asha", "wolf"], "feet": 20}]) == both
    assert pairs(ridden, HORSE, WOLF, distance=[{"between": ["wolf", "grey"], "feet": 20}]) == both
    zoe = {**ridden, "name": "Zoe"}
    assert pairs(zoe, HORSE, WOLF, apart=30) == {"grey|wolf": 30, "wolf|zoe": 30}
    assert pairs(ridden, HORSE, WOLF, apart=30) == {"asha|wolf": 30, "grey|wolf": 30}
    close = pairs(HERO, {**WOLF, "count": 2}, apart=30, melee=[{"members": ["asha", "wolf-b"]}])
    assert close == {"asha|wolf-a": 30, "asha|wolf-b": 5, "wolf-a|wolf-b": 5}


def things(entry: dict[str, Any], **file: Any) -> dict[str, ItemAdded]:
    """Return a combatant's items, by the end of their ids."""
    told = {"system": "wwn", "combatant": [{**SPEC, "pc": True, "class": "mage", "hp": 4, **entry}], **file}
    events = RULESET.encounters.build(told, Config())
    return {one.item.partition(".")[2]: one for one in events if isinstance(one, ItemAdded)}


def test_where_things_are_as_long_as_hands_are_free() -> None:
    """The shield first, then weapons in order; an entry may say otherwise."""

    def places(**entry: Any) -> dict[str, str]:
        return {key: one.where for key, one in things(entry).items() if key not in ("unarmed",)}

    assert places(weapons=["dagger", "mace", "club"]) == {"dagger": "hand", "mace": "hand", "club": "readied"}
    assert places(weapons=["dagger", "staff"]) == {"dagger": "hand", "staff": "readied"}
    assert places(weapons=["staff", "dagger"]) == {"staff": "hand", "dagger": "readied"}
    assert places(weapons=["dagger", "mace"], shield="shield_small") == {
        "shield_small": "hand",
        "dagger": "hand",
        "mace": "readied",
    }
    assert places(weapons=["dagger", "staff", "mace"], in_hand=["mace"], stowed=["dagger"]) == {
        "dagger": "stowed",
        "staff": "readied",
        "mace": "hand",
    }
    assert places(weapons=["dagger", "staff"], in_hand=[]) == {"dagger": "readied", "staff": "readied"}
    assert places(weapons=["staff+1"], in_hand=["staff"]) == {"staff": "hand"}
    assert places(weapons=["dagger", "mace"], in_hand=["dagger", "mace"]) == {"dagger": "hand", "mace": "hand"}


def test_things_have_the_numbers_words_and_counters_of_their_lines() -> None:
    found = things(
        {
            "weapons": ["hurlant_great", "throwing_blade+2", "bow_small", "crossbow", "fang", "sword_long"],
            "shield": "shield_large+1",
            "armor": "grand_plate",
            "modifiers": [{"to": "hit", "value": 1, "modes": ["melee"], "tags": ["L", "T"], "skill": "stab"}],
        },
        weapon={
            "fang": {
                "name": "Fang",
                "damage": "2d4",
                "attribute": ["str", "dex"],
                "skill": "punch",
                "damage_skill": "stab",
                "magic": 1,
                "tags": ["natural"],
                "modifiers": [{"to": "shock", "value": -1, "label": "blunt"}],
            }
        },
    )
    numbers = {key: (one.stats, one.counters) for key, one in found.items()}
    assert numbers == {
        "hurlant_great": (
            {"dice": 3, "sides": 10, "near": 600, "far": 2400},
            {"loaded": 1, "loading": 0, "set_up": 0},
        ),
        "throwing_blade": ({"dice": 1, "sides": 4, "near": 30, "far": 60, "magic": 2}, {"count": 5}),
        "bow_small": ({"dice": 1, "sides": 6, "near": 50, "far": 300}, {"loaded": 1}),
        "crossbow": ({"dice": 1, "sides": 10, "near": 100, "far": 300}, {"loaded": 1}),
        "fang": ({"dice": 2, "sides": 4, "near": 0, "far": 0, "magic": 1}, {}),
        "sword_long": ({"dice": 1, "sides": 8, "near": 0, "far": 0, "shock": 2, "shock_ac": 13}, {}),
        "shield_large": (
            {"dice": 1, "sides": 6, "near": 0, "far": 0, "shock": 1, "shock_ac": 13, "ac": 14, "bonus": 1, "plus": 1},
            {},
        ),
        "grand_plate": ({"ac": 16}, {}),
        "abilities": ({}, {}),
    }
    named = [("attribute", "str"), ("attribute", "dex"), ("skill", "punch"), ("damage_skill", "stab")]
    blunt = Feature(kind="adds", of="shock", parts={"value": -1, "label": "blunt"})
    assert found["fang"].traits == ("natural",)
    assert found["fang"].features == (*[Feature(kind=kind, of=of) for kind, of in named], blunt)
    (ability,) = found["abilities"].features
    assert ability.parts == {"value": 1, "skill": "stab", "modes": ("melee",), "tags": ("L", "T")}
    assert found["grand_plate"].traits == ("heavy", "proof")
    assert "magical" in found["shield_large"].traits
    assert found["shield_large"].traits.count("shield") == 1


def test_bare_hands_are_for_those_who_have_nothing_natural() -> None:
    """A beast's bite is its weapon; a combatant with a sword keeps the fists."""
    assert [*things({})] == ["unarmed"]
    assert [*things({"weapons": ["dagger"]})] == ["dagger", "unarmed"]
    horse = {"system": "wwn", "combatant": [{"name": "Grey", "side": "heroes", "block": "riding_horse"}]}
    bitten = [one for one in RULESET.encounters.build(horse, Config()) if isinstance(one, ItemAdded)]
    assert [(one.item, one.where, one.stats["sides"]) for one in bitten] == [("grey.natural", "", 4)]


def test_a_focus_has_only_what_it_names() -> None:
    def item(**said: Any) -> ItemAdded:
        return things({"foci": ["brave"]}, focus={"brave": {"name": "Brave", **said}})["brave"]

    def focus(**said: Any) -> tuple[dict[str, int], tuple[str, ...]]:
        return item(**said).stats, item(**said).traits

    assert focus() == ({}, ())
    assert focus(initiative_dice=1) == ({}, ())
    assert focus(initiative_dice=2) == ({"initiative_dice": 2}, ())
    assert focus(shock_as_ac=0, bow_in_melee=0, mount_morale=2) == (
        {"shock_as_ac": 0, "bow_in_melee": 0, "mount_morale": 2},
        (),
    )
    flags = {"unsurprised": True, "shrugs_off_shock": True, "lends_ac": True}
    assert focus(**flags) == ({}, tuple(flags))
    thrown = [(one.kind, one.of) for one in item(throws_in_melee=["S", "T"]).features]
    assert thrown == [("throws_in_melee", "S"), ("throws_in_melee", "T")]


@pytest.mark.parametrize(("plus", "good"), [("+0", False), ("+1", True), ("+9", True), ("+10", False), ("+", False)])
def test_magic_is_written_as_a_number_from_1_to_9(plus: str, good: bool) -> None:
    told = {"system": "wwn", "combatant": [{**SPEC, "pc": True, "class": "mage", "hp": 4, "weapons": [f"mace{plus}"]}]}
    if good:
        RULESET.encounters.build(told, Config())
    else:
        with pytest.raises(Unusable, match="a magical thing is written"):
            RULESET.encounters.build(told, Config())
