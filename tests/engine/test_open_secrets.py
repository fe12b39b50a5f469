"""Secrets that stay open, as ``docs/security.md`` lists them."""

from __future__ import annotations

import tomllib

from affray.engine import begin_fight
from affray.engine.core.ruleset import load, template
from affray.engine.visibility.audiences import audiences
from affray.events import MarkSet
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon
from tests.engine.test_hiding import rule, seen


def test_a_mark_of_a_side_is_sealed_where_a_hidden_combatant_has_its_id() -> None:
    """A mark does not say whether its owner is a combatant or a side."""
    mark = MarkSet(owner="a", key="warned", value=1)
    for name, sealed in (("A", True), ("Zed", False)):
        encounter = two()
        encounter["combatant"].append({**encounter["combatant"][1], "name": name, "concealed": True})
        fight = begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)
        _, (readers,) = audiences(fight.state, [mark], fight.state_at)
        assert (readers is not None) is sealed, name


def test_a_ruling_that_conceals_a_rider_leaves_the_mount_in_sight() -> None:
    """The game master hides the mount with a second ruling."""
    fight = begin_fight("ford", tomllib.loads(template(load("wwn"))), who="gm", seed=SEED, clock=noon)
    bonds = fight.state.relations.values()
    rider, mount = next([one.who for one in bond.members] for bond in bonds if bond.kind == "riding")
    rule(fight, "conceal", who=rider)
    assert {rider, mount} & seen(fight) == {mount}
    rule(fight, "conceal", who=mount)
    assert {rider, mount} & seen(fight) == set()
