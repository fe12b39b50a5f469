"""Every offer is accepted, and any other declaration is refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from affray.engine import Fight, Refused, Undo, Unusable
from affray.engine.analysis.policies import make_input
from affray.engine.runtime.offers import Legal, LegalAction, list_legal_actions
from affray.events import Answered, Declared, DiceEntered, Event, Passed, Scalar
from tests.engine.fights import Plan, fights, play_into_store, reload_fight, submit_accepted, view_all_sides
from tests.engine.ways import everything
from tests.examples import a_share


def list_by_kind(fight: Fight) -> dict[str, list[Legal]]:
    """Return everything that may be done now, by kind."""
    offered: dict[str, list[Legal]] = {}
    for choice in list_legal_actions(fight.ruleset, fight.table):
        kind = choice.intent.kind if isinstance(choice, LegalAction) else type(choice).__name__
        offered.setdefault(kind, []).append(choice)
    return offered


def try_and_undo(fight: Fight, intent: Event) -> None:
    """Do something that must be accepted, and take it back, so that the fight is as it was."""
    submit_accepted(fight, intent)
    submit_accepted(fight, Undo())


def list_unoffered(fight: Fight) -> Iterator[Declared]:
    """Yield possible declarations of all combatants in every usual manner that are not offered."""
    intents = [getattr(choice, "intent", None) for choices in list_by_kind(fight).values() for choice in choices]
    offered = {key(fight, intent) for intent in intents if isinstance(intent, Declared)}
    for intent in everything(fight):
        if key(fight, intent) not in offered:
            yield intent


def key(fight: Fight, intent: Declared) -> tuple[object, ...]:
    """Return what tells one declaration from another: who, what, and everything that must be said of it.

    What happens at once is the same in every manner.
    """
    action = fight.ruleset.action(intent.kind, intent.params)
    said = [getattr(action, field.name) for field in fields(type(action)) if field.required]
    return intent.actor, intent.kind, intent.manner if action.stacks else "", *said


@given(fights(), st.randoms(use_true_random=False))
def test_everything_that_is_offered_is_accepted(plan: Plan, chance: Random) -> None:
    """A few of every kind are tried at the same moment, with values of their whole range."""
    _, store = play_into_store(plan)
    fight = reload_fight(store)
    before = view_all_sides(fight)
    for choices in list_by_kind(fight).values():
        for choice in chance.sample(choices, min(4, len(choices))):
            try_and_undo(fight, make_input(choice, chance))
            assert view_all_sides(fight) == before


@a_share(4)
@given(fights())
def test_what_is_not_offered_is_refused(plan: Plan) -> None:
    """A combatant without the turn, the means, the weapon or the enemy cannot declare the action."""
    fight, _ = play_into_store(plan)
    before = view_all_sides(fight)
    for intent in list_unoffered(fight):
        with pytest.raises((Refused, Unusable)):
            submit_accepted(fight, intent)
    assert view_all_sides(fight) == before


@given(fights())
def test_only_what_is_awaited_can_be_answered(plan: Plan) -> None:
    """A window, question or roll that is not open takes no pass, answer or faces."""
    fight, _ = play_into_store(plan)
    for intent in (
        Passed(window="9/nobody/1/window", who="ilse"),
        Answered(question="9/nobody/1/forfeit", by="gm", choice="yes"),
        DiceEntered(roll="9/nobody/1/attack", faces=(7,)),
    ):
        with pytest.raises(Refused):
            submit_accepted(fight, intent)


@given(fights())
def test_a_bad_answer_is_refused_and_the_question_stands(plan: Plan) -> None:
    """An unknown option, a number out of bounds, or a combatant that was not asked."""
    fight, _ = play_into_store(plan)
    question = fight.state.question
    if question is None:
        return
    ways: tuple[tuple[str, str, dict[str, Scalar]], ...] = (
        (question.of[0], "perhaps", {}),
        ("stranger", question.options[0].choice, {}),
        (question.of[0], question.options[0].choice, {"ep": -1, "luck": 3}),
    )
    for by, choice, filled in ways:
        with pytest.raises((Refused, Unusable)):
            submit_accepted(fight, Answered(question=question.id, by=by, choice=choice, fields=filled))
        assert fight.state.question == question


@given(fights())
def test_faces_no_die_can_show_are_refused(plan: Plan) -> None:
    """Too few, too many, below 1, above the size."""
    fight, _ = play_into_store(plan)
    awaited = fight.state.awaited
    if awaited is None:
        return
    sides = [one.sides for one in awaited.dice for _ in range(one.count)]
    for faces in ((), (*sides, 1), (0, *sides[1:]), (sides[0] + 1, *sides[1:])):
        with pytest.raises(Unusable):
            submit_accepted(fight, DiceEntered(roll=awaited.roll, faces=faces))
    try_and_undo(fight, DiceEntered(roll=awaited.roll, faces=tuple(sides)))


@a_share(4)
@given(fights())
def test_nobody_declares_in_a_manner_of_the_rules(plan: Plan) -> None:
    """Blows that the rules or a ruling put on the stack are free, so they cannot be declared."""
    fight, _ = play_into_store(plan)
    ruled = set(fight.ruleset.turns.manners) - set(fight.ruleset.turns.declarable)
    for intent in everything(fight):
        for manner in sorted(ruled):
            with pytest.raises((Refused, Unusable)):
                submit_accepted(fight, replace(intent, manner=manner))
