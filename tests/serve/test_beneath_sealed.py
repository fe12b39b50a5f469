"""Windows beneath a question: no player's command there tells of a sealed one, and the fight goes on behind it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from affray.engine import EngineError, Fight, digest
from affray.engine.core.loading import load
from affray.engine.core.state import Window
from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, project_state
from affray.events import Answered, AskingSet, DiceEntered, Passed
from affray.tools.api.access import VisibleRefusal
from affray.tools.api.command_checks import check_visible
from affray.tools.parse import intent_parser
from affray.tools.present.fight_view import WAITING
from tests.engine.fights import NAME, SEED, noon, submit_accepted
from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT

HARMS = ("harm {} 40", "damage {} 9d6")
MANY = 4


def beneath(*, concealed: bool) -> Iterator[tuple[Fight, Window]]:
    """Yield fights with a window beneath a question about a combatant that a ruling harmed."""
    for system in [one for one in PRESENT if load(one).turns.windows]:
        for moment in moments(system):
            for who in moment.fight().state.combatants if moment.fight().state.window is not None else ():
                for harm in HARMS:
                    fight = moment.fight()
                    try:
                        if concealed:
                            rule_beneath(fight, f"conceal {who}")
                        rule_beneath(fight, harm.format(who))
                    except EngineError:
                        continue
                    seen = project_state(Viewer(role="spectator"), fight.state)
                    sealed = fight.state.question is not None and seen.question is None
                    if seen.window is not None and fight.state.question is not None and sealed == concealed:
                        yield fight, seen.window


def rule_beneath(fight: Fight, said: str) -> None:
    submit_accepted(fight, intent_parser.intent(fight, f"rule {said}", "so it is"))


def remake_fight(fight: Fight) -> Fight:
    """Return the same fight, made from its record."""
    history = History()
    history.add(fight.history.recorded)
    return Fight(NAME, fight.ruleset, history, seed=SEED, clock=noon)


def test_players_read_the_same_refusal_beneath_a_sealed_question() -> None:
    tried = 0
    for fight, window in beneath(concealed=True):
        player = Viewer(role="player", name="P", owns=window.to)
        for intent in (
            Passed(window=window.id, who=window.to[0]),
            Answered(question=fight.table.draft.waits_for, by=window.to[0], choice="x"),
            DiceEntered(roll="x", faces=(1,)),
        ):
            with pytest.raises(VisibleRefusal) as refused:
                check_visible(player, fight, intent)
            assert getattr(refused.value.error, "message", "") == WAITING
        tried += 1
    assert tried >= MANY


@pytest.mark.parametrize("concealed", [True, False])
def test_a_window_closes_behind_the_question_above_it_once_nobody_in_it_wants_to_be_asked(concealed: bool) -> None:
    tried = 0
    for fight, window in islice(beneath(concealed=concealed), MANY):
        for who in window.to:
            submit_accepted(fight, AskingSet(who=who, ask="never"))
        assert fight.table.draft.waits_for
        assert digest(remake_fight(fight).state) == digest(fight.state)
        for _ in range(9):
            question = fight.state.question
            if question is None:
                break
            submit_accepted(
                fight, Answered(question=question.id, by=question.of[0], choice=question.options[-1].choice)
            )
        now = fight.state.window
        assert fight.state.ended or now is None or now.to
        assert digest(remake_fight(fight).state) == digest(fight.state)
        tried += 1
    assert tried == MANY
