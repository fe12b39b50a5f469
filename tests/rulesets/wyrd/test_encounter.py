"""Refused content of an encounter file of Wyrd, and the named fields."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight, Unusable, begin_fight
from tests.engine.fights import SEED, noon

GROG: dict[str, Any] = {"name": "Grog", "side": "a", "pc": True, "weapons": ["greatsword", "dirk"]}
ORC: dict[str, Any] = {"name": "Orc", "side": "b", "block": "orc"}


ON_BOTH_SIDES: dict[str, Any] = {"grog": {"side": "a"}, "orc": {"side": "a"}}


def apart(metres: int) -> dict[str, Any]:
    """Say how far the two are from each other."""
    return {"distance": [{"between": ["grog", "orc"], "metres": metres}]}


def fault(**changes: Any) -> tuple[str, str]:
    """Open an encounter with something changed, Grog's entry under his name; return the field and the complaint."""
    grog = {**GROG, **changes.pop("grog", {})}
    orc = {**ORC, **changes.pop("orc", {})}
    told = {"system": "wyrd", "combatant": [grog, orc], **changes}
    with pytest.raises(Unusable) as caught:
        begin_fight("bad", told, who="gm", seed=SEED, clock=noon)
    return caught.value.field, caught.value.message


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"grog": {"power": 2}}, "combatant[0].power", "must be from 4 to 12"),
        ({"orc": {"power": 1}}, "combatant[1].power", "must be from 2 to 12"),
        ({"grog": {"power": 7}}, "combatant[0].power", "Invalid enum value 7"),
        ({"grog": {"current": {"power": 8}}}, "combatant[0].current.power", "must be from 2 to 6"),
        ({"grog": {"current": {"greatsword": 12}}}, "combatant[0].current.greatsword", "must be at most 10"),
        ({"grog": {"current": {"harp": 4}}}, "combatant[0].current", "there is no ability or piece harp"),
        ({"grog": {"weapons": ["harp"]}}, "combatant[0].weapons[0]", "harp"),
        ({"grog": {"weapons": ["maille"]}}, "combatant[0].weapons[0]", "maille"),
        ({"grog": {"weapons": ["unarmed"]}}, "combatant[0].weapons[0]", "unarmed"),
        ({"grog": {"hands": ["axe"]}}, "combatant[0].hands", "there is no weapon axe"),
        ({"grog": {"hands": ["greatsword", "dirk"]}}, "combatant[0].hands", "two hands hold"),
        ({"grog": {"protection": ["maille", "scale"]}}, "combatant[0].protection", "only one piece of each kind"),
        ({"grog": {"load": 8}}, "combatant[0].slots", "fills 11 slots of 10"),
        ({"grog": {"slots": 3, "fatigue": 1}}, "combatant[0].slots", "fills 4 slots of 3"),
        ({"grog": {"gear": ["rope"]}}, "combatant[0].gear[0]", "rope"),
        ({"orc": {"block": "ork"}}, "combatant[1].block", "there is no stat block ork"),
        ({"orc": {"name": "Grog"}}, "combatant[1].name", "grog"),
        ({"orc": {"at": "yard"}}, "combatant[0].at", "must say where"),
        ({"melee": [{"members": ["grog", "ogre"]}]}, "melee[0].members", "there is no ogre"),
        ({"melee": [{"members": ["grog", "orc"]}] * 2}, "melee[1].members", "grog is engaged already"),
        ({"melee": [{"members": ["orc-a", "orc-b"]}], "orc": {"count": 2}}, "melee[0].members", "orc-a has no enemy"),
        ({"melee": [{"members": ["grog", "orc"]}], **apart(20)}, "melee[0].members", "grog has no enemy within reach"),
        ({"melee": [{"members": ["grog", "orc"]}], **apart(3)}, "melee[0].members", "grog has no enemy within reach"),
        ({"melee": [{"members": ["grog", "orc"]}], **ON_BOTH_SIDES}, "melee[0].members", "grog has no enemy within"),
        ({"melee": [{"members": ["ogre", "orc"]}]}, "melee[0].members", "there is no ogre; there are grog, orc"),
        ({"distance": [{"between": ["grog", "elf"], "metres": 3}]}, "distance[0].between", "there is no elf"),
        ({"distance": [{"between": ["elf", "grog"], "metres": 3}]}, "distance[0].between", "there is no elf"),
        ({"grog": {"in_hand": ["axe"]}}, "combatant[0].in_hand", "there is no weapon axe"),
        ({"grog": {"in_hand": ["dirk", "dirk"]}}, "combatant[0].in_hand", "two hands hold"),
        ({"grog": {"in_hand": ["dirk", "greatsword"]}}, "combatant[0].in_hand", "two hands hold"),
        ({"grog": {"protection": ["dirk"]}}, "combatant[0].protection[0]", "there is no piece of protection dirk"),
        ({"grog": {"gear": ["dirk"]}}, "combatant[0].gear[0]", "there is no piece of gear dirk"),
        ({"grog": {"slots": 2}}, "combatant[0].slots", "fills 3 slots of 2"),
        ({"grog": {"fatigue": 8}}, "combatant[0].slots", "fills 11 slots of 10"),
        ({"orc": {"slots": 2}}, "combatant[1].slots", "fills 3 slots of 2"),
        ({"config": {"slots": 2}}, "combatant[0].slots", "fills 3 slots of 2"),
        ({"grog": {"current": {"power": 1}}}, "combatant[0].current.power", "must be from 2 to 6"),
        ({"grog": {"at": "yard"}}, "combatant[1].at", "must say where"),
        ({"orc": {"count": 2, "at": ["yard"]}, "grog": {"at": "yard"}}, "combatant[1].at", "2 places, one for each"),
        ({"place": [{"name": "yard"}], "grog": {"at": "yard"}, "orc": {"at": "gate"}}, "combatant[1].at", "gate"),
        ({"place": [{"name": "yard", "exits": ["yard", "gate"]}]}, "place[0].exits[1]", "there is no place gate"),
        ({"config": {"chain": ["d4", "d4"]}}, "config", "a chain names each size once"),
        ({"config": {"chain": []}}, "config", "length >= 1"),
        ({"config": {"multi_success_min_dice": 1}}, "config", ">= 2"),
        ({"config": {"hindrance_floor": 0}}, "config", ">= 1"),
        ({"config": {"light_max_die": -1}}, "config", ">= 0"),
        ({"orc": {"count": 0}}, "combatant[1].count", ">= 1"),
        ({"grog": {"in_hand": ["dirk"] * 3}}, "combatant[0].in_hand", "length <= 2"),
        ({"grog": {"load": -1}}, "combatant[0].load", ">= 0"),
        ({"grog": {"name": ""}}, "combatant[0].name", "length >= 1"),
        ({"melee": [{"members": ["grog"]}]}, "melee[0].members", "length >= 2"),
        ({"distance": [{"between": ["grog", "orc"], "metres": -1}]}, "distance[0].metres", ">= 0"),
        (
            {"melee": [{"members": ["grog", "orc"]}], "grog": {"at": "yard"}, "orc": {"at": "gate"}},
            "melee[0].members",
            "grog has no enemy within reach",
        ),
        ({"distance": [{"between": ["grog", "grog"], "metres": 3}]}, "distance[0].between", "must name two"),
        ({"view": [{"between": ["grog", "elf"]}]}, "view[0].between", "there is no elf"),
        ({"view": [{"between": ["grog", "orc"], "view": "dim"}]}, "view[0].view", "Invalid enum value 'dim'"),
        ({"place": [{"name": "yard", "exits": ["gate"]}]}, "place[0].exits[0]", "there is no place gate"),
        ({"config": {"chain": ["d4", "d2"]}}, "config", "a chain names each size once"),
        ({"config": {"chain": ["4"]}}, "config", "`str` matching regex"),
        ({"config": {"chain_top": 14}}, "config", "Invalid enum value 14"),
    ],
)
def test_it_is_refused_by_field(changes: dict[str, Any], field: str, says: str) -> None:
    found, message = fault(**changes)
    assert (found, says in message) == (field, True), message


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        ({"die": 20}, "a d20 is for treasure"),
        ({"grade": "shoddy"}, "there is no grade shoddy"),
        ({"die": 6, "tags": ["holy"]}, "there is no tag holy"),
    ],
)
def test_gear_of_ones_own_is_looked_at_where_it_is_carried(piece: dict[str, Any], says: str) -> None:
    own = {"blade": {"name": "blade", "kind": "weapon", "hands": 1, **piece}}
    field, message = fault(gear=own, grog={"weapons": ["blade"]})
    assert field.startswith("combatant[0].weapons[0]")
    assert says in message


