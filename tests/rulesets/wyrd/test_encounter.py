"""What an encounter file of Wyrd may not say, and which field is named."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Unusable, begin_fight
from tests.engine.fights import SEED, noon

GROG: dict[str, Any] = {"name": "Grog", "side": "a", "pc": True, "weapons": ["greatsword", "dirk"]}
ORC: dict[str, Any] = {"name": "Orc", "side": "b", "block": "orc"}


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
