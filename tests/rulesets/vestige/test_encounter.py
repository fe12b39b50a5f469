"""The results of an encounter file of Vestige, line by line, and refused content."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Unusable
from affray.engine.rulesets.vestige.config import Config
from affray.engine.rulesets.vestige.encounter.setup import encounter
from affray.events import DistanceSet, Event, Feature, ItemAdded, Joined, Member, PlaceSet, RelationSet, ViewSet

ADA: dict[str, Any] = {"name": "Ada", "side": "a", "agility": 10, "might": 3, "health": 5}
BO: dict[str, Any] = {"name": "Bo", "side": "b", "block": "minion"}
NEW: dict[str, Any] = {
    "feint": {"name": "Feint", "effect": "gm"},
    "leap": {"name": "Leap", "effect": "move", "metres": 4, "ep": 0, "discipline": "dance"},
    "volley": {"name": "Volley", "effect": "attack", "fires": False, "range": 0, "accuracy": -1, "might": 1, "ep": 3},
}


def events(*people: dict[str, Any], config: Config | None = None, **told: Any) -> list[Event]:
    """Return what sets up a fight of these."""
    return encounter({"system": "vestige", "combatant": list(people), **told}, config or Config())


def sheet(entry: dict[str, Any], **config: Any) -> tuple[dict[str, int], dict[str, int]]:
    """Return a combatant's numbers and counters."""
    one = events(entry, config=Config(**config))[0]
    assert isinstance(one, Joined)
    return dict(one.stats), dict(one.pools)


def items(entry: dict[str, Any], config: Config | None = None, **told: Any) -> dict[str, ItemAdded]:
    """Return a combatant's items."""
    return {one.item: one for one in events(entry, config=config, **told) if isinstance(one, ItemAdded)}


def bare_hands(who: str, where: str = "hand") -> ItemAdded:
    """Return the item that all combatants have."""
    return ItemAdded(
        item=f"{who}.unarmed",
        name="bare hands",
        kind="weapon",
        owner=who,
        where=where,
        stats={"range": 1, "accuracy": 0, "might": 0, "might_min": 1},
        traits=("unarmed",),
        rules=("VES-T16", "VES-T18"),
    )


def test_a_fight_is_set_up_in_the_order_of_the_file() -> None:
    rats = {"name": "Rat", "side": "b", "block": "minion", "count": 2, "group": True, "at": ["3,3", "3,4"], "morale": 2}
    board = {"difficult": ["1,1", "2,2"], "blocked": ["2,2"]}
    rat = {"agility": 11, "might": 3, "accuracy": 0, "protection": 0, "health": 4, "ep": 2, "ep_regain": 1, "move": 5}
    pools = {"health": 4, "ep": 2, "actions": 0, "morale": 2}
    joined = {"side": "b", "stats": rat, "pools": pools, "rules": ("VES-T12",)}
    assert events(rats, board=board) == [
        PlaceSet(place="1,1", traits=("difficult",)),
        PlaceSet(place="2,2", traits=("difficult", "blocked")),
        Joined(who="rat-a", name="Rat A", place="3,3", **joined),  # type: ignore[arg-type]
        bare_hands("rat-a"),
        Joined(who="rat-b", name="Rat B", place="3,4", **joined),  # type: ignore[arg-type]
        bare_hands("rat-b"),
        RelationSet(
            relation="rats",
            kind="group",
            members=(Member(who="rat-a"), Member(who="rat-b")),
            rules=("VES-005", "VES-006"),
        ),
    ]


