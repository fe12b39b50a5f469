"""A player attempts what only a concealed combatant prevents: it is recorded, and the game master decides."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, Outcome, begin_fight, open_fight
from affray.engine.commands import Intent, Undo
from affray.engine.errors import Refused, Reused
from affray.engine.integrity.audit.audit import audit
from affray.engine.visibility import Viewer, can_read, project_state
from affray.events import (
    Answered,
    Asked,
    AskingSet,
    Attempted,
    AttemptRefused,
    Declared,
    Fizzled,
    Id,
    Passed,
    PoolChanged,
    Ruled,
    Withdrawn,
)
from affray.tools.api.auto_pass import not_worth
from tests.engine.fights import SEED, noon, salt
from tests.engine.memory import MemoryStore

BRIDGE = tomllib.loads(Path("encounters/vestige/bridge.toml").read_text(encoding="utf-8"))
ILSE = ("ilse",)
PLAYER = Viewer(role="player", name="Ilse's", owns=ILSE)
OTHERS = (PLAYER, Viewer(role="spectator"), Viewer(role="player", name="Tomas'", owns=("tomas",)))


def open_bridge_fight(at: str = "3,1", store: MemoryStore | None = None) -> Fight:
    """Return a fight on Ilse's turn with the Captain concealed at a place."""
    hidden = {"concealed": True}
    combatants = [one | (hidden if one["name"] == "Captain" else {}) for one in BRIDGE["combatant"]]
    fight = begin_fight(
        "bridge", {**BRIDGE, "combatant": combatants}, who="gm", seed=SEED, clock=noon, salts=salt, store=store
    )
    waits = Declared(actor="gm", kind="begin", params=Raw(b"{}"))
    for nth in range(20):
        fight.submit(Command(id=f"before-{nth}", who="gm", intent=waits))
        if fight.state.acting == ILSE:
            rule_as_gm(fight, "place", id="there", who="captain", to=at)
            return fight
        waits = Declared(actor=fight.state.acting[0], kind="end_turn", params=Raw(b"{}"))
    raise AssertionError("it is never her turn")


def declare_move(to: str) -> Declared:
    """Return Ilse's declaration to move to a cell."""
    return moves_of("ilse", to)


def moves_of(who: Id, to: str, manner: str = "standard") -> Declared:
    """Return a combatant's declaration to move to a cell."""
    return Declared(actor=who, kind="move", params=Raw(msgspec.json.encode({"to": to})), manner=manner)


def send_meant(fight: Fight, intent: Intent, id: str = "c1") -> Outcome:
    """Send what Ilse's player means."""
    return fight.submit(Command(id=id, who="Ilse's", intent=intent, knows=ILSE))


def decides(fight: Fight, choice: str, id: str = "gm1") -> Outcome:
    """Let the game master answer what comes of the attempt."""
    question = fight.state.question
    assert question is not None
    return fight.submit(Command(id=id, who="gm", intent=Answered(question=question.id, by="gm", choice=choice)))


def rule_as_gm(fight: Fight, kind: str, id: str = "rule", **params: Any) -> Outcome:
    """Let the game master rule."""
    intent = Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is")
    return fight.submit(Command(id=id, who="gm", intent=intent))


def test_an_attempt_is_recorded_and_the_game_master_is_asked() -> None:
    """Only the game master reads the reason: the line after the attempt is sealed for good."""
    fight = open_bridge_fight()
    attempt, refused, asked = send_meant(fight, declare_move("3,1")).recorded
    assert attempt.event == Attempted(actor="ilse", kind="move", params=Raw(b'{"to":"3,1"}'))
    assert isinstance(refused.event, AttemptRefused)
    assert (refused.event.actor, refused.event.because_of) == ("ilse", ("captain",))
    assert refused.event.rules
    assert isinstance(asked.event, Asked)
    assert asked.event.of == ("gm",)
    for viewer in OTHERS:
        assert [can_read(viewer, one) for one in (attempt, refused, asked)] == [True, False, True]
        assert project_state(viewer, fight.state).question == fight.state.question


def test_a_failed_attempt_costs_what_the_declaration_costs() -> None:
    fight = open_bridge_fight()
    actions = fight.state.combatants["ilse"].pools["actions"]
    send_meant(fight, declare_move("3,1"))
    events = [one.event for one in decides(fight, "fails").recorded]
    assert any(isinstance(one, Fizzled) and one.code == "attempt" for one in events)
    assert [(one.who, one.pool, one.after) for one in events if isinstance(one, PoolChanged)] == [
        ("ilse", "actions", actions - 1)
    ]
    assert fight.state.combatants["ilse"].place != "3,1"
    assert fight.state.quiet


def test_an_attempt_that_is_not_made_leaves_only_its_record() -> None:
    fight = open_bridge_fight()
    before = fight.state
    send_meant(fight, declare_move("3,1"))
    decides(fight, "again")
    assert fight.state.combatants == before.combatants
    assert fight.state.acting == before.acting
    assert fight.state.quiet
    assert isinstance(send_meant(fight, declare_move("2,1"), id="c2").recorded[0].event, Declared)


def test_whoever_is_revealed_ends_the_question() -> None:
    """After that the player sees the obstacle, and gets an ordinary refusal."""
    fight = open_bridge_fight()
    send_meant(fight, declare_move("3,1"))
    events = [one.event for one in rule_as_gm(fight, "reveal", who="captain").recorded]
    assert any(isinstance(one, Withdrawn) for one in events)
    assert fight.state.question is None
    with pytest.raises(Refused):
        send_meant(fight, declare_move("3,1"), id="c2")


