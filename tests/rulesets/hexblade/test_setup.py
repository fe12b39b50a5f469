"""The results of an encounter file of Hexblade: the map, the sheets, and all carried items."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Unusable
from affray.engine.rulesets.hexblade.config import Config
from affray.engine.rulesets.hexblade.encounter.setup import encounter
from affray.events import Event, Feature, ItemAdded, Joined, MarkSet, PlaceSet, SideTrait

HERO: dict[str, Any] = {"name": "Ada", "side": "party", "hp": 7}
LANCE = {"name": "lance", "attribute": "str", "die": 12, "hands": 2, "durability": 9, "complex": True}
SLING = {"name": "sling", "attribute": "dex", "die": 4, "hands": 1, "ammunition": "stone"}
BOLAS = {"name": "bolas", "attribute": "either", "die": 4, "hands": 1, "ammunition": "itself", "durability": 3}
CLAW = {"name": "claw", "attribute": "str", "die": 6, "hands": 0, "natural": True}
MORE = {"lance": LANCE, "sling": SLING, "bolas": BOLAS, "claw": CLAW}


def events(*people: dict[str, Any], **other: Any) -> list[Event]:
    """Return the events that set up a fight of these people."""
    return encounter({"system": "hexblade", "combatant": list(people), "weapon": MORE, **other}, Config())


def items(**other: Any) -> dict[str, ItemAdded]:
    """Return a combatant's items, by the part of their id after the owner's."""
    spells = other.pop("spell", {})
    found = [one for one in events({**HERO, **other}, spell=spells) if isinstance(one, ItemAdded)]
    assert all(one.owner == "ada" and one.item.startswith("ada.") for one in found)
    return {one.item.removeprefix("ada."): one for one in found}


def hero(**other: Any) -> Joined:
    """Return a combatant as it joins."""
    found = [one for one in events({**HERO, **other}) if isinstance(one, Joined)]
    assert len(found) == 1
    return found[0]


def test_the_edges_of_the_map_and_its_hexes() -> None:
    """A hex may be out of the ordinary in several ways, and one hex wide is wide enough."""
    board = {
        "q": [2, 2],
        "r": [-1, 4],
        "difficult": ["2,0", "2,3"],
        "smoke": ["2,0"],
        "blocked": ["2,4"],
        "side": [{"between": ["2,1", "2,2"], "cover": "hard"}, {"between": ["2,0", "2,-1"], "cover": "soft"}],
    }
    found = events({**HERO, "at": "2,1"}, board=board)
    marks = {one.key: one.value for one in found if isinstance(one, MarkSet) and not one.about}
    assert marks == {"q_from": 2, "q_to": 2, "r_from": -1, "r_to": 4}
    places = {one.place: (one.traits, one.side_traits, one.rules) for one in found if isinstance(one, PlaceSet)}
    assert places == {
        "2,0": (("difficult", "smoke"), (SideTrait(side=2, trait="soft"),), ("HEX-070", "HEX-071")),
        "2,3": (("difficult",), (), ("HEX-070", "HEX-071")),
        "2,4": (("blocked",), (), ("HEX-071", "HEX-078")),
        "2,1": ((), (SideTrait(side=5, trait="hard"),), ("HEX-071", "HEX-078")),
    }


@pytest.mark.parametrize(
    ("board", "at", "says"),
    [
        ({"q": [0, 3]}, "-1,0", "off the map"),
        ({"q": [0, 3]}, "4,0", "off the map"),
        ({"r": [0, 3]}, "0,-1", "off the map"),
        ({"r": [0, 3]}, "0,4", "off the map"),
        ({"r": [3, 0]}, "0,1", "lower edge first"),
        ({"blocked": ["0,0"]}, "0,0", "blocked"),
    ],
)
def test_nobody_begins_where_nobody_can_be(board: dict[str, Any], at: str, says: str) -> None:
    with pytest.raises(Unusable, match=says):
        events({**HERO, "at": at}, board=board)


@pytest.mark.parametrize(("board", "at"), [({"q": [0, 3]}, "0,9"), ({"q": [0, 3]}, "3,9"), ({"r": [0, 3]}, "9,3")])
def test_the_edges_belong_to_the_map(board: dict[str, Any], at: str) -> None:
    assert any(isinstance(one, Joined) and one.place == at for one in events({**HERO, "at": at}, board=board))


def test_a_spell_gives_no_state_that_follows_from_something_else() -> None:
    spell = {"hold": {"name": "hold", "condition": "grappled"}}
    with pytest.raises(Unusable, match="follows from something else") as fault:
        events({**HERO, "at": "0,0"}, spell=spell)
    assert fault.value.field == "spell.hold.condition"


def test_a_sheet_says_all_and_the_rest_is_usual() -> None:
    """Ten for the initiative of those who do not roll, thirty feet, nothing else."""
    joined = hero()
    assert joined.stats == {
        **dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 0),
        **dict.fromkeys(("evade", "brawl", "crafting", "sneak", "notice", "acrobatics"), 0),
        "hp": 7,
        "movement": 30,
        "initiative": 10,
        "reach": 1,
    }
    assert joined.pools == {"hp": 7, "movement": 0, "actions": 0}
    assert (joined.traits, joined.place, joined.name, joined.side) == ((), "", "Ada", "party")


def test_what_a_file_says_goes_before_the_block() -> None:
    """Also where it says 0 or no."""
    plain = hero(block="archer", hp=None)
    assert (plain.stats["dex"], plain.stats["evade"], plain.stats["crafting"]) == (3, 1, 2)
    assert (plain.traits, plain.pools["hp"], plain.stats["initiative"]) == (("pc",), 9, 10)
    other = hero(block="archer", dex=0, skills={"brawl": 2}, pc=False, hp=4, cover="soft", initiative=0, movement=0)
    assert (other.stats["dex"], other.stats["evade"], other.stats["brawl"], other.stats["movement"]) == (0, 0, 2, 0)
    assert (other.traits, other.stats["initiative"]) == (("soft_cover",), 0)
    assert hero(pc=True, **{"class": "wizard"}).traits == ("pc", Feature(kind="class", of="wizard"))
    assert hero(block="bandit").stats["initiative"] == 12


@pytest.mark.parametrize(
    ("told", "hp", "most"),
    [
        ({"hp": 5, "hp_max": 9}, 5, 9),
        ({"hp": 9, "hp_max": 9}, 9, 9),
        ({"hp": None, "hp_max": 9}, 9, 9),
        ({"hp": 5, "block": "archer"}, 5, 5),
        ({"hp": None, "hp_max": 1}, 1, 1),
    ],
)
def test_hit_points(told: dict[str, Any], hp: int, most: int) -> None:
    joined = hero(**told)
    assert (joined.pools["hp"], joined.stats["hp"]) == (hp, most)


def test_hit_points_must_be_known() -> None:
    with pytest.raises(Unusable, match="hp is missing"):
        hero(hp=None)


def test_weapons_belt_and_pack() -> None:
    """The first weapon is in hand; a weapon in the pack is a weapon, and all other items are goods."""
    found = items(weapons=["lance", "dagger"], belt=["Rope", "mace"], pack=["Short Sword", "lamp"])
    assert {key: (one.kind, one.where, one.name) for key, one in found.items()} == {
        "lance": ("weapon", "hand", "lance"),
        "dagger": ("weapon", "belt", "dagger"),
        "rope": ("goods", "belt", "Rope"),
        "mace": ("weapon", "belt", "mace"),
        "short-sword": ("weapon", "pack", "short sword"),
        "lamp": ("goods", "pack", "lamp"),
        "unarmed": ("weapon", "", "bare hands"),
    }
    lance, dagger, bare = found["lance"], found["dagger"], found["unarmed"]
    assert (lance.traits, lance.stats) == (("str", "melee", "complex"), {"hands": 2, "durability": 9})
    assert (lance.die, lance.base, lance.counters) == (12, 12, {})
    assert (dagger.traits, dagger.stats) == (("either", "melee"), {"hands": 1, "durability": 5})
    assert (bare.traits, bare.stats, bare.die) == (("str", "melee", "natural"), {"hands": 0, "durability": 0}, 3)


def test_what_shoots_and_what_is_thrown() -> None:
    """A quiver comes with what shoots; what is thrown is its own missile, one piece unless more are told."""
    found = items(weapons=["sling", "bolas"])
    assert (found["sling"].traits, found["sling"].features) == (("dex", "ranged"), (Feature(kind="uses", of="stone"),))
    assert (found["sling"].stats, found["sling"].counters) == ({"hands": 1, "durability": 5}, {})
    assert found["stone"].counters == {"left": 20, "spent": 0, "recoverable": 0}
    assert (found["stone"].kind, found["stone"].traits, found["stone"].where) == ("ammunition", ("stone",), "")
    assert found["bolas"].traits == ("either", "ranged", "thrown")
    assert (found["bolas"].stats["durability"], found["bolas"].counters["left"]) == (3, 1)
    assert set(found) == {"sling", "bolas", "stone", "unarmed"}


def test_missiles_are_as_many_as_the_file_says() -> None:
    """Also of what nothing here shoots; those of a weapon that is thrown are its pieces."""
    found = items(weapons=["sling", "bolas"], missiles={"bolas": 4, "stone": 0, "arrow": 7})
    assert found["bolas"].counters == {"left": 4, "spent": 0, "recoverable": 0}
    assert {key: found[key].counters["left"] for key in ("stone", "arrow")} == {"stone": 0, "arrow": 7}
    assert items(block="archer", missiles={"arrow": 2})["arrow"].counters["left"] == 2
    assert items(block="archer")["arrow"].counters["left"] == 20
    assert "arrow" not in items(block="archer", missiles={}, weapons=["dagger"])


@pytest.mark.parametrize("armor", ["light", "medium", "heavy"])
def test_armour_and_shield(armor: str) -> None:
    found = items(armor=armor, shield=True, weapons=["dagger", "lance"])
    suit, shield = found[f"{armor}-armor"], found["shield"]
    die = {"light": 4, "medium": 6, "heavy": 8}[armor]
    assert (suit.kind, suit.where, suit.die, suit.base) == ("armor", "worn", die, die)
    assert (shield.kind, shield.where, shield.stats) == ("shield", "hand", {"bonus": 1, "hands": 1})


def test_what_is_left_out_comes_from_the_block_or_is_nothing() -> None:
    assert set(items()) == {"unarmed"}
    assert set(items(block="guard")) == {"spear", "unarmed", "medium-armor", "shield"}
    assert set(items(block="guard", shield=False, armor="none", weapons=[])) == {"unarmed"}


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"weapons": ["lance"], "shield": True}, "combatant[0].shield"),
        ({"weapons": ["dagger"], "belt": ["Dagger"]}, "combatant[0].belt[0]"),
        ({"belt": ["rope"], "pack": ["lamp", "rope"]}, "combatant[0].pack[1]"),
        ({"weapons": ["unarmed"]}, "combatant[0].weapons[0]"),
        ({"pack": ["unarmed"]}, "combatant[0].pack[0]"),
        ({"weapons": ["rope"]}, "combatant[0].weapons[0]"),
        ({"armor": "shield"}, "combatant[0].armor"),
        ({"missiles": {"itself": 1}}, "combatant[0].missiles"),
        ({"spells": ["blink", "blink"]}, "combatant[0].spells[1]"),
    ],
)
def test_what_cannot_be_carried(told: dict[str, Any], field: str) -> None:
    """Two of a kind, bare hands, a shield for armour, or one beside a weapon that takes both hands."""
    with pytest.raises(Unusable) as fault:
        events({**HERO, **told}, spell={"blink": {"name": "blink"}})
    assert fault.value.field == field


def test_spells_say_whose_they_are_and_what_they_give() -> None:
    spell = {
        "flash": {"name": "Flash", "classes": ["wizard", "witch"], "condition": "blinded", "rounds": 2},
        "blink": {"name": "Blink"},
    }
    found = items(spells=["flash", "blink"], spell=spell)
    flash, blink = found["flash"], found["blink"]
    assert (flash.kind, flash.name, flash.stats, flash.where) == ("spell", "Flash", {"rounds": 2}, "")
    said = [(one.kind, one.of) for one in flash.features]
    assert (flash.traits, said) == ((), [("list", "wizard"), ("list", "witch"), ("gives", "blinded")])
    assert (blink.traits, blink.stats) == ((), {"rounds": 0})


def test_several_of_an_entry_each_have_their_own_things() -> None:
    wolves = events({**HERO, "name": "Wolf", "count": 2, "at": ["0,0", "1,0"], "weapons": ["claw"]})
    assert [(one.who, one.place) for one in wolves if isinstance(one, Joined)] == [("wolf-a", "0,0"), ("wolf-b", "1,0")]
    assert [one.item for one in wolves if isinstance(one, ItemAdded)] == [
        f"{who}.{what}" for who in ("wolf-a", "wolf-b") for what in ("claw", "unarmed")
    ]
