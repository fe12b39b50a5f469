"""Commands over HTTP: carried out once, refused in words, in the order of the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.opening import open_fight
from affray.engine.stores import FileStore
from tests.serve.server import Server, Somebody, serve_duel, served_again


def test_a_command_answers_with_its_lines_and_what_is_awaited(server: Server) -> None:
    answer = server.gm.says("gm begin")
    assert answer.status_code == 200
    told = answer.json()
    assert told["waiting"]["for"] == "dice"
    assert told["lines"][0]["event"]["type"] == "Declared"
    assert told["lines"][-1]["position"] == told["head"]
    assert told["lines"][-1]["hash"] == told["hash"]


def test_a_command_that_comes_twice_is_carried_out_once(server: Server) -> None:
    first = server.gm.says("gm begin", id="once").json()
    again = server.gm.says("gm begin", id="once").json()
    assert again["repeated"]
    assert (again["head"], again["lines"]) == (first["head"], first["lines"])


def test_an_id_that_stands_for_another_command_is_a_conflict(server: Server) -> None:
    server.gm.says("gm begin", id="once")
    answer = server.gm.sends({"type": "Undo"}, id="once")
    assert (answer.status_code, answer.json()["code"]) == (409, "reused")


def test_who_expected_another_head_learns_the_present_one(server: Server) -> None:
    head = server.gm.says("gm begin").json()
    for words in ("roll 15", "ilse attack nobody"):
        answer = server.gm.says(words, expected=1)
        assert answer.status_code == 409
        assert (answer.json()["head"], answer.json()["hash"]) == (head["head"], head["hash"])


def test_a_refusal_names_its_clause(begun: Server) -> None:
    answer = begun.gm.says("bram attack ilse")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["rule"].startswith("VES-")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"id": "a"}, "intent"),
        ({"id": "a", "intent": {"type": "Attack"}}, "intent"),
        ({"id": "a", "intent": {"type": "Said", "words": "ilse attack bram swiftly=1"}}, "swiftly"),
        ({"id": "a", "intent": {"type": "Said", "words": "ilse attack nobody"}}, "who"),
        ({"id": "", "intent": {"type": "Said", "words": "ilse attack bram"}}, "id"),
        ({"id": "a" * 201, "intent": {"type": "Said", "words": "ilse attack bram"}}, "id"),
        ({"id": "a", "intent": {"type": "Undo", "commands": "two"}}, ""),
        ({"id": "a", "intent": {"type": "Undo", "how_many": 2}}, "intent.how_many"),
        ({"id": "a", "intent": {"type": "Undo"}, "expect": 3}, ""),
        ([], ""),
    ],
)
def test_commands_name_what_cannot_be_parsed(begun: Server, body: object, field: str) -> None:
    before = begun.gm.looks().json()["head"]
    answer = begun.gm.asks("POST", "/api/fights/duel/commands", body)
    assert answer.status_code == 400
    assert field in answer.json().get("field", "")
    assert begun.gm.looks().json()["head"] == before


@pytest.mark.parametrize(
    ("role", "words"), [("gm", "rule harn bram 3"), ("gm", "rule harm bram lots"), ("ilse", "ilse attack nobody")]
)
def test_words_that_are_refused_end_with_a_line_that_works_when_it_is_sent(
    begun: Server, role: str, words: str
) -> None:
    """The detail of the refusal has it behind ``say:``."""
    somebody: Somebody = getattr(begun, role)
    answer = somebody.says(words)
    assert answer.status_code == 400
    _, said, line = answer.json()["detail"].rpartition("say: ")
    assert said, answer.json()["detail"]
    assert somebody.says(line).status_code == 200


def test_parameters_are_written_into_the_log_on_one_line(begun: Server, tmp_path: Path) -> None:
    params = b'{\n"target":\n"bram",\n"weapon": "ilse.sword"}'
    body = b'{"id": "a", "intent": {"type": "Declared", "actor": "ilse", "kind": "attack",\n "params": %b}}' % params
    headers = {"Authorization": f"Bearer {begun.gm.token}", "Content-Type": "application/json"}
    answer = begun.client.post("/api/fights/duel/commands", content=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert open_fight("duel", FileStore(tmp_path)).head == answer.json()["head"]


def test_taking_back_and_bringing_again(begun: Server) -> None:
    stood = begun.gm.looks("/state").json()
    begun.gm.does("ilse attack bram")
    assert begun.gm.sends({"type": "Undo", "reason": "wrong"}).status_code == 200
    assert begun.gm.looks("/state").json()["digest"] == stood["digest"]
    assert begun.gm.sends({"type": "Redo"}).status_code == 200
    assert begun.gm.looks("/state").json()["digest"] != stood["digest"]


def test_an_amendment_is_seen_before_it_is_recorded(begun: Server) -> None:
    begun.gm.does("rule pool bram health by=-3")
    position = begun.gm.looks().json()["head"]
    wrong = {"type": "Amend", "position": position, "instead": [], "reason": "she never hit"}
    better = {
        "type": "Ruled",
        "kind": "pool",
        "params": {"who": "bram", "pool": "health", "by": -1},
        "reason": "a scratch",
    }
    amend = {**wrong, "instead": [better]}
    seen = begun.gm.asks("POST", "/api/fights/duel/preview", {"id": "look", "intent": amend})
    assert seen.status_code == 200, seen.text
    assert seen.json()["preview"]
    assert begun.gm.looks().json()["head"] == position
    assert begun.gm.sends(amend).status_code == 200
    assert begun.gm.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 7


def test_words_are_stirred_into_the_dice_and_the_record_is_closed(tmp_path: Path) -> None:
    with serve_duel(tmp_path, dice="engine") as server:
        assert server.ilse.sends({"type": "Stir", "words": "rain on slate"}).status_code == 200
        assert server.ilse.sends({"type": "Close", "unfinished": True}).status_code == 403
        closed = server.gm.sends({"type": "Close", "unfinished": True})
        assert len(closed.json()["lines"][-1]["event"]["seed"]) == 64
        assert server.gm.says("gm begin").json()["code"] == "closed"
        assert server.gm.looks().json()["closed"]


def test_a_fork_is_a_fight_of_its_own(begun: Server) -> None:
    head = begun.gm.looks().json()["head"]
    answer = begun.gm.asks("POST", "/api/fights/duel/fork", {"id": "duel-what-if", "reason": "had she run"})
    assert answer.status_code == 201, answer.text
    fork = Somebody(begun.client, begun.host.token, "duel-what-if")
    fork.does("ilse attack bram")
    assert begun.gm.looks().json()["head"] == head
    assert begun.gm.asks("POST", "/api/fights/duel/fork", {"id": "duel-what-if"}).status_code == 409


def test_what_another_process_wrote_is_there_at_once(begun: Server, tmp_path: Path) -> None:
    with served_again(tmp_path) as other:
        other.does("ilse attack bram")
        head = other.looks().json()["head"]
    assert begun.gm.looks().json()["head"] == head
    assert begun.gm.sends({"type": "Undo"}, expected=head).status_code == 200


@pytest.mark.parametrize("word", ["bram", "zurk"])
def test_words_of_ones_own_confirm_no_guess(begun: Server, word: str) -> None:
    """Unparseable words are refused alike, with or without a hidden name."""
    begun.gm.does("rule conceal bram")
    bodies = [
        {"id": "a", "intent": {"type": "Undo"}, word: 1},
        {"id": "a", "intent": {"type": "Undo", word: 1}},
        {"id": "a", "intent": {"type": word}},
        {"id": "a", "intent": {"type": "AskingSet", "who": "ilse", "ask": word}},
    ]
    for body in bodies:
        answer = begun.ilse.asks("POST", "/api/fights/duel/commands", body)
        assert answer.status_code == 400
        assert answer.json()["detail"] != "this cannot be done now"


def test_the_reason_of_what_is_taken_back_is_everybodys(begun: Server) -> None:
    """The sender is told so beforehand; names in it cause no refusal."""
    begun.gm.does("rule conceal ilse")
    for said in ("ilse is behind the door", "is bram there?"):
        begun.ilse.does("stand ilse never")
        assert begun.ilse.sends({"type": "Undo", "reason": said}).status_code == 200
        assert said in begun.bram.looks("/log").text


def test_the_game_master_lets_the_engine_play_a_side(server: Server) -> None:
    """By its policy's name; the same id is the same decision; players cannot, as a policy sees everything."""
    server.gm.does("gm begin", "roll 15", "roll 3")
    auto = {"type": "Auto", "side": "red"}
    refused = server.ilse.sends(auto)
    assert (refused.status_code, refused.json()["detail"]) == (403, "only the game master lets the engine play a side")
    done = server.gm.sends(auto, id="once")
    assert done.json()["lines"][0]["event"]["actor"] == "ilse"
    again = server.gm.sends(auto, id="once")
    assert (again.json()["repeated"], again.json()["head"]) == (True, done.json()["head"])


@pytest.mark.parametrize(
    ("auto", "field", "said"),
    [
        ({"side": "greens"}, "intent.side", "there are red, blue"),
        ({"side": "red", "policy": "clever"}, "intent.policy", "there are anything, searching, sensible"),
        ({"side": "blue"}, "intent.side", "sensible finds nothing to do for the blue now"),
        ({}, "intent", "side is missing"),
    ],
)
def test_what_no_engine_can_play_is_said(server: Server, auto: dict[str, str], field: str, said: str) -> None:
    server.gm.does("gm begin", "roll 15", "roll 3")
    head = server.gm.looks().json()["head"]
    answer = server.gm.sends({"type": "Auto", **auto})
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert said in answer.json()["detail"]
    assert server.gm.looks().json()["head"] == head


@pytest.mark.parametrize("words", ["rule join na-me=Wolf", "rule nothing", 'rule "'])
def test_the_words_of_a_players_ruling_are_not_parsed(server: Server, words: str) -> None:
    """The refusal says that a player may not send it, for any words; the game master gets the fault."""
    answer = server.ilse.says(words)
    assert (answer.status_code, answer.json()["detail"]) == (403, "this is for the game master")
    assert server.gm.says(words).status_code == 400
