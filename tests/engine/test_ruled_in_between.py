"""Rulings while the fight waits: what waits goes on beneath them, and a sealed one shows viewers nothing."""

from __future__ import annotations

from itertools import islice

import pytest

from affray.engine import EngineError, Fight
from affray.engine.visibility import Viewer, can_read, project_state
from affray.tools.parse import intent_parser
from tests.engine.fights import submit_accepted
from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT

SPECTATOR = Viewer(role="spectator")
WAITING = {"Asked", "DiceAwaited", "Withdrawn", "WindowOpened", "WindowClosed"}
"""The events by which viewers see what is asked, awaited or offered."""

MANY = 12


def rule_and_list_open(fight: Fight, said: str) -> list[str]:
    """Rule something; return what kinds of events a spectator reads of it."""
    recorded = submit_accepted(fight, intent_parser.intent(fight, f"rule {said}", "so it is")).recorded
    return [type(one.event).__name__ for one in recorded if can_read(SPECTATOR, one)]


def waits_in(fight: Fight) -> tuple[object, ...]:
    """Return what a spectator sees of what the fight waits for."""
    state = project_state(SPECTATOR, fight.state)
    return state.question, state.awaited, state.window, state.postponed


@pytest.mark.parametrize("system", PRESENT)
def test_sealed_harm_leaves_what_others_are_asked_as_it_is(system: str) -> None:
    """Neither a question nor a window reveals that a hidden combatant was harmed."""
    tried = 0
    for moment in moments(system):
        draft = moment.fight().table.draft
        aside = [
            who
            for who in draft.combatants
            if (draft.waits_for or draft.window)
            and who not in draft.acting
            and not any(who in (one.actor, *one.targets) for one in draft.stack)
        ]
        for who in islice(aside, 1):
            fight = moment.fight()
            try:
                rule_and_list_open(fight, f"conceal {who}")
                before = waits_in(fight)
                if before[:3] == (None, None, None):
                    continue
                read = rule_and_list_open(fight, f"harm {who} 1")
            except EngineError:
                continue
            tried += 1
            assert not WAITING.intersection(read), (moment.waits, who, read)
            assert waits_in(fight) == before
        if tried == MANY:
            return
    assert tried
