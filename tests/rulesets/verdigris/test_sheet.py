"""The results of an encounter file: combatants, zones, mounts, melees and seats."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Unusable
from affray.events import Feature
from tests.rulesets.verdigris.moments import ADA, HALL_AND_YARD, ORC, moment, one_of_us, open_with_orc, orc, unusable


@pytest.mark.parametrize(
    ("told", "hp", "most"),
    [
        ({}, 3, 3),
        ({"hp": 6}, 6, 6),
        ({"hp_max": 6}, 6, 6),
        ({"hp": 1, "hp_max": 6}, 1, 6),
        ({"hp": 6, "hp_max": 6}, 6, 6),
        ({"block": "ogre"}, 10, 10),
        ({"block": "ogre", "hp": 4}, 4, 4),
        ({"talents": {"hardy": 2}}, 5, 5),
        ({"hp": 2, "talents": {"hardy": 1}}, 3, 3),
        ({"hp": 2, "hp_max": 4, "talents": {"hardy": 1}}, 2, 5),
    ],
)
def test_hit_points(told: dict[str, Any], hp: int, most: int) -> None:
    """As many as is said, all of them unless both numbers are; hardy people have more (5.3, 5.7)."""
    ada = open_with_orc({**ADA, **told}).combatants["ada"]
    assert (ada.pools["hp"], ada.stats["hp"]) == (hp, most)


@pytest.mark.parametrize(
    ("told", "wounds", "most"),
    [
        ({}, 2, 2),
        ({"wounds": 0}, 0, 2),
        ({"wounds": 3}, 3, 3),
        ({"wounds_max": 1}, 1, 1),
        ({"wounds_max": 0}, 0, 0),
        ({"wounds": 1, "wounds_max": 1}, 1, 1),
        ({"wounds": 2, "wounds_max": 4}, 2, 4),
    ],
)
def test_wounds(told: dict[str, Any], wounds: int, most: int) -> None:
    """Two unless something else is said, and never more than the maximum (5.3)."""
    ada = open_with_orc({**ADA, **told}).combatants["ada"]
    assert (ada.pools["wounds"], ada.stats["wounds"]) == (wounds, most)


def test_what_only_player_characters_have() -> None:
    """Others have no counters for wounds, stress and inspiration, and each of them is refused (VER-S06)."""
    state = open_with_orc({**ADA, "stress": 2, "stress_min": 1, "inspiration": 1})
    ada, enemy = state.combatants["ada"], state.combatants["orc"]
    assert {name: ada.pools[name] for name in ("wounds", "stress", "inspiration")} == {
        "wounds": 2,
        "stress": 2,
        "inspiration": 1,
    }
    assert (ada.stats["stress_min"], ada.traits) == (1, ("pc",))
    assert not {"wounds", "stress", "inspiration"} & set(enemy.pools)
    assert (enemy.stats["wounds"], enemy.stats.get("stress_min"), enemy.traits) == (0, None, ())
    for field in ("wounds", "wounds_max", "stress", "inspiration", "stress_min"):
        assert unusable(ADA, orc("Odd", **{field: 1}))[0] == f"combatant[1].{field}"


def test_every_budget_is_empty_before_the_first_turn() -> None:
    """And attributes are whole (VER-015)."""
    ada = open_with_orc({**ADA, "strength": 4, "talents": {"luck": 1, "wild-tackle": 1, "drilled": 1}}).combatants[
        "ada"
    ]
    pools = {"move": 0, "action": 0, "belt": 0, "strength": 4, "agility": 1, "intelligence": 1, "charisma": 1}
    assert {name: ada.pools[name] for name in pools} == pools
    assert (ada.pools["luck"], ada.pools["wild-tackle"]) == (1, 1)
    assert "drilled" not in ada.pools
    assert {one: ada.stats[one] for one in ("luck", "wild-tackle", "drilled")} == dict.fromkeys(
        ("luck", "wild-tackle", "drilled"), 1
    )


def test_a_block_is_where_one_starts_from() -> None:
    """Given values replace its own, also 0; skills are those of both (5.9)."""
    told = open_with_orc(ADA, orc("Odd", strength=0, dodge=5, skills={"bows": 2})).combatants
    assert {one: told["orc"].stats[one] for one in ("strength", "warding", "brawling")} == {
        "strength": 4,
        "warding": 1,
        "brawling": 1,
    }
    names = ("strength", "agility", "dodge", "withstand", "bows", "brawling")
    assert [told["odd"].stats.get(one) for one in names] == [0, 2, 5, 2, 2, None]
    plain = open_with_orc(one_of_us("Ada", skills={"riding": 0})).combatants["ada"]
    assert plain.stats["riding"] == 0


@pytest.mark.parametrize(
    ("told", "traits"),
    [
        ({}, ("pc",)),
        ({"size": "common"}, ("pc",)),
        ({"size": "small"}, ("pc", "small")),
        ({"block": "ogre"}, ("pc", "large")),
        ({"block": "ogre", "size": "common"}, ("pc",)),
        ({"background": "Old Sailor"}, ("pc", Feature(kind="background", of="old-sailor"))),
        (
            {"tenacious": ["strength", "charisma"]},
            ("pc", *(Feature(kind="tenacious", of=one) for one in ("strength", "charisma"))),
        ),
    ],
)
def test_words_on_the_sheet(told: dict[str, Any], traits: tuple[str | Feature, ...]) -> None:
    assert open_with_orc({**ADA, **told}).combatants["ada"].traits == traits


@pytest.mark.parametrize(("level", "talent"), [(2, "ironclad"), (9, "strong-back"), (1, "luck")])
def test_talents_up_to_their_highest_level(level: int, talent: str) -> None:
    """One of no limit goes as far as one likes (5.7)."""
    assert open_with_orc({**ADA, "talents": {talent: level}}).combatants["ada"].stats[talent] == level


@pytest.mark.parametrize(
    ("bodies", "condition"), [(1, {}), (2, {"bodies": 1}), (5, {"bodies": 4}), (0, {"uncounted": 1})]
)
def test_bodies(bodies: int, condition: dict[str, int]) -> None:
    """Combatants that count more than once, or not at all (VER-035)."""
    found = open_with_orc(ADA, orc("Swarm", bodies=bodies)).combatants["swarm"].conditions
    assert {name: sum(sources.values()) for name, sources in found.items()} == condition


def test_zones_lead_both_ways_and_keep_their_traits() -> None:
    """A way that is told twice is one way (VER-017)."""
    zones = [
        {"name": "Great Hall", "exits": ["yard", "cellar"], "traits": ["indoors"]},
        {"name": "Yard", "exits": ["great hall"]},
        {"name": "Cellar"},
    ]
    places = moment({"combatant": [{**ADA, "at": "great hall"}, {**ORC, "at": "Cellar"}], "zone": zones}).state.places
    assert {one.id: (one.exits, one.traits) for one in places.values()} == {
        "great-hall": (("yard", "cellar"), ("indoors",)),
        "yard": (("great-hall",), ()),
        "cellar": (("great-hall",), ()),
    }


def test_everybody_is_somewhere() -> None:
    """One name for all, or one for each (VER-017)."""
    told = [{**ADA, "at": "hall"}, orc("Rat", count=2, at="yard"), orc("Bat", count=2, at=["hall", "yard"])]
    state = moment({"combatant": told, "zone": HALL_AND_YARD}).state
    assert [one.place for one in state.combatants.values()] == ["hall", "yard", "yard", "hall", "yard"]
    wrong: tuple[str | list[str], ...] = ("", [], ["hall"], ["hall"] * 3)
    for at in wrong:
        people = [{**ADA, "at": "hall"}, orc("Rat", count=2, at=at)]
        with pytest.raises(Unusable, match="must name a zone, one for all or 2 of them"):
            moment({"combatant": people, "zone": HALL_AND_YARD})
    with pytest.raises(Unusable, match="there is no zone moat"):
        moment({"combatant": [{**ADA, "at": "moat"}, {**ORC, "at": "hall"}], "zone": HALL_AND_YARD})
    assert unusable({**ADA, "at": ["hall"]})[1].endswith("there is no zone in this encounter")


@pytest.mark.parametrize(
    ("zones", "field"),
    [
        ([{"name": "hall"}, {"name": "yard", "exits": ["hall", "yard"]}], "zone[1].exits[1]"),
        ([{"name": "hall"}, {"name": "!"}], "zone[1].name"),
        ([{"name": "hall"}, {"name": "yard"}, {"name": "Hall"}], "zone[2].name"),
    ],
)
def test_zones_that_cannot_be(zones: list[dict[str, Any]], field: str) -> None:
    assert unusable(ADA, zone=zones)[0] == field


def test_a_mount_is_what_the_table_says_unless_the_file_says_otherwise() -> None:
    """Its natural weapon does its damage, and 6 more at most; barding is worn (5.9, VER-060, VER-068)."""
    state = open_with_orc({**ADA, "mount": "destrier"})
    horse, teeth = state.combatants["ada-destrier"], state.items["ada-destrier.unarmed"]
    assert (horse.name, horse.side, horse.traits) == ("Ada's destrier", "party", ("mount", "battle-trained"))
    assert (horse.stats, horse.pools) == ({"quality": 3, "bonus": 2, "damage": 2, "hp": 6}, {"hp": 6})
    assert teeth.stats == {"damage": 2, "bonus": 2, "max": 8, "hands": 0}
    assert (teeth.counters, teeth.traits, teeth.owner) == ({"bonus": 2}, ("brawling",), "ada-destrier")
    assert "ada-destrier.barding" not in state.items
    own = {"mount": "mule", "name": "Old Grey", "quality": 0, "bonus": 0, "damage": 0, "hp": 9, "barding": 2}
    state = open_with_orc({**ADA, "mount": own})
    horse, cloth = state.combatants["old-grey"], state.items["old-grey.barding"]
    assert (horse.name, horse.stats, horse.traits) == (
        "Old Grey",
        {"quality": 0, "bonus": 0, "damage": 0, "hp": 9},
        ("mount",),
    )
    assert (cloth.kind, cloth.where, cloth.stats, cloth.counters) == ("armor", "worn", {"rating": 2}, {"rating": 2})
    trained = open_with_orc({**ADA, "mount": {"mount": "mule", "battle_trained": True}})
    assert trained.combatants["ada-mule"].traits == ("mount", "battle-trained")
    shy = open_with_orc({**ADA, "mount": {"mount": "destrier", "battle_trained": False}})
    assert shy.combatants["ada-destrier"].traits == ("mount",)


def test_each_of_several_has_a_mount_of_its_own() -> None:
    """It has no given name then; saddles have distinct ids."""
    state = open_with_orc(ADA, orc("Rider", count=3, mount={"mount": "mule", "name": "Old Grey"}))
    saddles = {
        one.id: [member.who for member in one.members] for one in state.relations.values() if one.kind == "mount"
    }
    assert saddles == {
        "mount-rider-a": ["rider-a", "rider-a-mule"],
        "mount-rider-b": ["rider-b", "rider-b-mule"],
        "mount-rider-c": ["rider-c", "rider-c-mule"],
    }
    members = [(one.role, one.who) for one in state.relations["mount-rider-a"].members]
    assert members == [("rider", "rider-a"), ("mount", "rider-a-mule")]


@pytest.mark.parametrize("name", ["Ada", "gm", "fight"])
def test_a_mount_has_a_name_that_is_free(name: str) -> None:
    """Neither its rider's name, nor a reserved one, nor an earlier combatant's."""
    field, message = unusable({**ADA, "mount": {"mount": "mule", "name": name}})
    assert (field, "is taken already" in message) == ("combatant[0].mount", True)
    field, _ = unusable(one_of_us("Dun"), {**ADA, "mount": {"mount": "mule", "name": "dun"}})
    assert field == "combatant[1].mount"


def test_seats() -> None:
    """One for each named player, and one for every other player character of the party; animals have none (VER-011)."""
    people = [
        one_of_us("Ada", player="Anna"),
        one_of_us("Bram", mount="mule"),
        one_of_us("Cal", player="Anna"),
        {"name": "Guard", "side": "party"},
        orc("Traitor", pc=True),
    ]
    seats = {
        one.id: [m.who for m in one.members] for one in open_with_orc(*people).relations.values() if one.kind == "seat"
    }
    assert seats == {"seat-anna": ["ada", "cal"], "seat-bram": ["bram"]}


def test_melees_under_way() -> None:
    """Each with a unique id, mounts with their riders, in the order of the file (VER-031)."""
    people = [{**ADA, "mount": "mule"}, one_of_us("Bram"), orc("Orc B"), orc("Orc C", mount="mule")]
    state = open_with_orc(*people, melee=[{"members": ["orc", "ada"]}, {"members": ["bram", "orc-c", "orc-b"]}])
    melees = {
        one.id: [(member.who, member.role) for member in one.members]
        for one in state.relations.values()
        if one.kind == "melee"
    }
    assert melees == {
        "melee": [("orc", ""), ("ada", ""), ("ada-mule", "mount")],
        "melee-2": [("bram", ""), ("orc-c", ""), ("orc-c-mule", "mount"), ("orc-b", "")],
    }


@pytest.mark.parametrize(
    ("melees", "field", "message"),
    [
        ([["ada", "orc"], ["ada", "orc-b"]], "melee[1].members", "ada is named twice"),
        ([["ada", "ada", "orc"]], "melee[0].members", "ada is named twice"),
        ([["ada", "bram"]], "melee[0].members", "a member of each side"),
        ([["ada", "orc-b"]], "melee[0].members", "in one zone"),
        ([["ada-mule", "orc"]], "melee[0].members", "there is no fighter ada-mule"),
        ([["ada", "odo"]], "melee[0].members", "there is no fighter odo"),
    ],
)
def test_melees_that_cannot_be(melees: list[list[str]], field: str, message: str) -> None:
    """Members must exist, occur once, be of both sides, and in one zone (VER-031)."""
    people = [{**ADA, "mount": "mule"}, one_of_us("Bram"), ORC, orc("Orc B", at="yard")]
    told = {"combatant": [{"at": "hall", **one} for one in people], "zone": HALL_AND_YARD}
    with pytest.raises(Unusable, match=message) as fault:
        moment({**told, "melee": [{"members": members} for members in melees]})
    assert fault.value.field == field


def test_who_cannot_be_seen() -> None:
    """Both ways, or one (VER-021)."""
    state = open_with_orc(
        ADA, one_of_us("Bram"), view=[{"between": ["ada", "orc"]}, {"viewer": "bram", "target": "orc"}]
    )
    assert dict(state.views) == {"ada": {"orc": "blocked"}, "orc": {"ada": "blocked"}, "bram": {"orc": "blocked"}}
