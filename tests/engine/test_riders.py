"""Common rulings take a rider and its mount together, in every system that has mounts."""

from __future__ import annotations

import pytest

from affray.engine.commands import Command, rule
from affray.engine.core.loading import available, load
from affray.engine.errors import Refused
from affray.engine.fight import Fight
from affray.engine.kit.riding import list_unit, pair_saddles
from tests.engine.encounters import load_shipped_encounters
from tests.engine.searching.scenes import open_unplayed_fight

MOUNTED = {"verdigris": "verdigris/toll-road", "wwn": "wwn/ford"}


@pytest.fixture(params=[one for one in available() if load(one).board.moves_with])
def fight(request: pytest.FixtureRequest) -> Fight:
    """Return a fight with a rider in it, of each system that has mounts."""
    return open_unplayed_fight(load_shipped_encounters()[MOUNTED[request.param]])


def rule_by(fight: Fight, kind: str, **params: object) -> None:
    """Rule as the game master."""
    fight.submit(Command(intent=rule(kind, "test", **params), who="gm", id=f"{kind}-{fight.head}", expected=fight.head))


def find_pair(fight: Fight) -> tuple[str, str]:
    """Return a rider and its mount."""
    return next(iter(fight.table.derive(pair_saddles)[0].items()))


@pytest.mark.parametrize("named", [0, 1], ids=["rider", "mount"])
def test_place_takes_both(fight: Fight, named: int) -> None:
    pair = find_pair(fight)
    here, people = fight.state.combatants[pair[0]].place, fight.state.combatants.values()
    free = "0,9" if fight.ruleset.board.kind == "squares" else next(one for one in fight.state.places if one != here)
    assert free not in {one.place for one in people} or fight.ruleset.board.kind == "zones"
    rule_by(fight, "place", who=pair[named], to=free)
    assert [fight.state.combatants[who].place for who in pair] == [free, free]
    assert list_unit(fight.table, pair[1]) == pair


def test_side_takes_both_and_is_the_riders(fight: Fight) -> None:
    rider, mount = find_pair(fight)
    other = next(one.side for one in fight.state.combatants.values() if one.side != fight.state.combatants[rider].side)
    with pytest.raises(Refused) as found:
        rule_by(fight, "side", who=mount, side=other)
    saddle = fight.ruleset.board.moves_with
    assert saddle is not None
    assert (found.value.code, found.value.rule, found.value.source) == ("is_ridden", saddle.rule, rider)
    rule_by(fight, "side", who=rider, side=other)
    assert {fight.state.combatants[who].side for who in (rider, mount)} == {other}


def test_distance_does_not_part_them(fight: Fight) -> None:
    rider, mount = find_pair(fight)
    with pytest.raises(Refused):
        rule_by(fight, "distance", one=rider, other=mount, to=5)


def test_view_is_of_both(fight: Fight) -> None:
    """Who sees one of them sees the other, and they do not block each other's view."""
    rider, mount = find_pair(fight)
    foe = next(one.id for one in fight.state.combatants.values() if one.side != fight.state.combatants[rider].side)
    rule_by(fight, "view", viewer=foe, target=mount, view="blocked")
    assert {fight.state.views[one][two] for who in (rider, mount) for one, two in ((foe, who), (who, foe))} == {
        "blocked"
    }
    with pytest.raises(Refused, match="are together"):
        rule_by(fight, "view", viewer=rider, target=mount, view="blocked")


def test_both_leave_and_come_back(fight: Fight) -> None:
    rider, mount = find_pair(fight)
    with pytest.raises(Refused, match=f"say: rule leave {rider}"):
        rule_by(fight, "leave", who=mount)
    rule_by(fight, "leave", who=rider)
    assert {rider, mount} <= {*fight.state.departed}
    rule_by(fight, "join", combatant=rider)
    assert list_unit(fight.table, rider) == (rider, mount)
