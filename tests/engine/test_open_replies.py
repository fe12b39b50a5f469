"""An answer, entered dice or a withdrawal is open only where what it belongs to was."""

from __future__ import annotations

from random import Random

import pytest

from affray.engine import EngineError, Fight
from affray.engine.analysis.policies import choose_anything
from affray.engine.visibility import can_read
from affray.events import Answered, Asked, DiceAwaited, DiceEntered, Event, Id, Withdrawn
from tests.engine.choices import Choices
from tests.engine.fights import submit_accepted
from tests.engine.ruled import make_ruling
from tests.engine.test_hiding import rule
from tests.engine.test_notes_of_one import Fours
from tests.engine.test_open_lists import begin_lurker_fight
from tests.engine.test_open_secrets import concealed_last
from tests.engine.twins import SPECTATOR
from tests.rulesets.systems import PRESENT

FIELD: dict[type[Event], str] = {
    Answered: "question",
    Asked: "question",
    DiceAwaited: "roll",
    DiceEntered: "roll",
    Withdrawn: "what",
}
"""Per type of event the field that says what is asked or awaited."""


def open_without_cause(fight: Fight) -> list[Event]:
    """Return the open replies to what no open line asked for."""
    asked, found = set[Id](), []
    for one in fight.history.recorded:
        field = FIELD.get(type(one.event))
        if field is None or not can_read(SPECTATOR, one):
            continue
        path: Id = getattr(one.event, field)
        if isinstance(one.event, Asked | DiceAwaited):
            asked.add(path)
        elif path not in asked:
            found.append(one.event)
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("system", PRESENT)
def test_no_reply_is_open_where_the_question_was_sealed(system: str, seed: int) -> None:
    """For all actions and rulings while a combatant is concealed."""
    fight, chance = concealed_last(system, bytes([seed]) * 32), Random(seed)
    for nth in range(80):
        intent = make_ruling(fight, Choices(chance.randbytes(8))) if nth % 3 == 2 else choose_anything(fight, chance)
        if intent is None:
            break
        try:
            submit_accepted(fight, intent)
        except EngineError:
            continue
    assert open_without_cause(fight) == []


def test_the_answer_to_a_sealed_question_about_a_sealed_test_is_sealed() -> None:
    """The question lists combatants, but its open part is sealed as well."""
    fight = begin_lurker_fight("wyrd", Fours(4))
    rule(fight, "test", who="lurker", ability="will")
    assert fight.state.question is not None
    answered = submit_accepted(fight, Answered(question=fight.state.question.id, by="gm", choice="nothing")).recorded[0]
    assert not can_read(SPECTATOR, answered)