def test_places_and_distances_do_not_go_together() -> None:
    near = [{"between": ["grog", "orc"], "metres": 3}]
    field, message = fault(grog={"at": "yard"}, orc={"at": "yard"}, distance=near)
    assert (field, "they say who is near whom" in message) == ("distance[0].between", True)


def test_alike_ones_are_counted_and_share_a_place() -> None:
    told = {
        "system": "wyrd",
        "combatant": [{**GROG, "at": "yard"}, {**ORC, "count": 3, "at": ["yard", "gate", "yard"]}],
    }
    fight = begin_fight("good", told, who="gm", seed=SEED, clock=noon)
    assert [(one.id, one.place) for one in fight.state.combatants.values()] == [
        ("grog", "yard"),
        ("orc-a", "yard"),
        ("orc-b", "gate"),
        ("orc-c", "yard"),
    ]


def open_changed_encounter(**changes: Any) -> Fight:
    """Open an encounter with something changed, as ``fault`` does."""
    grog, orc = {**GROG, **changes.pop("grog", {})}, {**ORC, **changes.pop("orc", {})}
    told = {"system": "wyrd", "combatant": [grog, orc], **changes}
    return begin_fight("good", told, who="gm", seed=SEED, clock=noon)


@pytest.mark.parametrize(
    "changes",
    [
        {"melee": [{"members": ["grog", "orc"]}], **apart(2)},
        {"grog": {"load": 7}},
        {"grog": {"slots": 3}},
        {"grog": {"in_hand": ["dirk"], "hands": ["greatsword", "dirk"]}},
        {"orc": {"slots": None, "load": 99}},
        {"grog": {"power": 4}, "orc": {"power": 12}},
        {"grog": {"current": {"power": 6, "grace": 2, "greatsword": 10}}},
        {"place": [{"name": "yard", "exits": ["gate"]}, {"name": "gate"}]},
        {"distance": [{"between": ["grog", "orc"], "metres": 999}]},
        {"config": {"chain": ["d2", "d20"], "chain_top": 20, "hindrance_floor": 1, "light_max_die": 0}},
    ],
)
def test_what_just_fits_is_taken(changes: dict[str, Any]) -> None:
    assert len(open_changed_encounter(**changes).state.combatants) == 2


