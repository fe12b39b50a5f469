"""Offers as a tree: what is left open is possible, what is closed says why, and its leaves are what is legal."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine import Refused, Undo, Unusable
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.actions import Action
from affray.engine.core.loading import load, template
from affray.engine.runtime.offer_tree import FieldStep, Offers
from affray.engine.runtime.offers import LegalAction, list_legal_actions
from affray.engine.runtime.offers import build_offer_trees as ways
from affray.events import Senseless
from tests.engine.fights import Plan, begin_plan, fights, play_into_store, reload_fight, submit_accepted


def walk_offers(offers: Offers, kind: str, chosen: dict[str, Any]) -> Iterator[Action]:
    """Yield every whole action that one comes to, step by step."""
    found = offers.step(kind, chosen)
    if isinstance(found, Action):
        yield found
        return
    for choice in found.choices:  # what can be said in any words is no leaf of the list
        if choice.refused is None:
            yield from walk_offers(offers, kind, {**chosen, found.field: choice.value})


def chosen_by_chance(offers: Offers, kind: str, chance: Random) -> Action:
    """Return an action that random steps through the open choices reach."""
    chosen: dict[str, Any] = {}
    while isinstance(found := offers.step(kind, chosen), FieldStep):
        choices = [one.value for one in found.choices if one.refused is None] or ["a stunt"] * found.open
        assert choices
        chosen[found.field] = chance.choice(choices)
    return found


@given(fights(), st.randoms(use_true_random=False))
def test_whatever_is_open_leads_to_what_is_accepted(plan: Plan, chance: Random) -> None:
    """Step by step, each of the values that are left open; at the end stands what the engine takes."""
    _, store = play_into_store(plan)
    fight = reload_fight(store)
    intents = []
    for offers in ways(fight.ruleset, fight.table):
        possible = [kind for kind, refused in offers.kinds() if refused is None]
        for kind in chance.sample(possible, min(3, len(possible))):
            intents.append(offers.intent(chosen_by_chance(offers, kind, chance)))
    for intent in intents:
        submit_accepted(fight, intent)
        submit_accepted(fight, Undo())


@given(fights())
def test_its_leaves_are_what_is_legal(plan: Plan) -> None:
    """Walked step by step or listed at once, and in the order of the list."""
    fight, _ = play_into_store(plan)
    listed = [one.intent for one in list_legal_actions(fight.ruleset, fight.table) if isinstance(one, LegalAction)]
    found = [
        offers.intent(action)
        for offers in ways(fight.ruleset, fight.table)
        for kind, refused in offers.kinds()
        if refused is None
        for action in walk_offers(offers, kind, {})
    ]
    assert found == listed


@given(fights(), st.randoms(use_true_random=False))
def test_whatever_is_closed_is_refused_with_the_reason_it_shows(plan: Plan, chance: Random) -> None:
    """An action that needs nothing said is declared as it is, and meets the very refusal."""
    fight, _ = play_into_store(plan)
    for offers in ways(fight.ruleset, fight.table):
        for kind, refused in offers.kinds():
            form = fight.ruleset.actions[kind]
            if refused is None or form.__struct_fields__:
                continue
            with pytest.raises((Refused, Unusable)) as met:
                submit_accepted(fight, offers.intent(form()))
            if refused.args != met.value.args:
                assert getattr(refused, "code", "") == "no_choice", (kind, refused, met.value)


@given(fights())
def test_a_step_to_nowhere_says_what_there_is(plan: Plan) -> None:
    """No such action, no such field."""
    fight, _ = play_into_store(plan)
    for offers in ways(fight.ruleset, fight.table):
        with pytest.raises(Refused):
            offers.step("fly", {})
        kind = next(iter(fight.ruleset.actions))
        with pytest.raises(Unusable, match="has no wings"):
            offers.step(kind, {"wings": 2})


def test_rules_that_stumble_over_the_record_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """For any query of the tree: kinds, a step, a leaf or all of them."""
    fight = begin_plan(Plan(tomllib.loads(template(load("vestige"))), bytes(32), ()))
    while not (found := ways(fight.ruleset, fight.table)):
        intent = choose_sensibly(fight, Random(1))
        assert intent is not None
        submit_accepted(fight, intent)
    offers, kind = next((one, kind) for one in found for kind, refused in one.kinds() if refused is None)

    def stumbles(*_: object) -> None:
        raise KeyError("a token that nobody has")

    monkeypatch.setattr(fight.ruleset.actions[kind], "check", stumbles)
    asks: tuple[Callable[[], object], ...] = (
        lambda: list(offers.kinds()),
        lambda: offers.step(kind, {}),
        lambda: offers.first(kind, iter),
        lambda: list(offers.leaves()),
    )
    for ask in asks:
        with pytest.raises(Senseless, match="the rules of vestige cannot follow"):
            ask()
