"""A player asks the game master before fallen dice are taken back, over HTTP."""

from __future__ import annotations

from typing import Any

from tests.serve.server import Server

UNDO = {"type": "Undo", "reason": "the wrong one"}


def strike_bram(begun: Server, face: int = 5) -> int:
    """Let Ilse attack Bram, and her die show a face; return the head."""
    begun.gm.does("stand bram never")
    begun.ilse.does("ilse attack bram", f"roll {face}")
    return read_head(begun)


def read_head(begun: Server) -> int:
    return int(begun.gm.looks().json()["head"])


def read_last_line(begun: Server) -> dict[str, Any]:
    line: dict[str, Any] = begun.gm.looks("/log").json()["lines"][-1]
    return line


def test_a_player_asks_and_the_game_master_allows(begun: Server) -> None:
    before = strike_bram(begun)
    answer = begun.ilse.sends(UNDO)
    assert (answer.status_code, [line["event"]["type"] for line in answer.json()["lines"]]) == (200, ["UndoRequested"])
    asked = read_last_line(begun)
    assert (asked["who"], asked["event"]["lane"], asked["position"]) == ("Ilse", before, before + 1)
    assert "the game master decides – “the wrong one”" in asked["says"]
    state = begun.gm.looks("/state").json()["state"]
    assert "awaited" not in state
    assert begun.gm.sends({"type": "AnswerUndo", "request": asked["position"]}).status_code == 200
    assert read_last_line(begun)["event"]["request"] == asked["position"]
    assert begun.gm.looks("/state").json()["state"]["awaited"]["by"] == "ilse"


def test_the_game_master_declines_and_nothing_is_taken_back(begun: Server) -> None:
    strike_bram(begun)
    begun.ilse.sends(UNDO)
    state = begun.gm.looks("/state").json()["digest"]
    assert begun.gm.sends({"type": "AnswerUndo", "allow": False}).status_code == 200
    assert (read_last_line(begun)["event"]["type"], begun.gm.looks("/state").json()["digest"]) == (
        "UndoDeclined",
        state,
    )


def test_a_player_may_ask_again_with_another_reason_and_nobody_else_for_them(begun: Server) -> None:
    strike_bram(begun)
    assert begun.ilse.sends(UNDO).status_code == 200
    again = begun.ilse.sends(UNDO)
    assert (again.status_code, again.json()["code"]) == (422, "no_change")
    assert begun.ilse.sends({**UNDO, "reason": "it was Ann"}).status_code == 200
    assert begun.bram.sends(UNDO).status_code == 403
    assert begun.gm.sends({"type": "AnswerUndo", "allow": False}).status_code == 200
    assert begun.ilse.sends(UNDO).status_code == 200


def test_no_player_and_no_spectator_answers(begun: Server) -> None:
    strike_bram(begun)
    begun.ilse.sends(UNDO)
    before = read_head(begun)
    for who in (begun.ilse, begun.bram, begun.spectator):
        assert who.sends({"type": "AnswerUndo"}).status_code == 403
    assert read_head(begun) == before


def test_a_request_that_was_overtaken_is_refused_with_its_reason(begun: Server) -> None:
    strike_bram(begun)
    begun.ilse.sends(UNDO)
    asked = read_last_line(begun)["position"]
    begun.ilse.does("stand ilse never")
    answer = begun.gm.sends({"type": "AnswerUndo", "request": asked})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_such_request")
    assert "the fight has moved on" in answer.json()["detail"]


def test_where_the_game_master_lets_players_undo_freely_the_audit_lists_a_reroll(begun: Server) -> None:
    """The player alone takes a miss back, says something harmless, and the same dice show something else."""
    begun.gm.says("rule undo free", reason="a quick game")
    strike_bram(begun, 2)
    assert [line["event"]["type"] for line in begun.ilse.sends(UNDO).json()["lines"]] == ["Rewound"]
    begun.ilse.does("stand ilse never", "roll 16")
    report = begun.gm.looks("/audit").json()["report"]
    ((undone,),) = (one["commands"] for one in report["takebacks"])
    assert undone["rolls"][0]["faces"] == [[2]]
    again = report["redeclared"][-1]
    assert (again["instead_of"], again["after"][0]["faces"]) == (undone["position"], [[16]])


def test_an_attack_with_other_dice_is_listed_behind_harmless_commands(begun: Server) -> None:
    """The game master takes the attack back; the player swaps, and attacks again with a better die."""
    begun.gm.does("stand bram never")
    begun.ilse.does("ilse attack bram", "roll 2")
    for _ in range(2):
        assert begun.gm.sends({"type": "Undo"}).status_code == 200
    begun.ilse.does("stand ilse never", "ilse swap unarmed pay=ep", "ilse swap sword pay=ep", "ilse attack bram")
    begun.ilse.does("roll 16")
    report = begun.gm.looks("/audit").json()["report"]
    (same,) = (one for one in report["redeclared"] if "again" in one)
    assert (report["taken_back"], same["before"][0]["faces"], same["after"][0]["faces"]) == (2, [[2]], [[16]])
