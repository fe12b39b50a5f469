"""A published state never changes: it is frozen, with any later commands."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given

from affray.engine import begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.state import State
from tests.engine.fights import SEED, Plan, ask_fight, begin_plan, commands, encode_state, fights, noon, submit_accepted


def make_rows_of_fighters(size: int) -> dict[str, Any]:
    """Return an encounter of two rows of so many fighters in all."""
    rows = {"Guard": (0, size // 2), "Raider": (1, size - size // 2)}
    people = [
        {"name": name, "side": name, "count": count, "block": "hero", "at": [f"{x},{row}" for x in range(count)]}
        for name, (row, count) in rows.items()
    ]
    return {"system": "vestige", "board": {}, "combatant": people}


@pytest.mark.parametrize("size", [5, 50])
def test_a_published_state_stays_as_it_was(size: int) -> None:
    """Each state of a fight of 5 or of 50 still reads the same when everything after it has happened."""
    fight = begin_fight("crowd", make_rows_of_fighters(size), who="gm", seed=SEED, clock=noon)
    published = [(fight.state, encode_state(fight.state))]
    chance = Random(5)
    for intent in islice(iter(lambda: choose_sensibly(fight, chance), None), 25):
        assert intent is not None
        submit_accepted(fight, intent)
        published.append((fight.state, encode_state(fight.state)))
    assert len({text for _, text in published}) > 20
    assert all(encode_state(state) == text for state, text in published)


@given(fights())
def test_no_command_reaches_into_a_published_state(plan: Plan) -> None:
    """Rulings, undo and refusals write to separate drafts."""
    fight = begin_plan(plan)
    published = [(fight.state, encode_state(fight.state))]
    for command in commands(fight, plan):
        ask_fight(fight, command)
        published.append((fight.state, encode_state(fight.state)))
    assert all(encode_state(state) == text for state, text in published)


@given(fights())
def test_publishing_after_every_event_changes_nothing(plan: Plan) -> None:
    """Publishing often or never gives the same fold, and each state stays the same."""
    fight = begin_plan(plan)
    for command in commands(fight, plan):
        ask_fight(fight, command)
    often, never = Draft(State()), Draft(State())
    published = []
    for one in fight.history.effective():
        evolve(often, one.event)
        evolve(never, one.event)
        state = often.freeze()
        published.append((state, encode_state(state)))
    assert encode_state(often.freeze()) == encode_state(never.freeze()) == encode_state(fight.state)
    assert all(encode_state(state) == text for state, text in published)


@given(fights(most=20))
def test_a_draft_made_from_a_state_goes_on_as_the_one_it_came_from(plan: Plan) -> None:
    """Rules and fold need nothing outside the state: a draft can start from any state."""
    fight = begin_plan(plan)
    for command in commands(fight, plan):
        ask_fight(fight, command)
    state = State()
    for one in fight.history.effective():
        draft = Draft(state)
        evolve(draft, one.event)
        state = draft.freeze()
    assert encode_state(state) == encode_state(fight.state)
    mine, live = Draft(state), fight.table.draft
    assert (mine.occupants, mine.owned_items) == (live.occupants, live.owned_items)
