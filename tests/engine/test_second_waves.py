"""The end of a fight where more could come: who reads the question, and a fight that goes on after its end."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, Redo, Refused, Undo, begin_fight, digest
from affray.engine.integrity.audit import audit
from affray.engine.runtime.offers import LegalAction, list_legal_actions
from affray.engine.visibility import Viewer, can_read, project_for_sending
from affray.events import Answered, Declared, Event, FightEnded, FightReopened, Recorded, RoundBegan, Ruled
from tests.engine.conftest import two
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon, reload_fight, submit_accepted
from tests.engine.memory import MemoryStore
from tests.engine.waiting import moments
from tests.rulesets.systems import PRESENT

OUT: dict[str, tuple[str, dict[str, object]]] = dict.fromkeys(PRESENT, ("unable", {}))
OUT["wyrd"] = ("condition", {"condition": "incapacitated"})
"""The ruling that puts a combatant out of the fight, by system."""

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


@pytest.mark.parametrize("system", PRESENT)
def test_a_fight_without_any_able_combatant_goes_on_round_by_round_as_the_game_master_says(system: str) -> None:
    """Where others may come the question is asked again in each round, and the last answer ends the fight."""
    fight = begin_fight(NAME, load_shipped_encounters()[f"{system}/template"], who="gm", seed=SEED, clock=noon)
    rule_on_wave(fight, "more_to_come")
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    kind, how = OUT[system]
    for who in fight.state.combatants:
        with suppress(Refused):
            rule_on_wave(fight, kind, who=who, **how)
    rounds = []
    for _ in range(4):
        if fight.state.question is None:  # initiative may be rolled by those who are out
            rolled = next(one for one in list_legal_actions(fight.ruleset, fight.table) if isinstance(one, LegalAction))
            submit_accepted(fight, rolled.intent)
        question = fight.state.question
        assert question is not None
        assert question.topic in ("over", "ending")
        rounds.append(fight.state.round)
        ends, goes_on = sorted(one.choice for one in question.options)
        choice = ends if (len(rounds) == 4) == (system == "verdigris") else goes_on
        submit_accepted(fight, Answered(question=question.id, by="gm", choice=choice))
    assert fight.state.ended
    assert [after - before for before, after in pairwise(rounds[1:])] == [1, 1]
