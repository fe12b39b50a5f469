"""A ruling that an earlier version recorded keeps its meaning where its name means something else by now."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Fight, begin_fight
from affray.engine.analysis.what_if import Regression, decide_again
from affray.engine.history.timeline import History
from affray.events import FightOpened, Recorded, Ruled
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon, submit_accepted

OLD: dict[str, tuple[str, dict[str, Any]]] = {
    "hexblade": ("dc", {"dc": 15}),
    "wyrd": ("revival", {"ability": "will"}),
}
"""Per system what the ruling ``test`` of earlier versions is called now, and its fields."""


def recorded_by(version: str, name: str, fight: Fight) -> History:
    """Return a fight's record by an earlier version, which called the ruling ``test``."""

    def as_then(one: Recorded) -> Recorded:
        event = one.event
        if isinstance(event, FightOpened):
            return replace(one, event=replace(event, version=version))
        if isinstance(event, Ruled) and event.kind == name:
            return replace(one, event=replace(event, kind="test"))
        return one

    return History([as_then(one) for one in fight.history.recorded])


def rule_under_both_names(system: str, version: str = "") -> tuple[Fight, Regression]:
    """Apply the ruling by its present name, and decide the record again with the name ``test``."""
    told = next(told for told in load_shipped_encounters().values() if told["system"] == system)
    fight = begin_fight(NAME, told, who="gm", seed=SEED, clock=noon)
    name, params = OLD[system]
    who = next(iter(fight.state.combatants))
    submit_accepted(fight, Ruled(kind=name, params=Raw(msgspec.json.encode({"who": who, **params})), reason="so be it"))
    return fight, decide_again(recorded_by(version or fight.ruleset.version, name, fight), fight.ruleset, {})


@pytest.mark.parametrize("system", OLD)
def test_an_old_test_is_decided_again_as_what_it_was(system: str) -> None:
    fight, found = rule_under_both_names(system, version="2")
    assert (found.dropped, found.needs) == ((), None)
    assert found.after == fight.state


@pytest.mark.parametrize("system", OLD)
def test_a_present_test_is_what_it_is_called(system: str) -> None:
    fight, found = rule_under_both_names(system)
    assert found.after != fight.state
