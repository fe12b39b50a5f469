"""Items at the start: their kind, their place, and refusals without room (5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from tests.rulesets.verdigris.moments import moment, one_of_us, orc

HOOK = {"name": "hook", "group": "heavy", "damage": 4, "bonus": 3}


def list_carried(arsenal: Mapping[str, Any] | None = None, **told: Any) -> dict[str, Item]:
    """Return by its name everything that Ada carries."""
    file: dict[str, Any] = {"combatant": [one_of_us("Ada", **told), orc("Orc")]}
    if arsenal:
        file["weapon"] = arsenal
    items = moment(file).state.items.values()
    return {one.id.removeprefix("ada."): one for one in items if one.owner == "ada"}


def places(**told: Any) -> dict[str, str]:
    """Return where each thing of Ada's is, but her bare hands."""
    return {name: item.where for name, item in list_carried(**told).items() if name != "unarmed"}


def test_a_plain_weapon_is_what_the_table_says() -> None:
    """Bare hands take no hand (5.1)."""
    sword, hands = (list_carried(weapons=["long-sword"])[name] for name in ("long-sword", "unarmed"))
    stats = {"damage": 2, "bonus": 3, "max": 6, "hands": 2, "slots": 2, "cost": 35, "pushes": 0}
    assert (sword.kind, sword.traits, sword.stats) == ("weapon", ("heavy", "two_handed"), stats)
    assert (sword.name, sword.counters) == ("long sword", {"bonus": 3})
    assert hands.stats == {"damage": 1, "bonus": 0, "max": 7, "hands": 0, "slots": 1, "cost": 0, "pushes": 0}


@pytest.mark.parametrize(
    ("weapon", "stats"),
    [
        ("dagger", {"damage": 1, "bonus": 1, "hands": 1, "slots": 1}),
        ("rondel", {"damage": 1, "damage_two_handed": 3, "bonus": 1, "hands": 1, "slots": 1}),
        ("war-pick", {"damage": 1, "damage_two_handed": 2, "bonus": 2, "grip_bonus": 1, "hands": 1}),
        ("quarterstaff", {"damage": 1, "damage_two_handed": 3, "bonus": 2, "hands": 1, "slots": 1}),
        ("longbow", {"damage": 2, "bonus": 2, "hands": 2, "slots": 2}),
    ],
)
def test_weapons_of_two_grips(weapon: str, stats: dict[str, int]) -> None:
    """The bonus is that of the better grip (VER-S21)."""
    found = list_carried(weapons=[weapon])[weapon].stats
    assert {key: found.get(key) for key in ("damage_two_handed", "grip_bonus", *stats)} == {
        "damage_two_handed": None,
        "grip_bonus": None,
        **stats,
    }


@pytest.mark.parametrize(
    ("make", "weapon", "damage", "bonus"),
    [
        ("plain", "mace", 1, 2),
        ("guildmade", "mace", 1, 3),
        ("masterwork", "mace", 1, 4),
        ("shoddy", "mace", 1, 1),
        ("shoddy", "dagger", 0, 1),
        ("shoddy", "club", 0, 1),
        ("shoddy", "stone", 0, 0),
        ("guildmade", "dagger", 1, 2),
        ("masterwork", "club", 0, 3),
        ("shoddy", "war-hammer", 1, 1),
    ],
)
def test_how_a_weapon_is_made(make: str, weapon: str, damage: int, bonus: int) -> None:
    """A shoddy one of bonus 1 loses damage instead, not below 0 (VER-S31)."""
    made = list_carried(weapons=[{"weapon": weapon, "make": make}])[weapon]
    assert (made.stats["damage"], made.stats["bonus"], made.counters["bonus"]) == (damage, bonus, bonus)
    assert made.name.partition(" ")[0] == (make if make != "plain" else weapon)


def test_a_shoddy_weapon_for_two_hands_does_less_in_both_grips() -> None:
    """Its damage is what is lowered, where one hand gives it a bonus of 1 (VER-S31)."""
    spear = list_carried(weapons=[{"weapon": "spear", "make": "shoddy"}])["spear"]
    pick = list_carried(weapons=[{"weapon": "war-pick", "make": "shoddy"}])["war-pick"]
    assert (spear.stats["damage"], spear.stats["damage_two_handed"], spear.stats["bonus"]) == (1, 2, 1)
    assert (pick.stats["damage"], pick.stats["damage_two_handed"], pick.stats["bonus"]) == (0, 1, 2)


