"""Valid names of places, relations and groups in a ruling."""

from __future__ import annotations

import pytest

from affray.engine.core.references import must_be_a_place, must_be_a_relation, must_name_a_group
from affray.engine.core.state import Combatant, Place, Relation
from affray.engine.errors import Refused, Unusable
from affray.events import Member
from tests.engine.test_ruled_by_hand import AL, ALLIES, make_axe_table


def test_zones_are_those_that_are_there() -> None:
    zones = {"hall": Place(id="hall"), "yard": Place(id="yard")}
    someone = {"cy": Combatant(id="cy", name="Cy", side="a", place="roof")}
    at = make_axe_table(system="verdigris", places=zones, combatants=someone)
    for place in ("hall", "yard", "roof"):
        must_be_a_place(at, place, "to")
    with pytest.raises(Unusable, match="there is no zone cave; there are hall, yard, roof"):
        must_be_a_place(at, "cave", "to")
    for system, what in (("vestige", "square"), ("hexblade", "hex")):
        must_be_a_place(make_axe_table(system=system), "-3,14", "to")
        with pytest.raises(Unusable, match=f"must be a {what} of the map"):
            must_be_a_place(make_axe_table(system=system), "hall", "to")
    with pytest.raises(Refused, match="no map"):
        must_be_a_place(make_axe_table(combatants={"al": AL}), "1,1", "to")
    must_be_a_place(make_axe_table(combatants={"al": AL}, places={"1,1": Place(id="1,1")}), "1,1", "to")


def test_a_relation_is_one_that_may_be_set_or_ends() -> None:
    ride = Relation(id="allies-9", kind="ride", members=(Member(who="al"),))
    at = make_axe_table(relations={"ride": ride, "allies-9": ride})
    must_be_a_relation(at, "allies-3", "allies", ends=False)
    must_be_a_relation(at, "ride", "ride", ends=True)
    for relation, kind, ends in (("ride", "ride", False), ("allies-9", "allies", False), ("hold", "hold", True)):
        with pytest.raises(Unusable, match="can be set: allies"):
            must_be_a_relation(at, relation, kind, ends=ends)


def test_a_group_named_by_hand_has_its_own_id() -> None:
    group = Relation(id="wolves", kind="group", members=(Member(who="al"),))
    at = make_axe_table(relations={"wolves": group, "allies": ALLIES})
    for name in ("wolves", "band-2"):
        must_name_a_group(at, name, "name")
    for name in ("", "Wolves", "a b", "-a"):
        with pytest.raises(Unusable, match="must be written in small letters"):
            must_name_a_group(at, name, "name")
    for name in ("gm", "al", "allies"):
        with pytest.raises(Unusable, match=f"{name} stands for something else already"):
            must_name_a_group(at, name, "name")