def test_a_combatant_has_what_is_said_then_what_the_block_says_then_the_default() -> None:
    fight = open_changed_encounter(grog={"block": "brand", "grace": 10, "load": 2, "fatigue": 1}, config={"slots": 12})
    state = fight.state
    sizes = {name: state.items[f"grog.{name}"].die for name in ("power", "grace", "intellect", "will")}
    assert sizes == {"power": 8, "grace": 10, "intellect": 6, "will": 6}
    grog, orc = state.combatants["grog"], state.combatants["orc"]
    assert (grog.stats, grog.traits) == ({"slots": 12, "load": 2}, ("pc",))
    assert grog.pools == {"moves": 0, "actions": 0, "fatigue": 1, "wounds": 0}
    assert (orc.stats, orc.traits) == ({"load": 0}, ())


def test_each_thing_has_its_place_numbers_and_size() -> None:
    """The first weapon is in hand, protection is worn, black powder is loaded, fists are always there."""
    own = {
        "oil": {"name": "oil", "kind": "other", "grade": "single_use", "slots": 1},
        "pot": {"name": "pot", "kind": "head", "grade": "poor", "material": "better", "slots": 1},
        "club": {"name": "club", "kind": "weapon", "die": 2, "material": "worse", "damage": 2},
        "crown": {"name": "crown", "die": 8, "material": "worse"},
        "rod": {"name": "rod", "kind": "weapon", "die": 12, "tags": ["quality", "enchanted"], "hands": 2},
        "rope": {"name": "rope"},
    }
    grog = {
        "weapons": ["club", "musket", "dirk", "dirk", "rod"],
        "protection": ["pot", "crown"],
        "gear": ["oil", "rope", "rope"],
        "current": {"dirk-2": 2},
    }
    state = open_changed_encounter(grog={**grog, "pc": False}, gear=own, config={"chain_top": 20}).state
    found = {
        key.removeprefix("grog."): (one.kind, one.where, one.die, one.base, one.stats, one.counters)
        for key, one in state.items.items()
        if one.owner == "grog" and one.kind != "ability"
    }
    assert found == {
        "club": ("weapon", "main hand", 2, 2, {"hands": 1, "damage": 2}, {}),
        "musket": ("weapon", "", 10, 10, {"hands": 2, "slots": 2}, {"loaded": 1}),
        "dirk": ("weapon", "", 4, 4, {"hands": 1, "slots": 1}, {}),
        "dirk-2": ("weapon", "", 2, 4, {"hands": 1, "slots": 1}, {}),
        "rod": ("weapon", "", 20, 20, {"hands": 2}, {}),
        "pot": ("head", "worn", 4, 4, {"slots": 1}, {}),
        "crown": ("protection", "worn", 6, 6, {}, {}),
        "oil": ("other", "", 1, 1, {"slots": 1}, {}),
        "rope": ("other", "", 0, 0, {}, {}),
        "rope-2": ("other", "", 0, 0, {}, {}),
        "unarmed": ("weapon", "", 0, 0, {"damage": 1}, {}),
    }