def test_a_weapon_of_the_encounters_own() -> None:
    """The most it does is damage and 6 where that is left out; a grip that is worse gives no dice less (VER-S21).

    What is flexible and two-handed is held in one hand if one likes, but is as long as the others.
    """
    arsenal = {
        "hook": HOOK,
        "best": {**HOOK, "max": 5},
        "none": {**HOOK, "damage": 0, "damage_two_handed": 0, "bonus": 0, "max": 0, "qualities": ["flexible"]},
        "odd": {**HOOK, "bonus_two_handed": 1, "damage_two_handed": 2, "qualities": ["flexible", "two_handed"]},
    }
    made = {"none": "shoddy"}
    arms = [{"weapon": one, "make": made.get(one, "plain"), "where": "pack"} for one in arsenal]
    found = list_carried(arsenal, weapons=arms)
    assert [found[one].stats["max"] for one in arsenal] == [10, 5, 0, 10]
    assert [found[one].stats["bonus"] for one in arsenal] == [3, 3, 0, 3]
    assert [found[one].stats.get("damage_two_handed") for one in arsenal] == [None, None, 0, 2]
    assert found["odd"].stats.get("grip_bonus") is None
    assert [(found[one].stats["hands"], found[one].stats["slots"]) for one in ("hook", "odd")] == [(1, 1), (1, 2)]


def test_what_must_be_loaded_and_lit() -> None:
    """Ready unless said otherwise; a crossbow has no match, a light one is not reloaded (VER-S25, VER-S29)."""
    ready = list_carried(weapons=["hand-pistol", {"weapon": "light-crossbow", "where": "pack"}], strength=3)
    assert ready["hand-pistol"].counters == {"bonus": 1, "loaded": 1, "lit": 1}
    assert ready["light-crossbow"].counters == {"bonus": 1}
    idle = list_carried(weapons=[{"weapon": "musket", "loaded": False, "lit": False}])
    assert idle["musket"].counters == {"bonus": 1, "loaded": 0, "lit": 0}


def test_two_weapons_of_a_kind_are_told_apart() -> None:
    """So are things, from each other and from arms and armour; a name that only begins alike is another."""
    assert list(places(weapons=["dagger", "dagger", "dagger"])) == ["dagger", "dagger-2", "dagger-3"]
    things = ("rope", "Rope", "lamp", "rope", "rope ladder", "rope 2", "dagger", "hide", "unarmed")
    told: dict[str, Any] = {
        "weapons": ["dagger"],
        "armor": "hide",
        "items": [{"name": name, "slots": 0} for name in things],
    }
    ropes = ["rope", "rope-2", "rope-2-2", "rope-3", "rope-ladder"]
    assert sorted(list_carried(**told)) == sorted(
        ["dagger", "dagger-2", "hide", "hide-2", "lamp", *ropes, "unarmed", "unarmed-2"]
    )


def test_ammunition_comes_for_what_is_fired() -> None:
    """A dozen of each that the weapons shoot, none for what is thrown, in slots of half a dozen (5.1, 5.6)."""
    arms = ["longbow", {"weapon": "light-crossbow", "where": "pack"}, {"weapon": "javelin", "where": "pack"}]
    found = list_carried(weapons=arms, strength=4)
    told = {name: (item.counters, item.stats["slots"]) for name, item in found.items() if item.kind == "ammunition"}
    assert told == {"arrow": ({"count": 12}, 2), "bolt": ({"count": 12}, 2)}
    assert found["arrow"].stats == {"slots": 2, "hands": 1, "cost": 2}
    assert (found["arrow"].name, found["arrow"].traits) == ("arrows", ("arrow",))


@pytest.mark.parametrize(("count", "slots"), [(0, 0), (1, 1), (6, 1), (7, 2), (12, 2), (13, 3)])
def test_ammunition_takes_a_slot_for_every_bundle_begun(count: int, slots: int) -> None:
    """The amount given (5.6)."""
    arrows = list_carried(ammunition={"arrow": count})["arrow"]
    assert (arrows.counters["count"], arrows.stats["slots"]) == (count, slots)


def test_armour_and_shields() -> None:
    """A suit takes as many slots as it impedes, and at least one; a buckler takes no hand (5.2, 5.6)."""
    light, heavy = (list_carried(armor=one)[one] for one in ("hide", "full-plate"))
    assert light.stats == {"rating": 1, "impeding": 0, "slots": 1, "cost": 3}
    assert heavy.stats == {"rating": 8, "impeding": 3, "slots": 3, "cost": 160}
    assert (heavy.where, heavy.counters, heavy.traits) == ("worn", {"rating": 8}, ("heavy",))
    assert list_carried(shield="buckler")["buckler"].stats == {"rating": 0, "hands": 0, "slots": 1, "cost": 5}
    assert list_carried(shield="kite")["kite"].stats == {"rating": 2, "hands": 1, "slots": 1, "cost": 12}


