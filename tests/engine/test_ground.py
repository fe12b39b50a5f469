"""Squares: traits, neighbours, paths, stated distances, free names."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import order_pair, set_distance, set_view, stated_distance, stated_view
from affray.engine.kit.encounters import read_pair
from affray.engine.kit.relations import find_free_id
from affray.engine.kit.terrain import has_trait, list_occupants_around, list_places_with, must_connect
from affray.events import Id
from tests.rulesets.statistics import open_unstored_fight

FIGHTER = {"agility": 10, "might": 3, "health": 9}


def open_on_ground(*places: str, **more: Any) -> Table:
    """Return a fight of Ada, Bo, Cy …, at these places if any are given."""
    names = ("Ada", "Bo", "Cy", "Di", "Eve")
    people = [
        {**FIGHTER, "name": name, "side": name} | ({"at": place} if place else {})
        for name, place in zip(names, places, strict=False)
    ]
    return open_unstored_fight({"system": "vestige", "combatant": people, **more}).table


def test_what_a_square_is_like() -> None:
    at = open_on_ground("0,0", board={"blocked": ["2,1", "3,1"], "difficult": ["1,2"]})
    assert [has_trait(at, "2,1", one) for one in ("blocked", "difficult")] == [True, False]
    assert [has_trait(at, "1,2", one) for one in ("blocked", "difficult")] == [False, True]
    assert not has_trait(at, "0,0", "difficult")
    assert list_places_with(at, "blocked") == {"2,1", "3,1"}
    assert list_places_with(at, "deep") == set()


def test_who_stands_around_a_square() -> None:
    """Including the combatant in it; column by column from the west, each from the north."""
    at = open_on_ground("0,0", "1,1", "-1,0", "1,-1", "2,0", board={})
    assert list_occupants_around(at, "0,0", 1) == ["cy", "ada", "di", "bo"]
    assert list_occupants_around(at, "0,0", 2) == ["cy", "ada", "di", "bo", "eve"]
    assert list_occupants_around(at, "1,0", 0) == []


@pytest.mark.parametrize("path", [("1,0",), ("1,1", "2,0", "3,0"), ("0,1", "0,0")])
def test_a_path_connects_from_square_to_square(path: tuple[Id, ...]) -> None:
    must_connect(open_on_ground("0,0", board={"blocked": ["5,5"]}), "ada", path, far="VES-034", blocked="VES-031")


@pytest.mark.parametrize(
    ("path", "code", "rule", "says"),
    [
        (("2,0", "5,5"), "too_far", "VES-034", "2,0 is not next to Ada at 0,0"),
        (("0,0",), "too_far", "VES-034", "0,0 is not next to Ada at 0,0"),
        (("1,0", "2,1", "3,1"), "blocked", "VES-031", "2,1 cannot be entered"),
    ],
)
def test_a_path_that_cannot_be_gone(path: tuple[Id, ...], code: str, rule: str, says: str) -> None:
    """A wrong start is reported before any other fault."""
    at = open_on_ground("0,0", board={"blocked": ["2,1", "5,5"]})
    with pytest.raises(Refused, match=says) as found:
        must_connect(at, "ada", path, far="VES-034", blocked="VES-031")
    assert (found.value.code, found.value.rule) == (code, rule)


def test_a_path_with_a_gap_is_no_path() -> None:
    """The gap is reported before a wall."""
    at = open_on_ground("0,0", board={"blocked": ["1,0"]})
    with pytest.raises(Unusable, match="3,0 is not next to 1,0"):
        must_connect(at, "ada", ("1,0", "3,0"), far="VES-034", blocked="VES-031")


def test_a_distance_is_of_two_whoever_is_named_first() -> None:
    at = open_on_ground("", "", "", distance=[{"between": ["bo", "ada"], "metres": 7}])
    assert (order_pair("bo", "ada"), order_pair("ada", "bo")) == (("ada", "bo"), ("ada", "bo"))
    assert (stated_distance(at, "bo", "ada"), stated_distance(at, "ada", "bo")) == (7, 7)
    assert stated_distance(at, "ada", "cy") is None
    known, new = set_distance(at, "bo", "ada", 3, "VES-T19"), set_distance(at, "cy", "ada", 3)
    assert (known.pair, known.before, known.after, known.rules) == (("ada", "bo"), 7, 3, ("VES-T19",))
    assert (new.pair, new.before, new.after, new.rules) == (("ada", "cy"), None, 3, ())


def test_a_view_is_of_one_who_looks_at_another() -> None:
    seen = {"viewer": "ada", "target": "bo"}
    assert stated_view(open_on_ground("", ""), "ada", "bo") == ""
    at = open_on_ground("", "", view=[seen])
    assert (stated_view(at, "ada", "bo"), stated_view(at, "bo", "ada")) == ("blocked", "")
    known, new = set_view(at, "ada", "bo", "clear", "VES-T20"), set_view(at, "bo", "ada", "blocked")
    assert (known.viewer, known.target, known.before, known.after) == ("ada", "bo", "blocked", "clear")
    assert (new.viewer, new.target, new.before, new.after) == ("bo", "ada", "clear", "blocked")
    assert (known.rules, new.rules) == (("VES-T20",), ())


def test_two_that_an_entry_names_are_there_and_not_the_same() -> None:
    assert read_pair("bo", "ada", ("bo", "ada"), "distance[0].between") == ("ada", "bo")
    with pytest.raises(Unusable, match="there is no cy; there are ada, bo") as found:
        read_pair("ada", "cy", ("bo", "ada"), "distance[0].between")
    assert found.value.field == "distance[0].between"
    with pytest.raises(Unusable, match="must name two combatants"):
        read_pair("ada", "ada", ("bo", "ada"), "distance[0].between")


def test_a_name_that_is_taken_gets_the_first_free_number() -> None:
    assert find_free_id("wolves", ()) == "wolves"
    assert find_free_id("wolves", {"wolves"}) == "wolves-2"
    assert find_free_id("wolves", {"wolves", "wolves-2", "wolves-4"}) == "wolves-3"
