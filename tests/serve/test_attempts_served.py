"""A player runs into a concealed combatant: each participant's view, and the game master's options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine import Fight
from affray.engine.errors import NoSuch
from affray.tools.server import commands
from tests.serve.server import Server, serve_duel

ROOM = """
system = "vestige"
name = "A room"

[board]
difficult = ["7,1"]

[[combatant]]
name = "Ilse"
side = "red"
block = "hero"
weapons = ["sword"]
at = "1,1"

[[combatant]]
name = "Bram"
side = "blue"
block = "leader"
weapons = ["sword"]
at = "9,1"

[[combatant]]
name = "Lurker"
side = "blue"
block = "minion"
weapons = ["axe"]
at = "{}"
concealed = true
"""

MOVE = {"type": "Declared", "actor": "ilse", "kind": "move", "params": {"to": "3,1"}}
ELSEWHERE = {"type": "Declared", "actor": "ilse", "kind": "move", "params": {"to": "2,1"}}
CHANCE = re.compile(r'"(hash|digest|readers|time)":"[^"]*"')


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Server]:
    """A server with a fight on Ilse's turn, and a concealed combatant two cells from her."""
    with serve_duel(tmp_path, ROOM.format("3,1")) as server:
        begin_ilses_turn(server)
        yield server


def begin_ilses_turn(server: Server) -> None:
    """Let it be Ilse's turn."""
    server.gm.does("gm begin", "roll 15", "roll 3", "roll 2")
    assert server.ilse.looks("/legal").json()["headline"].startswith("Your turn")


def send_attempt(room: Server) -> dict[str, Any]:
    """Let Ilse's player send the move; return the answer."""
    answer = room.ilse.sends(MOVE, id="a-move")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def actions(room: Server) -> int:
    """Return how many actions Ilse has left."""
    left: int = room.gm.looks("/state").json()["state"]["combatants"]["ilse"]["pools"]["actions"]
    return left


def test_the_way_is_offered_and_the_attempt_accepted(room: Server) -> None:
    """The status is that of any accepted command; the reason is sealed, and the table waits for the game master."""
    assert "3,1" in [way["to"] for way in room.ilse.looks("/ways/ilse").json()["ways"]]
    answer = send_attempt(room)
    events = [line.get("event", {}).get("type", "sealed") for line in answer["lines"]]
    assert events == ["Attempted", "sealed", "Asked"]
    assert answer["waiting"]["of"] == ["gm"]
    assert answer["waiting"]["headline"] == "Waiting for the game master"


def test_nobody_but_the_game_master_learns_why(room: Server) -> None:
    send_attempt(room)
    for who in (room.ilse, room.bram, room.spectator):
        for path in ("/log", "/story", "/state", "/legal", "/export.md", "/events.csv", "/log.jsonl"):
            assert "lurker" not in who.looks(path).text.casefold()
        head = room.gm.looks("/legal").json()["head"]
        told = [who.looks(path).text for path in ("/log?after=30", *(f"/explain/{head - nth}" for nth in range(3)))]
        assert not [text for text in told if "VES-031" in text or "occupied" in text or "lurker" in text.casefold()]
        assert who.looks("/legal").json()["headline"] == "Waiting for the game master"
        assert who.looks("/legal").json()["actors"] == []
    assert "Ilse cannot (occupied, because of Lurker)" in room.gm.looks("/log").text
    assert room.gm.looks("/legal").json()["headline"] == "You are asked: What comes of the attempt?"


def test_the_answer_is_alike_whoever_is_in_the_way(tmp_path: Path) -> None:
    """In the same words, fields and sizes: one name is short, the other long; one in the cell, one on the way."""
    answers = []
    for name in ("Lurker", "The Quiet One Behind the Third Pillar"):
        room = ROOM.format("3,1").replace("Lurker", name)
        folder = tmp_path / name
        folder.mkdir()
        with serve_duel(folder, room) as server:
            begin_ilses_turn(server)
            answers.append(CHANCE.sub("", server.ilse.sends(MOVE, id="a-move").text))
    assert answers[0] == answers[1]


def test_nothing_is_tried_for_free_meanwhile(room: Server) -> None:
    """Neither another cell, nor the same again after an undo; and what is asked again is told again."""
    first = send_attempt(room)
    other = room.ilse.sends(ELSEWHERE)
    assert other.status_code == 422
    assert other.json()["detail"] == "the game master must first answer: what comes of the attempt"
    assert room.ilse.sends({"type": "Undo"}).status_code == 403
    again = room.ilse.sends(MOVE, id="a-move").json()
    assert again == first | {"repeated": True}