def test_a_group_has_a_name_of_its_own() -> None:
    """A single combatant is no group; a taken name gets a number."""
    rat = {"name": "Rat", "side": "b", "block": "minion"}
    assert not any(isinstance(one, RelationSet) for one in events({**rat, "group": True}, {**rat, "name": "Cat"}))
    assert not any(isinstance(one, RelationSet) for one in events({**rat, "count": 2}))
    told = events({**rat, "name": "Rats"}, {**rat, "name": "Rats 2"}, {**rat, "count": 3, "group": True})
    assert [one.relation for one in told if isinstance(one, RelationSet)] == ["rats-3"]
    told = events({**rat, "count": 2, "group": True}, {**rat, "name": "RAT!", "count": 1, "side": "c"})
    assert [one.relation for one in told if isinstance(one, RelationSet)] == ["rats"]
    with pytest.raises(Unusable, match="rats, which is taken"):
        events({**rat, "count": 2, "group": True}, {**rat, "name": "Rats"})


def test_numbers_come_from_the_entry_then_from_the_block() -> None:
    stats, pools = sheet({"name": "Bo", "side": "b", "block": "hero", "might": 9, "accuracy": 0, "move": 7})
    assert stats == {
        "agility": 12,
        "might": 9,
        "accuracy": 0,
        "protection": 1,
        "health": 10,
        "ep": 5,
        "ep_regain": 1,
        "move": 7,
    }
    assert pools == {"health": 10, "ep": 5, "actions": 0, "morale": 0}
    stats, pools = sheet({**ADA, "accuracy": -2, "protection": 3, "ep_regain": 0, "move": 0}, ep_max=4)
    assert stats == {
        "agility": 10,
        "might": 3,
        "accuracy": -2,
        "protection": 3,
        "health": 5,
        "ep": 4,
        "ep_regain": 0,
        "move": 0,
    }
    assert sheet(ADA)[0] == {
        "agility": 10,
        "might": 3,
        "accuracy": 0,
        "protection": 0,
        "health": 5,
        "ep": 5,
        "ep_regain": 1,
        "move": 5,
    }


@pytest.mark.parametrize(
    ("said", "health", "most"),
    [
        ({"health": 5}, 5, 5),
        ({"health": 5, "health_max": 8}, 5, 8),
        ({"health_max": 8}, 8, 8),
        ({"block": "hero"}, 10, 10),
        ({"block": "hero", "health": 1}, 1, 10),
        ({"block": "hero", "health": 11}, 11, 11),
        ({"block": "hero", "health_max": 6}, 6, 6),
        ({"block": "hero", "health": 6, "health_max": 6}, 6, 6),
        ({"health": 1}, 1, 1),
        ({"block": "hero", "health": 0}, 0, 10),
    ],
)
def test_health_is_whole_unless_it_says_otherwise(said: dict[str, Any], health: int, most: int) -> None:
    """A value below the block's is a wound; a higher one is a stronger combatant."""
    entry = {key: value for key, value in ADA.items() if key != "health"}
    stats, pools = sheet({**entry, **said})
    assert (pools["health"], stats["health"]) == (health, most)


@pytest.mark.parametrize(
    ("said", "config", "ep", "most"),
    [
        ({}, {}, 5, 5),
        ({}, {"ep_max": 3}, 3, 3),
        ({}, {"ep_start": "zero"}, 0, 5),
        ({"ep": 2}, {"ep_start": "zero"}, 2, 5),
        ({"ep_max": 0}, {}, 0, 0),
        ({"ep": 5}, {}, 5, 5),
        ({"ep": 0}, {}, 0, 5),
        ({"block": "minion"}, {}, 2, 2),
        ({"block": "minion", "ep_max": 7}, {"ep_max": 1}, 7, 7),
        ({"ep": 7, "ep_max": 7}, {}, 7, 7),
    ],
)
def test_energy_is_full_unless_it_says_otherwise(said: dict[str, Any], config: Any, ep: int, most: int) -> None:
    stats, pools = sheet({**ADA, **said}, **config)
    assert (pools["ep"], stats["ep"]) == (ep, most)


