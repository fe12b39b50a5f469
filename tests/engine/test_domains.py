"""Candidate values of a field, as its type lists them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from affray.engine.core.candidates import Among, list_candidates
from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant, Item, Place, Relation, State
from affray.engine.core.table import Table
from affray.events import CombatantId, ItemId, PlaceId, RelationId, SideName, Words

TABLE = Table(
    Draft(
        State(
            combatants={who: Combatant(id=who, name=who, side=side) for who, side in (("al", "red"), ("bo", "blue"))},
            items={f"{who}.pot": Item(id=f"{who}.pot", name="Pot", kind="goods", owner=who) for who in ("al", "bo")},
            places={"yard": Place(id="yard")},
            relations={"melee": Relation(id="melee", kind="melee", members=())},
        )
    ),
    None,
)


class FormOfFields(Struct):
    """A field of each kind."""

    whom: CombatantId
    thing: ItemId
    to: PlaceId
    fray: RelationId
    side: SideName
    way: Literal["walk", "run"]
    fast: bool
    few: Annotated[int, Meta(ge=1, le=3)]
    many: Annotated[int, Meta(ge=0, le=9999)]
    some: int
    words: Words
    bare: str
    spared: CombatantId = ""
    number: Annotated[int, Meta(ge=0, le=3)] = 2
    told: Annotated[str, Among(lambda table, actor: [actor])] = ""


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("whom", ["al", "bo"]),
        ("thing", ["al.pot"]),
        ("to", ["yard"]),
        ("fray", ["melee"]),
        ("side", ["red", "blue"]),
        ("way", ["walk", "run"]),
        ("fast", [False, True]),
        ("few", [1, 2, 3]),
        ("many", []),
        ("some", []),
        ("words", []),
        ("bare", []),
        ("spared", [""]),
        ("number", [2]),
        ("told", ["al"]),
    ],
)
def test_a_field_might_be_what_its_type_names(field: str, values: list[Any]) -> None:
    """Combatants, own items, places …; none for texts and wide numbers; a default is left out."""
    assert list(list_candidates(FormOfFields, TABLE, "al", field)) == values
