"""The end of a fight where more could come: who reads the question, and a fight that goes on after its end."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, Redo, Refused, Undo, begin_fight, digest
from affray.engine.integrity.audit import audit
from affray.engine.visibility import Viewer, can_read, project_for_sending
from affray.events import Answered, Declared, Event, FightEnded, FightReopened, Recorded, RoundBegan, Ruled
from tests.engine.conftest import two
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon, reload_fight, submit_accepted
from tests.engine.memory import MemoryStore
from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT

SPECTATOR = Viewer(role="spectator")


def rule_on_wave(fight: Fight, kind: str, **params: object) -> tuple[Recorded, ...]:
    return submit_accepted(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so be it")).recorded


def begin_second_wave(**entry: object) -> Fight:
    fight = begin_fight("duel", {**two(), **entry}, who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    return fight


def list_spectator_events(recorded: tuple[Recorded, ...]) -> list[Event]:
    return [one.event for one in recorded if can_read(SPECTATOR, one)]


@pytest.mark.parametrize("hidden", [True, False])
def test_the_question_whether_a_fight_is_over_is_read_by_the_game_master_alone(hidden: bool) -> None:
    """Viewers see the last known foe fall and the game master awaited; nothing names who may come."""
    more: dict[str, object] = {"more_to_come": True}
    if hidden:
        people = two()["combatant"]
        more = {"combatant": [*people, {**people[1], "name": "Lurker", "concealed": True}]}
    fight = begin_second_wave(**more)
    recorded = rule_on_wave(fight, "unable", who="brand")
    question = fight.state.question
    assert question is not None
    seen = project_for_sending(SPECTATOR, fight.state)
    assert seen.question is None
    recorded += submit_accepted(fight, Answered(question=question.id, by="gm", choice="go_on")).recorded
    assert not any(
        word in str(list_spectator_events(recorded)) for word in ("lurker", "more_to_come", "over:", "go_on", "goes_on")
    )
    assert not any(
        word in str(project_for_sending(SPECTATOR, fight.state)) for word in ("lurker", "more_to_come", "goes_on")
    )
    assert not fight.state.ended


def test_a_ruling_that_more_may_join_is_read_by_the_game_master_alone() -> None:
    fight = begin_second_wave()
    recorded = rule_on_wave(fight, "more_to_come") + rule_on_wave(fight, "more_to_come", expected=False)
    assert list_spectator_events(recorded) == []
    assert "more_to_come" not in str(project_for_sending(SPECTATOR, fight.state))
    assert any(
        isinstance(event, FightEnded) for event in list_spectator_events(rule_on_wave(fight, "unable", who="brand"))
    )


@pytest.mark.parametrize("system", PRESENT)
def test_a_reopened_fight_is_taken_back_restarted_and_audited(system: str) -> None:
    """After a truce a combatant changes sides, and the fight continues, in every system."""
    store = MemoryStore()
    fight = begin_fight(
        NAME, load_shipped_encounters()[f"{system}/template"], who="gm", seed=SEED, store=store, clock=noon
    )
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    rule_on_wave(fight, "end")
    ended = digest(fight.state)
    sides = list(dict.fromkeys(one.side for one in fight.state.combatants.values()))
    turncoat = [
        one.id for one in fight.state.combatants.values() if one.side == sides[0] and "mount" not in one.traits
    ][-1]
    events = [one.event for one in rule_on_wave(fight, "side", who=turncoat, side=sides[1])]
    assert [type(one) for one in events if isinstance(one, FightReopened | RoundBegan)] == [FightReopened, RoundBegan]
    assert not fight.state.ended
    assert digest(reload_fight(store).state) == digest(fight.state)
    fight.submit(Command(id="undo", who="gm", intent=Undo()))
    assert digest(fight.state) == ended
    fight.submit(Command(id="redo", who="gm", intent=Redo()))
    rule_on_wave(fight, "end", victors=sides[1])
    assert audit(lambda: store.lines(NAME), seed=SEED).findings == ()


@pytest.mark.parametrize("system", PRESENT)
def test_a_reopened_fight_is_ended_again_whatever_the_first_end_interrupted(system: str) -> None:
    """The first end withdraws what was asked at any moment; once reopened, the fight is in a phase that can end."""
    again = 0
    for moment in moments(system):
        fight = moment.fight()
        if not fight.state.ended:
            rule_on_wave(fight, "end")
        for who, one in fight.state.combatants.items():
            sides = {other.side for other in fight.state.combatants.values()} - {one.side}
            with suppress(Refused):
                rule_on_wave(fight, "side", who=who, side=min(sides, default=one.side))
            if not fight.state.ended:
                break
        if not fight.state.ended:
            again += 1
            assert fight.state.phase != "fight_over", moment.waits
            rule_on_wave(fight, "end")
            assert fight.state.ended
    assert again