def test_weapons_are_carried_and_the_first_is_in_hand() -> None:
    found = items({**ADA, "weapons": ["pistol", "knife"]})
    assert list(found) == ["ada.pistol", "ada.knife", "ada.unarmed"]
    assert found["ada.pistol"] == ItemAdded(
        item="ada.pistol",
        name="pistol",
        kind="weapon",
        owner="ada",
        where="hand",
        stats={"range": 10, "accuracy": 0, "might": 0, "might_min": 0},
        traits=("firearm", "ammunition"),
        counters={"loaded": 1},
        rules=("VES-T16", "VES-T18", "VES-T25"),
    )
    knife = found["ada.knife"]
    assert (knife.where, knife.traits, knife.counters, knife.rules) == ("", ("blade",), {}, ("VES-T16", "VES-T18"))
    assert knife.stats == {"range": 1, "accuracy": 1, "might": 0, "might_min": 0}
    assert found["ada.unarmed"] == bare_hands("ada", "")
    assert items(ADA)["ada.unarmed"] == bare_hands("ada")
    empty = items({**ADA, "weapons": ["knife", "bow"]}, Config(start_loaded=False))
    assert empty["ada.bow"].counters == {"loaded": 0}


def test_a_file_may_bring_weapons_and_change_those_there_are() -> None:
    claw = {"name": "claw", "type": "unarmed", "range": 0}
    weapon = {"claw": claw, "sword": {"name": "blade", "type": "blade", "range": 3}}
    found = items({**ADA, "weapons": ["claw", "sword"]}, weapon=weapon)
    assert found["ada.claw"].stats == {"range": 0, "accuracy": 0, "might": 0, "might_min": 0}
    assert (found["ada.sword"].name, found["ada.sword"].stats["range"]) == ("blade", 3)


def test_skills_say_what_they_do() -> None:
    """Their own first, then what their disciplines teach; each once, and numbers that are nothing are left out."""
    entry = {**ADA, "skills": ["volley", "leap", "feint"], "disciplines": ["dance", "footwork"]}
    found = {key: one for key, one in items(entry, skill=NEW).items() if one.kind == "skill"}
    assert list(found) == ["ada.volley", "ada.leap", "ada.feint", "ada.slip-away"]
    assert {key: (one.name, one.stats, one.traits, one.counters) for key, one in found.items()} == {
        "ada.volley": (
            "Volley",
            {"accuracy": -1, "might": 1, "range": 0},
            ("attack", "spares ammunition"),
            {"cost": 3},
        ),
        "ada.leap": ("Leap", {"metres": 4}, ("move", "provokes", "by discipline"), {"cost": 0}),
        "ada.feint": ("Feint", {}, ("gm", "cost by default"), {"cost": 1}),
        "ada.slip-away": ("Slip away", {"metres": 2}, ("move", "by discipline"), {"cost": 1}),
    }
    lunge = items({**ADA, "skills": ["lunge"]})["ada.lunge"]
    assert (lunge.traits, lunge.features) == (("attack", "initiative"), (Feature(kind="needs", of="blade"),))
    assert [one.of for one in items({**ADA, "skills": ["snapshot"]})["ada.snapshot"].features] == ["bow", "firearm"]
    taught = {key: [(one.kind, one.of) for one in found[key].features] for key in ("ada.leap", "ada.slip-away")}
    assert taught == {"ada.leap": [("taught", "dance")], "ada.slip-away": [("taught", "footwork")]}


def test_distances_and_sight_are_stated_for_pairs() -> None:
    """The ids of a pair are in order; sight goes both ways, or the one way that is named."""
    told = events(
        ADA,
        BO,
        distance=[{"between": ["bo", "ada"], "metres": 3}],
        view=[{"viewer": "bo", "target": "ada"}, {"between": ["ada", "bo"]}],
    )
    assert told[-4:] == [
        DistanceSet(pair=("ada", "bo"), before=None, after=3),
        ViewSet(viewer="bo", target="ada", before="clear", after="blocked"),
        ViewSet(viewer="ada", target="bo", before="clear", after="blocked"),
        ViewSet(viewer="bo", target="ada", before="clear", after="blocked"),
    ]
    none = events(ADA, BO, distance=[{"between": ["ada", "bo"]}])[-1]
    assert none == DistanceSet(pair=("ada", "bo"), before=None, after=0)