def test_nothing_else_is_done_while_the_game_master_is_asked() -> None:
    fight = open_bridge_fight()
    send_meant(fight, declare_move("3,1"))
    head = fight.head
    with pytest.raises(Refused, match="must first answer"):
        send_meant(fight, declare_move("2,1"), id="c2")
    assert fight.head == head


def test_what_everybody_sees_is_refused_as_ever() -> None:
    """Only what a concealed combatant prevents is an attempt; who knows of all of them makes none."""
    fight = open_bridge_fight()
    with pytest.raises(Refused):
        send_meant(fight, declare_move("9,9"))
    for knows in (None, ("ilse", "captain")):
        with pytest.raises(Refused):
            fight.submit(Command(id="c1", who="gm", intent=declare_move("3,1"), knows=knows))
    assert fight.state.quiet


def test_the_same_attempt_sent_again_is_the_same_command() -> None:
    fight = open_bridge_fight()
    first = send_meant(fight, declare_move("3,1"))
    again = send_meant(fight, declare_move("3,1"))
    assert again.repeated
    assert again.recorded == first.recorded
    with pytest.raises(Reused):
        send_meant(fight, declare_move("2,1"))


def test_a_fight_goes_on_from_an_attempt_after_a_restart_and_audits_clean() -> None:
    store = MemoryStore()
    fight = open_bridge_fight(store=store)
    send_meant(fight, declare_move("3,1"))
    again = open_fight("bridge", store, clock=noon, salts=salt)
    assert again.state == fight.state
    decides(again, "fails")
    later = open_fight("bridge", store, clock=noon, salts=salt)
    assert later.state == again.state
    report = audit(lambda: store.read("bridge"), seed=SEED)
    assert not report.findings
    assert report.clean


def test_an_attempt_shifts_no_die() -> None:
    """An attempt before an action leaves that action's dice unchanged."""
    plain, tried = open_bridge_fight(), open_bridge_fight()
    send_meant(tried, declare_move("3,1"))
    decides(tried, "again")
    rolls = [
        [one.event for one in send_meant(fight, declare_move("2,1"), id="c2").recorded] for fight in (plain, tried)
    ]
    assert rolls[0] == rolls[1]


def test_an_attempt_can_be_taken_back_by_the_game_master() -> None:
    fight = open_bridge_fight()
    before = fight.state
    send_meant(fight, declare_move("3,1"))
    fight.submit(Command(id="back", who="gm", intent=Undo()))
    assert fight.state == before


def test_two_attempts_ask_two_questions() -> None:
    fight = open_bridge_fight()
    names = []
    for nth in range(2):
        send_meant(fight, declare_move("3,1"), id=f"c{nth}")
        assert fight.state.question is not None
        names.append(fight.state.question.id)
        decides(fight, "again", id=f"gm{nth}")
    assert len({*names}) == 2


def test_an_action_that_a_concealed_combatant_prevents_later_fails_without_a_reason() -> None:
    """A combatant steps into the cell before the move resolves; only the game master reads the reason."""
    fight = open_bridge_fight(at="8,1")
    rule_as_gm(fight, "condition", id="ready", who="bandit-a", condition="readied", count=1)
    send_meant(fight, declare_move("3,1"))
    rule_as_gm(fight, "place", who="captain", to="3,1")
    head = fight.head
    for nth in range(20):
        if fight.state.window is None:
            break
        passed = Passed(window=fight.state.window.id, who=fight.state.window.to[0])
        fight.submit(Command(id=f"pass-{nth}", who="gm", intent=passed))
    recorded = fight.history.recorded[head:]
    (refused,) = [one.event for one in recorded if isinstance(one.event, AttemptRefused)]
    assert (refused.code, refused.because_of) == ("occupied", ("captain",))
    (sealed,) = [one for one in recorded if one.event is refused]
    assert not any(can_read(viewer, sealed) for viewer in OTHERS)
    (fizzled,) = [one.event for one in recorded if isinstance(one.event, Fizzled)]
    assert (fizzled.code, fizzled.rules) == ("attempt", fight.ruleset.turns.fizzles)


def test_a_window_waits_for_the_game_master_too() -> None:
    """The table does not pass during an attempt in a window; if it fails, the token is spent.

    Its player cannot take it back for nothing by no longer being asked.
    """
    fight = open_bridge_fight()
    rule_as_gm(fight, "condition", id="ready", who="ilse", condition="readied", count=1)
    fight.submit(Command(id="end", who="gm", intent=Declared(actor="ilse", kind="end_turn", params=Raw(b"{}"))))
    window = fight.state.window
    assert window is not None
    assert window.to == ILSE
    send_meant(fight, moves_of("ilse", "3,1", manner="readied"))
    with pytest.raises(Refused, match="must first answer"):
        fight.submit(Command(id="pass", who="gm", intent=Passed(window=window.id, who="ilse")))
    assert not list(not_worth(fight))
    send_meant(fight, AskingSet(who="ilse", ask="never"), id="never")
    decides(fight, "fails")
    assert not fight.state.combatants["ilse"].has("readied")
    assert fight.state.window is None or fight.state.window.id != window.id


def test_a_window_that_everybody_has_declined_closes_behind_an_attempt_that_is_not_made() -> None:
    fight = open_bridge_fight()
    rule_as_gm(fight, "condition", id="ready", who="ilse", condition="readied", count=1)
    fight.submit(Command(id="end", who="gm", intent=Declared(actor="ilse", kind="end_turn", params=Raw(b"{}"))))
    send_meant(fight, moves_of("ilse", "3,1", manner="readied"))
    send_meant(fight, AskingSet(who="ilse", ask="never"), id="never")
    assert fight.table.draft.window is not None
    decides(fight, "again")
    assert fight.state.window is None
    assert fight.state.acting
