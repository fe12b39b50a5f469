"""Offers to a player are never refused without cost because of a concealed combatant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from affray.engine import Fight
from affray.engine.errors import Refused, Unusable
from affray.engine.runtime.validation import check_declaration
from affray.engine.visibility import Viewer, project_state
from affray.events import Answered, Attempted, Declared, Fizzled, Id
from affray.tools.server.commands import _execute
from tests.rulesets.systems import PRESENT
from tests.serve.concealing import iterate_concealing_moments, iterate_offers, movers_of, viewer_of

GM = Viewer(role="gm", name="gm")

PREVENTED: dict[str, set[str]] = {
    "hexblade": {"move"},
    "verdigris": {"enter_melee", "move"},
    "vestige": {"move", "shift", "skill"},
    "wwn": {"dismount", "draw", "end_turn", "move", "prone"},
    "wyrd": set(),
}
"""Per system the actions that a concealed combatant alone can prevent in these fights."""

LENGTHS = {"hexblade": (24, 8), "verdigris": (24, 2), "vestige": (60, 16), "wwn": (48, 12), "wyrd": (24, 8)}
"""Per system how many commands each fight has, and after how many the concealed one is put in somebody's way."""


def list_prevented_actions(fight: Fight, viewer: Viewer) -> Iterator[Declared]:
    """Yield what a player is offered and the rules refuse in truth: of each action and reason one."""
    known = set()
    for intent in iterate_offers(fight, viewer):
        try:
            check_declaration(fight.ruleset, fight.table, intent)
        except (Refused, Unusable) as refusal:
            reason = intent.kind, intent.manner, getattr(refusal, "code", "")
            if reason not in known:
                known.add(reason)
                yield intent


def send_offered(fight: Fight, viewer: Viewer, intent: Declared) -> list[Any]:
    """Send what a player was offered; return the events that it led to."""
    head = fight.head
    carried = _execute(fight, viewer, "tries", None, intent)
    assert carried.head == fight.head > head
    return [one.event for one in fight.history.recorded[head:]]


@pytest.mark.parametrize("system", PRESENT)
def test_what_is_offered_is_carried_out_or_attempted(system: str) -> None:
    """For every relation of a concealed combatant; the fight continues after any decision."""
    found: dict[str, set[Id]] = {}
    for fight in iterate_concealing_moments(system, *LENGTHS[system]):
        for who in movers_of(fight):
            viewer = viewer_of(who)
            if project_state(viewer, fight.state) is fight.state:
                continue
            for intent in list_prevented_actions(fight, viewer):
                copy = fight.copy_at(fight.head)
                attempt, refused, asked = send_offered(copy, viewer, intent)
                assert isinstance(attempt, Attempted)
                assert (attempt.kind, attempt.params) == (intent.kind, intent.params)
                assert refused.because_of
                found.setdefault(intent.kind, set()).update(refused.because_of)
                decide(copy, asked.question, "fails" if len(found) % 2 else "again")
    assert found.keys() == PREVENTED[system]


def decide(fight: Fight, question: Id, choice: str) -> None:
    """Let the game master decide what comes of an attempt."""
    head = fight.head
    _execute(fight, GM, "decides", None, Answered(question=question, by="gm", choice=choice))
    events = [one.event for one in fight.history.recorded[head:]]
    assert any(isinstance(one, Fizzled) for one in events) or choice == "again" or len(events) > 1
    assert fight.state.question is None or fight.state.question.id != question
