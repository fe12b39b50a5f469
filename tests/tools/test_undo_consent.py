"""A player's undo of fallen dice on the command line, in a conversation and through a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.events import Rewound, UndoDeclined, UndoRequested
from tests.tools.pipes import ask_duel as asked_of
from tests.tools.program import affray, rebuild_from_log


@pytest.fixture
def struck(log: Path) -> Path:
    """The duel behind a blow that showed a 2."""
    affray(log.parent, "do", "duel.jsonl", "ilse", "attack", "bram")
    affray(log.parent, "roll", "duel.jsonl", "2")
    return log


def load_last_event(log: Path) -> object:
    return rebuild_from_log(log).history.recorded[-1].event


def test_whoever_is_at_the_keyboard_is_the_game_master_and_takes_back_at_once(struck: Path) -> None:
    for who in ("gm", "Mara"):
        ran = affray(struck.parent, "undo", "duel.jsonl", "--who", who)
        assert (ran.code, ran.err, type(load_last_event(struck))) == (0, "", Rewound)
        affray(struck.parent, "redo", "duel.jsonl")


@pytest.mark.parametrize("who", ["ilse", "Ilse"])
def test_an_author_who_is_called_like_a_combatant_asks(struck: Path, who: str) -> None:
    ran = affray(struck.parent, "undo", "duel.jsonl", "--who", who, "--reason", "the wrong one")
    assert (ran.code, ran.err) == (0, "")
    assert "(undo asked for: one command, to position " in ran.out
    assert "; the game master decides – “the wrong one”" in ran.out
    assert isinstance(load_last_event(struck), UndoRequested)
    own = affray(struck.parent, "undo", "duel.jsonl", "--allow", AFFRAY_WHO=who)
    assert (own.code, own.err.count("the game master allows or declines an undo, not a player")) == (1, 1)
    allowed = affray(struck.parent, "undo", "duel.jsonl", "--allow")
    assert (allowed.code, allowed.err) == (0, "")
    assert "(one command taken back, to position " in allowed.out
    assert ", as the game master allows – “the wrong one”" in allowed.out
    told = affray(struck.parent, "audit", "duel.jsonl").out
    assert f"{who}: Undo asked for: one command" in told.replace("“Ilse”", "Ilse")  # a name that is a combatant's
    assert "gm took back 1 command, 1 die, at " in told
    assert ", as asked for at " in told


def test_it_is_declined_with_a_reason(struck: Path) -> None:
    affray(struck.parent, "undo", "duel.jsonl", "--who", "ilse")
    ran = affray(struck.parent, "undo", "duel.jsonl", "--decline", "--reason", "dice are dice")
    assert "The game master declines the undo asked for at position " in ran.out
    assert isinstance(load_last_event(struck), UndoDeclined)
    again = affray(struck.parent, "undo", "duel.jsonl", "--allow")
    assert (again.code, again.err.count("no request waits for an answer")) == (1, 1)
    both = affray(struck.parent, "undo", "duel.jsonl", "--allow", "--to", "3")
    assert (both.code, both.err) == (2, "affray: --allow and --decline answer the request as it stands\n")


def test_what_no_die_fell_in_a_player_takes_back_at_once(log: Path) -> None:
    affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--who", "ilse")
    affray(log.parent, "undo", "duel.jsonl", "--who", "ilse")
    assert isinstance(load_last_event(log), Rewound)


def test_the_ruling_makes_it_free(struck: Path) -> None:
    ran = affray(struck.parent, "rule", "duel.jsonl", "undo", "free", "--reason", "a quick game")
    assert "Players take back fallen dice without asking" in ran.out
    affray(struck.parent, "undo", "duel.jsonl", "--commands", "2", "--who", "ilse")
    assert isinstance(load_last_event(struck), Rewound)


def test_a_conversation_asks_and_answers_too(struck: Path) -> None:
    asked = affray(struck.parent, "play", "duel.jsonl", "--who", "ilse", said="undo because the wrong one\n")
    assert "(undo asked for: one command" in asked.out
    declined = affray(struck.parent, "play", "duel.jsonl", said="undo decline because no\nundo allow\n")
    assert "The game master declines the undo asked for at position " in declined.out
    assert "no request waits for an answer" in declined.out
    asked = affray(struck.parent, "play", "duel.jsonl", "--who", "ilse", said="undo\n")
    allowed = affray(struck.parent, "play", "duel.jsonl", said="undo allow\n")
    assert ", as the game master allows" in allowed.out
    assert isinstance(load_last_event(struck), Rewound)


def test_a_pipe_asks_for_whom_it_speaks(struck: Path) -> None:
    undo = {"do": "command", "fight": "duel", "intent": {"type": "Undo"}}
    asked, refused, allowed = asked_of(
        struck.parent,
        {"id": "1", **undo, "who": "ilse"},
        {"id": "2", **undo, "who": "ilse", "intent": {"type": "AnswerUndo"}},
        {"id": "3", **undo, "intent": {"type": "AnswerUndo", "allow": True}},
    )
    assert asked["lines"][0]["event"]["type"] == "UndoRequested"
    assert refused["problem"]["code"] == "for_the_game_master"
    assert allowed["lines"][0]["event"]["request"] == asked["head"]
