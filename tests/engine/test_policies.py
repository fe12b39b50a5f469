"""Every policy brings every fight to its end by legal actions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import Policy, choose_anything, choose_sensibly, make_input
from affray.engine.runtime.offers import AwaitedDice
from affray.events import Dice, DiceEntered, FightEnded, Ruled
from tests.engine.encounters import DRAWN, encounters, load_shipped_encounters, with_an_end
from tests.engine.fights import SEED, noon, submit_accepted
from tests.examples import THOROUGH, a_share
from tests.rulesets.systems import PRESENT

POLICIES = pytest.mark.parametrize("policy", [choose_anything, choose_sensibly])
SHIPPED = [
    (name, policy)
    for nth, name in enumerate(load_shipped_encounters())
    for policy in ([choose_anything, choose_sensibly] if THOROUGH else [(choose_anything, choose_sensibly)[nth % 2]])
]
CLEARED = 500
"""After so many commands the game master clears away whatever hides enemies from each other."""


def play_to_the_end(encounter: dict[str, Any], policy: Policy, chance: Random, most: int) -> Fight:
    """Play a fight until nothing is left to do, in so many commands at most."""
    fight = begin_fight("played", encounter, who="gm", seed=SEED, clock=noon)
    for nth in range(most):
        if nth == CLEARED:
            for seen in tuple(fight.state.views):
                viewer, _, target = seen.partition(">")
                submit_accepted(fight, clear(viewer, target))
        intent = policy(fight, chance)
        if intent is None:
            break
        submit_accepted(fight, intent)
    return fight


def clear(viewer: str, target: str) -> Ruled:
    """Return the ruling that two see each other."""
    params = f'{{"viewer":"{viewer}","target":"{target}","view":"clear"}}'
    return Ruled(kind="view", params=Raw(params.encode()), reason="the barrels have rolled away")


def ends_well(fight: Fight) -> None:
    """See that the fight is over, that one side at most still stands, and that nothing is left open."""
    state = fight.state
    out = DRAWN[fight.ruleset.name].out
    standing = {one.side for one in state.combatants.values() if not out(one)}
    (end,) = [one.event for one in fight.history.effective() if isinstance(one.event, FightEnded)]
    assert state.ended
    assert (state.phase, state.quiet) == ("fight_over", True)
    assert state.victors == end.victors == "".join(standing)


@pytest.mark.parametrize(("name", "policy"), SHIPPED)
def test_encounters_that_come_with_affray_are_played_to_the_end(name: str, policy: Policy) -> None:
    """Every shipped encounter can be finished, by fighters who do anything or by sensible ones."""
    ends_well(play_to_the_end(load_shipped_encounters()[name], policy, Random(3), most=1500))


@POLICIES
@pytest.mark.parametrize("system", PRESENT)
@a_share(4)
@given(drawn=st.data(), chance=st.integers(0, 2**32))
def test_every_random_fight_ends(system: str, policy: Policy, drawn: st.DataObject, chance: int) -> None:
    """If blows can fell, legal actions of any policy lead to an end."""
    encounter = with_an_end(drawn.draw(encounters(system)))
    ends_well(play_to_the_end(encounter, policy, Random(chance), most=2500))


@POLICIES
def test_the_same_chance_plays_the_same_fight(policy: Policy) -> None:
    """A policy depends on nothing but the fight and the source of chance it is given."""
    once, again = (
        play_to_the_end(load_shipped_encounters()["vestige/bridge"], policy, Random(7), most=60) for _ in range(2)
    )
    assert once.history.head_hash == again.history.head_hash


def test_every_face_of_a_real_die_may_be_entered() -> None:
    """From 1 to its sides, and so many as are awaited."""
    awaited = AwaitedDice(roll="r", by="al", purpose="x", dice=(Dice(count=300, sides=4), Dice(count=2, sides=1)))
    entered = make_input(awaited, Random(1))
    assert isinstance(entered, DiceEntered)
    assert (entered.roll, len(entered.faces), entered.faces[300:]) == ("r", 302, (1, 1))
    assert set(entered.faces) == {1, 2, 3, 4}