def test_two_weapons_are_held_the_main_hand_first_and_none_if_none_is_said() -> None:
    where = {
        held: {
            key: one.where for key, one in open_changed_encounter(grog=grog).state.items.items() if one.kind == "weapon"
        }
        for held, grog in {
            "two": {"weapons": ["dirk", "mace"], "in_hand": ["mace", "dirk"]},
            "none": {"weapons": ["dirk", "mace"], "hands": []},
        }.items()
    }
    assert (where["two"]["grog.mace"], where["two"]["grog.dirk"]) == ("main hand", "off hand")
    assert (where["none"]["grog.mace"], where["none"]["grog.dirk"]) == ("", "")


def test_melees_distances_and_views_are_set_up_in_order() -> None:
    people = [{**GROG, "name": name, "side": side} for name, side in zip("DCBA", "xyxy", strict=True)]
    told = {
        "system": "wyrd",
        "combatant": people,
        "melee": [{"members": ["d", "c"]}, {"members": ["b", "a"]}],
        "distance": [{"between": ["d", "a"], "metres": 3}, {"between": ["b", "c"], "metres": 2}],
        "view": [{"between": ["d", "a"], "view": "cover"}],
    }
    state = begin_fight("good", told, who="gm", seed=SEED, clock=noon).state
    melees = {key: tuple(one.who for one in melee.members) for key, melee in state.relations.items()}
    assert melees == {"melee": ("d", "c"), "melee-2": ("b", "a")}
    assert state.distances == {"a": {"d": 3}, "b": {"c": 2}}
    assert state.views == {"a": {"d": "cover"}, "d": {"a": "cover"}}


def test_what_has_no_die_fills_slots_as_well() -> None:
    own = {"sack": {"name": "sack", "slots": 6}}
    assert open_changed_encounter(grog={"gear": ["sack"]}, gear=own).state.combatants["grog"].stats["slots"] == 10
    field, message = fault(grog={"gear": ["sack"], "load": 2}, gear=own)
    assert (field, message) == ("combatant[0].slots", "fills 11 slots of 10")


def test_what_is_unknown_is_named_beside_what_is_known() -> None:
    """Bare hands cannot be named, and neither can items of another kind."""
    _, message = fault(grog={"gear": ["harp"]}, gear={"rope": {"name": "rope"}, "horn": {"name": "horn"}})
    assert message == "there is no piece of gear harp; there are rope, horn"
    _, message = fault(grog={"weapons": ["unarmed"]})
    assert "unarmed" not in message.partition("there are")[2]
    _, message = fault(grog={"block": "ork"})
    assert "there is no stat block ork" in message