def test_it_fails_at_its_cost(room: Server) -> None:
    """Then it cannot be taken back by its player either, and the next attempt costs the next action."""
    before = actions(room)
    send_attempt(room)
    room.gm.does("answer fails")
    assert actions(room) == before - 1
    assert room.ilse.sends({"type": "Undo"}).status_code == 403
    story = room.ilse.looks("/story").text
    assert "Ilse tries to move to 3,1" in story
    assert "Ilse cannot move to 3,1 (the attempt failed)" in story
    assert "lurker" not in room.ilse.looks("/log").text.casefold()


def test_the_player_chooses_again(room: Server) -> None:
    before = actions(room)
    send_attempt(room)
    room.gm.does("answer again")
    assert actions(room) == before
    assert room.ilse.sends(ELSEWHERE).status_code == 200


def test_the_game_master_reveals_who_is_in_the_way(room: Server) -> None:
    """In one step: then the move is no longer offered, and refused with its reason."""
    send_attempt(room)
    room.gm.does("rule reveal lurker")
    assert room.ilse.looks("/legal").json()["headline"].startswith("Your turn")
    assert "3,1" not in [way["to"] for way in room.ilse.looks("/ways/ilse").json()["ways"]]
    answer = room.ilse.sends(MOVE)
    assert answer.status_code == 422
    assert answer.json()["rule"] == "VES-031"


@pytest.mark.parametrize(
    ("kind", "params"), [("note", {"text": "Lurker waits"}), ("secret_roll", {"dice": "1d20", "purpose": "luck"})]
)
def test_what_is_stirred_in_late_does_not_tell_a_sealed_die_from_words(
    tmp_path: Path, kind: str, params: dict[str, str]
) -> None:
    """After any command before the fight began; the game master stirs until a die has fallen."""
    with serve_duel(tmp_path, ROOM.format("3,1"), "engine") as server:
        early = server.ilse.sends({"type": "Stir", "words": "early"})
        assert early.status_code == 200, early.text
        ruling = {"type": "Ruled", "kind": kind, "params": params, "reason": "for later"}
        assert server.gm.sends(ruling).status_code == 200
        refused = server.ilse.sends({"type": "Stir", "words": "late"})
        assert (refused.status_code, refused.json()["code"]) == (422, "dice_may_have_fallen")
        assert server.gm.sends({"type": "Stir", "words": "late"}).status_code == (200 if kind == "note" else 422)


def test_a_guessed_id_of_a_sealed_command_is_refused_as_taken(room: Server) -> None:
    """The refusal tells neither where the command stands nor what it is; every other id is free."""
    fall = {"type": "Ruled", "kind": "harm", "params": {"who": "lurker", "amount": 1}, "reason": "a fall"}
    assert room.gm.sends(fall, id="gm-1").status_code == 200
    assert "gm-1" not in room.ilse.looks("/log.jsonl").text
    guessed = room.ilse.sends(ELSEWHERE, id="gm-1")
    assert guessed.status_code == 409
    assert guessed.json()["detail"] == "the command id gm-1 already stands for another command"
    assert "position" not in guessed.json()
    assert room.ilse.sends(ELSEWHERE, id="gm-2").status_code == 200


REPLIES: list[dict[str, Any]] = [
    ELSEWHERE,
    {"type": "Answered", "question": "q", "by": "ilse", "choice": "yes"},
    {"type": "Passed", "window": "w", "who": "ilse"},
    {"type": "DiceEntered", "roll": "r", "faces": [1]},
]


@pytest.mark.parametrize("intent", REPLIES, ids=lambda one: one["type"])
def test_what_the_rules_say_of_a_command_that_looked_right_is_told_to_the_game_master_alone(
    room: Server, monkeypatch: pytest.MonkeyPatch, intent: dict[str, Any]
) -> None:
    """Their message may list all combatants, such as after the target has left meanwhile."""

    def refuse(*_: object) -> None:
        raise NoSuch("combatant", "x", room.app.state.server.fights.find_snapshot("duel").state.combatants, "")

    monkeypatch.setattr(commands, "check_visible", lambda *_: None)
    monkeypatch.setattr(Fight, "check_answer", lambda *_: None)
    monkeypatch.setattr(Fight, "submit", refuse)
    told = room.ilse.sends(intent)
    assert (told.status_code, told.json()["detail"]) == (400, "this cannot be done now")
    assert "lurker" in room.gm.sends(intent).json()["detail"]