@pytest.mark.parametrize(
    ("people", "told", "field", "message"),
    [
        ([{**ADA, "block": "heros"}], {}, "combatant[0].block", "there is no stat block heros; there are hero"),
        ([BO, {**ADA, "agility": None}], {}, "combatant[1].agility", "agility is missing, and there is no stat block"),
        ([{**ADA, "might": None}], {}, "combatant[0].might", "might is missing, and there is no stat block"),
        ([{**ADA, "health": None}], {}, "combatant[0].health", "health is missing, and there is no stat block"),
        ([{**ADA, "health": 0}], {}, "combatant[0].health", "health is missing"),
        ([{**ADA, "health": 6, "health_max": 5}], {}, "combatant[0].health", "must be from 1 to the maximum of 5"),
        ([{**ADA, "ep": 6}], {}, "combatant[0].ep", "must be from 0 to the maximum of 5"),
        (
            [{**ADA, "weapons": ["knife", "axxe"]}],
            {},
            "combatant[0].weapons[1]",
            "there is no weapon axxe; there are k",
        ),
        ([{**ADA, "weapons": ["axe", "bow", "axe"]}], {}, "combatant[0].weapons[2]", "axe is named twice"),
        ([{**ADA, "weapons": ["unarmed"]}], {}, "combatant[0].weapons[0]", "unarmed is named twice"),
        ([{**ADA, "weapons": ["axe", "unarmed"]}], {}, "combatant[0].weapons[1]", "unarmed is named twice"),
        (
            [{**ADA, "skills": ["lunge", "lung"]}],
            {},
            "combatant[0].skills[1]",
            "there is no skill lung; there are lunge",
        ),
        (
            [{**ADA, "disciplines": ["", "x"]}],
            {},
            "combatant[0].disciplines[0]",
            "there is no discipline ; there are fo",
        ),
        ([{**ADA, "disciplines": ["footwork", "x"]}], {}, "combatant[0].disciplines[1]", "there is no discipline x"),
        ([{**ADA, "at": "1,1"}], {}, "combatant[0].at", "there is no board in this encounter"),
        ([ADA], {"board": {}}, "combatant[0].at", "must name one cell"),
        ([{**BO, "count": 2, "at": ["1,1", "x"]}], {"board": {}}, "combatant[0].at[1]", ""),
        (
            [{**BO, "count": 2, "at": ["1,1"]}],
            {"board": {}},
            "combatant[0].at",
            "must name 2 cells, one for each",
        ),
        ([{**ADA, "at": "1,1"}], {"board": {"difficult": ["1,1", "a"]}}, "board.difficult[1]", ""),
        ([{**ADA, "at": "1,1"}], {"board": {"blocked": ["1"]}}, "board.blocked[0]", ""),
        (
            [ADA, BO],
            {"distance": [{"between": ["ada", "b"]}]},
            "distance[0].between",
            "there is no b; there are ada, bo",
        ),
        ([ADA, BO], {"distance": [{"between": ["bo", "bo"]}]}, "distance[0].between", "must name two combatants"),
        ([ADA, BO], {"view": [{"between": ["ada", "b"]}]}, "view[0].between", "there is no b"),
        (
            [{**ADA, "at": "0,0"}, {**BO, "at": "1,0"}],
            {"board": {}, "distance": [{"between": ["ada", "bo"]}]},
            "distance[0].between",
            "this encounter has a board; its cells give the distances",
        ),
        ([ADA, ADA], {}, "combatant[1].name", "which is taken already"),
        ([], {}, "combatant", ""),
    ],
)
def test_what_cannot_be_is_named(people: list[Any], told: dict[str, Any], field: str, message: str) -> None:
    without = [{key: value for key, value in one.items() if value is not None} for one in people]
    with pytest.raises(Unusable) as found:
        events(*without, **told)
    assert found.value.field == field
    assert message in found.value.message