def test_a_block_gives_armour_and_weapons_unless_something_else_is_said() -> None:
    assert places(block="bandit") == {"hand-axe": "hand", "shortbow": "belt", "hide": "worn", "arrow": "belt"}
    assert places(block="bandit", armor="", weapons=[]) == {}
    assert places(block="bandit", armor="scalemail", weapons=["dagger"]) == {"dagger": "hand", "scalemail": "worn"}


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"weapons": ["dagger", "mace"]}, {"dagger": "hand", "mace": "belt"}),
        ({"weapons": ["dagger"], "shield": "heater"}, {"dagger": "hand", "heater": "hand"}),
        ({"weapons": ["long-sword"], "shield": "heater"}, {"long-sword": "hand", "heater": "pack"}),
        ({"weapons": ["long-sword"], "shield": "buckler"}, {"long-sword": "hand", "buckler": "hand"}),
        (
            {"weapons": ["dagger", {"weapon": "mace", "where": "hand"}], "shield": "heater"},
            {"dagger": "hand", "mace": "hand", "heater": "pack"},
        ),
        ({"weapons": [{"weapon": "dagger", "where": "pack"}]}, {"dagger": "pack"}),
        (
            {"weapons": ["dagger", "mace", "club", "sickle", "whip", "rondel"]},
            {"dagger": "hand", "mace": "belt", "club": "belt", "sickle": "belt", "whip": "belt", "rondel": "pack"},
        ),
        (
            {"weapons": ["longbow", "mace", "club", "sickle"]},
            {"longbow": "hand", "arrow": "belt", "mace": "belt", "club": "belt", "sickle": "pack"},
        ),
        (
            {"items": [{"name": name, "slots": 2} for name in ("tent", "keg", "rug")]},
            {"tent": "belt", "keg": "belt", "rug": "pack"},
        ),
        (
            {"items": [{"name": "lamp", "where": "hand"}, {"name": "keg", "where": "hand", "slots": 9}]},
            {"lamp": "hand", "keg": "hand"},
        ),
    ],
)
def test_where_things_are(told: dict[str, Any], where: dict[str, str]) -> None:
    """Ammunition has the first place on the belt; what does not fit goes into the pack (VER-102)."""
    assert places(**told) == where


@pytest.mark.parametrize(
    "told",
    [
        {"weapons": [{"weapon": "long-sword", "where": "hand"}, {"weapon": "dagger", "where": "hand"}]},
        {"weapons": ["dagger", "mace"], "items": [{"name": "keg", "slots": 6}]},
        {"items": [{"name": "keg", "slots": 6}]},
        {"items": [{"name": "keg", "slots": 5, "where": "belt"}]},
        {"items": [{"name": name, "where": "hand"} for name in ("keg", "tent", "lamp")]},
        {"weapons": ["long-sword"], "shield": {"shield": "heater", "where": "hand"}},
    ],
)
def test_no_room(told: dict[str, Any]) -> None:
    """Two hands, four slots on the belt, Strength and four in the pack (5.6)."""
    with pytest.raises(Unusable, match="there is no room for the"):
        places(**told)


def test_strength_makes_room() -> None:
    """Five slots with a Strength of 1, six with 2."""
    keg = {"items": [{"name": "keg", "slots": 6}], "strength": 2}
    assert places(**keg) == {"keg": "pack"}
    assert places(items=[{"name": "keg", "slots": 5}]) == {"keg": "pack"}
    assert places(items=[{"name": "keg", "slots": 4}]) == {"keg": "belt"}


def test_things_have_the_size_of_their_kind() -> None:
    """Each takes one slot, and one hand; nothing at all if that is said (5.6)."""
    kinds = ("potion", "book", "rations", "thing")
    found = list_carried(items=[{"name": f"a {kind}", "kind": kind} for kind in kinds])
    assert {item.kind: item.stats for name, item in found.items() if name != "unarmed"} == {
        kind: {"slots": 1, "hands": 1} for kind in kinds
    }
    assert list_carried(items=[{"name": "ring", "slots": 0}])["ring"].stats["slots"] == 0
