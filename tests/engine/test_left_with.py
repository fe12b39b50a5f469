"""A mount that left the fight with its rider comes back with it, unless one of them was back in the meantime."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight
from tests.engine.test_hiding import rule
from tests.engine.test_open_bonds import HERO, open_bonds_fight

RIDERS: dict[str, dict[str, Any]] = {
    "wwn": {
        "combatant": [
            {"name": "Bran", "side": "foes", "hp": 9, "attack": 1},
            {"name": "Ilka", "side": "party", "pc": True, "hp": 9, "attack": 1, "rides": "grey"},
            {"name": "Grey", "side": "party", "block": "warhorse"},
        ]
    },
    "verdigris": {
        "zone": [{"name": "road"}],
        "combatant": [
            {**HERO, "mount": "destrier"},
            {"name": "Bran", "side": "enemies", "block": "bandit", "at": "road"},
        ],
    },
}


def list_riders(fight: Fight) -> list[list[str]]:
    """List the pairs of rider and mount."""
    saddles = [one for one in fight.state.relations.values() if one.kind in ("riding", "mount")]
    return [[member.who for member in one.members] for one in saddles]


@pytest.fixture(params=sorted(RIDERS))
def fight(request: pytest.FixtureRequest) -> Fight:
    """Return a fight that Ilka has left, and Grey with her."""
    begun = open_bonds_fight({"system": request.param, **RIDERS[request.param]})
    (pair,) = list_riders(begun)
    assert pair[0] == "ilka"
    rule(begun, "leave", who="ilka")
    return begun


def grey_of(fight: Fight) -> str:
    """Return the id of the mount."""
    return next(who for who in (*fight.state.departed, *fight.state.combatants) if who not in ("ilka", "bran"))


def test_a_mount_comes_back_under_its_rider(fight: Fight) -> None:
    """Both are as they were."""
    rule(fight, "join", combatant="ilka")
    assert list_riders(fight) == [["ilka", grey_of(fight)]]


def test_a_mount_that_came_back_alone_stays_away_when_its_rider_comes_on_foot(fight: Fight) -> None:
    """Grey returns first, then Ilka on foot; each leaves separately, and Ilka returns alone."""
    grey = grey_of(fight)
    for kind, said in (
        ("join", {"combatant": grey}),
        ("join", {"combatant": "ilka"}),
        ("leave", {"who": "ilka"}),
        ("leave", {"who": grey}),
        ("join", {"combatant": "ilka"}),
    ):
        rule(fight, kind, **said)
    assert list_riders(fight) == []
    assert grey not in fight.state.combatants


def test_another_combatant_of_the_name_of_a_mount_is_not_brought_by_its_rider(fight: Fight) -> None:
    """A foe joins under the name of Grey and leaves; Ilka comes back on foot."""
    grey = grey_of(fight)
    foe = fight.state.combatants["bran"]
    kind = {"block": "bandit", "at": "road"} if fight.state.system == "verdigris" else {"hp": 5, "attack": 1}
    entry = {"name": grey.replace("-", " "), "side": foe.side, **kind}
    rule(fight, "join", combatant=entry)
    assert fight.state.combatants[grey].side == foe.side
    rule(fight, "leave", who=grey)
    rule(fight, "join", combatant="ilka")
    assert list_riders(fight) == []
    assert grey not in fight.state.combatants
