"""A melee of known combatants is open, whatever hidden melee there was before it."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import begin_fight
from affray.engine.visibility import seen_by
from affray.events import (
    Id,
    RelationSet,
)
from tests.engine.fights import SEED, acted, noon, salt
from tests.engine.test_hiding import rule
from tests.engine.test_unseen import of_type
from tests.engine.twins import SPECTATOR, folded, open_events
from tests.rulesets.statistics import declared


@pytest.mark.parametrize("members", [["ada", "orc"], ["ada", "orc", "lurker"]])
def test_a_melee_that_takes_the_id_of_a_hidden_one_is_open(members: list[Id]) -> None:
    """Nobody sees that Ada fights Lurker. Spectators read that she meets the orc, with or without Lurker."""
    party = {"name": "Ada", "side": "party", "pc": True, "weapons": ["spear"]}
    orcs: list[dict[str, Any]] = [{"name": "Orc", "side": "orcs", "block": "orc"}]
    orcs += [{"name": "Lurker", "side": "orcs", "block": "orc", "concealed": True}]
    told = {"system": "wyrd", "name": "n", "melee": [{"members": ["ada", "lurker"]}], "combatant": [party, *orcs]}
    fight = begin_fight("mill", told, who="gm", seed=SEED, clock=noon, salts=salt)
    acted(fight, declared("gm", "begin"))
    assert of_type(open_events(fight), RelationSet) == []
    if "lurker" in members:
        rule(fight, "relate", relation="melee", members=members)
    else:
        acted(fight, declared("ada", "move", contact="orc"))
    assert [[one.who for one in read.members] for read in of_type(open_events(fight), RelationSet)] == [["ada", "orc"]]
    assert folded(open_events(fight)).relations == seen_by(SPECTATOR, fight.state).relations
