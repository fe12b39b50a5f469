"""Secrets that stay open, as ``docs/security.md`` lists them."""

from __future__ import annotations

import tomllib
from random import Random

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import sensible
from affray.engine.core.ruleset import load, template
from affray.engine.visibility import visible
from affray.engine.visibility.audiences import audiences
from affray.events import Declared, Id, MarkSet, Moved, Recorded
from tests.engine.conftest import two
from tests.engine.fights import SEED, acted, noon, salt
from tests.engine.test_hiding import SPECTATOR, rule, seen


def test_a_mark_of_a_side_is_sealed_where_a_hidden_combatant_has_its_id() -> None:
    """A mark does not say whether its owner is a combatant or a side."""
    mark = MarkSet(owner="a", key="warned", value=1)
    for name, sealed in (("A", True), ("Zed", False)):
        encounter = two()
        encounter["combatant"].append({**encounter["combatant"][1], "name": name, "concealed": True})
        fight = begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)
        _, (readers,) = audiences(fight.state, [mark], fight.state_at)
        assert (readers is not None) is sealed, name


def mounted() -> tuple[Fight, Id, Id]:
    """Return a fight, who rides in it, and the mount."""
    fight = begin_fight("ford", tomllib.loads(template(load("wwn"))), who="gm", seed=SEED, clock=noon, salts=salt)
    bonds = fight.state.relations.values()
    rider, mount = next([one.who for one in bond.members] for bond in bonds if bond.kind == "riding")
    return fight, rider, mount


def test_where_a_concealed_mount_carries_its_rider_is_open() -> None:
    """The mount's declaration and its own move are sealed."""
    fight, rider, mount = mounted()
    rule(fight, "conceal", who=mount)
    carried: list[Recorded] = []
    while not carried:
        intent = sensible(fight, Random(0))
        assert intent is not None
        recorded = acted(fight, intent).recorded
        moved = [one for one in recorded if isinstance(one.event, Moved)]
        if {one.event.who for one in moved if isinstance(one.event, Moved)} == {rider, mount}:
            carried = moved
            assert not visible(SPECTATOR, recorded[0])
    assert [(one.event.who, visible(SPECTATOR, one)) for one in carried if isinstance(one.event, Moved)] == [
        (mount, False),
        (rider, True),
    ]


def test_a_ruling_that_conceals_a_rider_leaves_the_mount_in_sight() -> None:
    """The game master hides the mount with a second ruling."""
    fight, rider, mount = mounted()
    rule(fight, "conceal", who=rider)
    assert {rider, mount} & seen(fight) == {mount}
    rule(fight, "conceal", who=mount)
    assert {rider, mount} & seen(fight) == set()


@pytest.mark.parametrize(
    ("system", "shown"),
    [("hexblade", {("PhaseEntered",)}), ("verdigris", {("MarkSet", "PhaseEntered", "PhaseEntered")})],
)
def test_the_end_of_a_concealed_turn_shows_the_phase_and_the_side_that_is_due(
    system: str, shown: set[tuple[str, ...]]
) -> None:
    """Within a round; who had the turn, and what was done in it, is sealed."""
    encounter = tomllib.loads(template(load(system)))
    encounter["combatant"][-1]["concealed"] = True
    fight = begin_fight("night", encounter, who="gm", seed=SEED, clock=noon, salts=salt)
    ends = set()
    while (intent := sensible(fight, Random(0))) is not None and fight.state.round < 4:
        recorded = acted(fight, intent).recorded
        if isinstance(intent, Declared) and intent.kind == "end_turn" and intent.actor in fight.state.concealed:
            open_events = [type(one.event).__name__ for one in recorded if visible(SPECTATOR, one)]
            if "RoundBegan" not in open_events:
                ends.add(tuple(open_events))
    assert ends == shown
