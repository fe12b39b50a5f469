"""A party in a foreign encounter: with any content, it joins or is refused."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from affray.engine.errors import EngineError
from affray.engine.opening import begin_fight
from affray.tools.encounters.party.members import made_from
from affray.tools.encounters.party.placement import join_party
from affray.tools.parse.faults import Faulty
from tests.engine.encounters import load_shipped_encounters

WRONG: tuple[Any, ...] = (3, "x", "yard", True, 1.5, [], ["heroes"], [[1]], {}, {"a": 1}, [{"a": 1}], "9,9,9", "1,")
"""What may stand in the place of a value."""

TRIES = 40
"""How many values of each encounter are changed."""


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Return each container in a value with each key or index."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [one for key in keys for one in places_in(value[key])]


@pytest.mark.parametrize("name", [*load_shipped_encounters()])
def test_an_encounter_with_any_wrong_value_is_joined_or_refused(name: str) -> None:
    chance, told = Random(name), load_shipped_encounters()[name]
    try:
        party = made_from(told, "party")
    except EngineError:
        return  # its first side is a crowd
    for _ in range(TRIES):
        wrong = deepcopy(told)
        where = [(box, key) for box, key in places_in(wrong) if box is not wrong or key != "system"]
        box, key = chance.choice([one for one in where if one[1] in ("at", "side", "board", "combatant")] or where)
        if chance.random() < 0.5:
            box, key = chance.choice(where)
        box[key] = chance.choice(WRONG)
        try:
            begin_fight("f", join_party(wrong, party).content, who="gm", seed=None)
        except (EngineError, Faulty):
            continue


def hero(name: str, side: Any = "heroes", **more: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "ac": 12, "hp": 5, "attack": 1, "at": "1,1", **more}


PARTY = {"system": "wwn", "name": "p", "combatant": [hero("Mab"), hero("Osric")]}
for _one in PARTY["combatant"]:
    del _one["at"]  # type: ignore[attr-defined]


def test_places_are_read_in_every_form() -> None:
    """The second member stands beside the cell of the first, and on no other's."""
    there = {
        "system": "wwn",
        "name": "d",
        "board": {"half_cover": []},
        "combatant": [hero("Mab", at=" 1, 1"), hero("Fox", "foes", at="2, 1")],
    }
    state = begin_fight("f", join_party(there, PARTY).content, who="gm", seed=None).state
    assert len({one.place for one in state.combatants.values()}) == 3
