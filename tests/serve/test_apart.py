"""Distances of places over HTTP: in the fight's unit, as its rules count it, on each kind of map."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine import begin_fight
from affray.engine.errors import Unusable
from affray.tools.api.distances import Apart, distance_between
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon
from tests.serve.server import LURKER, Server, serve_duel
from tests.tools.program import ENCOUNTER


@pytest.mark.parametrize(
    ("encounter", "here", "there", "found"),
    [
        ("hexblade/palisade", "0,0", "2,-1", Apart(10, "10 feet")),
        ("vestige/bridge", "0,0", "3,-4", Apart(4, "4 m")),
        ("wwn/ford", "0,0", "-1,2", Apart(10, "10 feet")),
        ("verdigris/ogre-cave", "mouth", "shaft", Apart(2, "2 zones")),
        ("wyrd/mill", "yard", "road", Apart(1, "1 zone")),
        ("wyrd/mill", "yard", "yard", Apart(0, "0 zones")),
    ],
)
def test_it_is_counted_as_the_rules_do(encounter: str, here: str, there: str, found: Apart) -> None:
    """The same in both directions; unknown places are refused."""
    fight = begin_fight("far", load_shipped_encounters()[encounter], who="gm", seed=SEED, clock=noon)
    assert distance_between(fight, here, there) == distance_between(fight, there, here) == found
    with pytest.raises(Unusable) as wrong:
        distance_between(fight, here, "nowhere")
    assert wrong.value.field == "there"


def test_a_fight_without_a_map_is_not_measured(server: Server) -> None:
    asked = server.ilse.asks("GET", "/api/fights/duel/apart?here=0,0&there=1,1")
    assert (asked.status_code, asked.json()["code"]) == (422, "no_map")


@pytest.mark.parametrize("name", ["nobody", "lurker", "lurker.bow", "ilse"])
def test_a_spectator_who_names_places_hears_the_same_of_hidden_names_as_of_others(tmp_path: Path, name: str) -> None:
    """Concealed Lurker watches the duel. Its name and its bow get the same answer as an unknown name."""
    with serve_duel(tmp_path, ENCOUNTER + LURKER) as server:
        for path in (f"here={name}&there=x", f"here=0,0&there={name}"):
            asked = server.spectator.asks("GET", f"/api/fights/duel/apart?{path}")
            answer = asked.json()
            assert (asked.status_code, answer["code"]) == (422, "no_map")
            assert answer["source"] == ("0,0" if path.startswith("here=0,0") else name)
