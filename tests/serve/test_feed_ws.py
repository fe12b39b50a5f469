"""The feed over a WebSocket: who may come in, what they are sent, and the commands they send."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import WebSocketTestSession

from affray.tools.server import websocket
from affray.tools.server.subscription import Subscription
from tests.serve.server import Somebody, serve_duel, served_again

FEED = "/api/fights/duel/feed"


@contextmanager
def enter_feed(who: Somebody, **first: Any) -> Iterator[WebSocketTestSession]:
    """Open a socket and say who one is."""
    with who.client.websocket_connect(FEED) as socket:
        socket.send_json({"token": who.token, **first})
        yield socket


def until(socket: WebSocketTestSession, kind: str) -> list[Any]:
    """Return the messages up to the first of a kind."""
    messages = [socket.receive_json()]
    while messages[-1]["type"] != kind:
        messages.append(socket.receive_json())
    return messages


def send_command_ws(socket: WebSocketTestSession, words: str, id: str) -> None:
    """Send a command."""
    intent = {"type": "Said", "words": words, "reason": "so it is"}
    socket.send_json({"type": "command", "id": id, "intent": intent})


def test_who_comes_in_gets_a_snapshot_and_is_ready(tmp_path: Path) -> None:
    """Then every line, as over the other route."""
    with serve_duel(tmp_path) as server, enter_feed(server.spectator) as socket:
        snapshot, ready = until(socket, "ready")
        assert snapshot.keys() == {"type", "position", "hash", "state", "bands"}
        assert ready == {"type": "ready", "head": snapshot["position"]}
        server.gm.does("rule note hello")
        line = socket.receive_json()
        assert (line["type"], line["position"]) == ("line", ready["head"] + 1)
        assert line["event"]["type"] == "Ruled"


def test_who_asks_for_it_is_told_whose_turn_it_is_and_who_comes_and_goes(tmp_path: Path) -> None:
    """The headline once everything has come and whenever it is another one; a spectator's coming is not told."""
    with serve_duel(tmp_path) as server, enter_feed(server.ilse, present=True, headline=True) as socket:
        assert until(socket, "headline")[-1]["says"] == "The fight has not begun: waiting for the game master"
        server.gm.does("gm begin")
        assert until(socket, "headline")[-1]["says"].startswith("Your dice, Ilse: ")
        with enter_feed(server.spectator) as other:
            until(other, "ready")
            with enter_feed(server.gm) as gm:
                until(gm, "ready")
                assert [one["type"] for one in until(socket, "present")] == ["present"]
        with enter_feed(server.ilse, present=1) as wrong:
            assert wrong.receive_json()["problem"]["field"] == "present"


def test_commands_are_carried_out_and_come_back_as_lines(tmp_path: Path) -> None:
    """The sender gets the outcome beside the lines for all; sent twice, it is carried out once."""
    with serve_duel(tmp_path) as server, enter_feed(server.gm) as socket, enter_feed(server.spectator) as other:
        head = until(socket, "ready")[-1]["head"]
        until(other, "ready")
        send_command_ws(socket, "rule note hello", "hello")
        outcome = until(socket, "outcome")[-1]
        assert outcome["id"] == "hello"
        assert not outcome["outcome"]["repeated"]
        assert other.receive_json()["position"] == head + 1
        send_command_ws(socket, "rule note hello", "hello")
        assert until(socket, "outcome")[-1]["outcome"]["repeated"]
        send_command_ws(socket, "rule note again", "again")
        line = other.receive_json()
        while line.get("event", {}).get("type") != "Ruled":
            line = other.receive_json()
        assert line["event"]["params"] == {"text": "again"}


def test_who_says_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The close code is that of a refused first message."""
    monkeypatch.setattr(websocket, "FIRST_SECONDS", 0)
    with serve_duel(tmp_path) as server, server.spectator.client.websocket_connect(FEED) as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == websocket.REFUSED


def test_what_the_end_opens_comes_before_it(tmp_path: Path) -> None:
    """As separate messages; a client that joins after the end gets nothing again."""
    with serve_duel(tmp_path, dice="engine") as server, enter_feed(server.spectator) as socket:
        until(socket, "ready")
        server.gm.does("rule secret_roll 2d6 listening")
        assert server.gm.sends({"type": "Close", "unfinished": True, "reason": "late"}).status_code == 200
        messages = [one for one in until(socket, "opened") if one["type"] == "line"]
        assert [one.get("event") for one in messages] == [None, None]
        opened = [socket.receive_json()]
        closed = socket.receive_json()
        assert [one["type"] for one in (*opened, closed)] == ["opened", "line"]
        assert (opened[0]["hash"], opened[0]["event"]["type"]) == (messages[1]["hash"], "Rolled")
        assert closed["event"]["type"] == "Closed"
        with enter_feed(server.spectator, after=closed["position"]) as again:
            assert [one["type"] for one in until(again, "ready")] == ["ready"]


def test_a_refused_command_is_a_problem_and_the_stream_goes_on(tmp_path: Path) -> None:
    """Forbidden, unparseable, refused by the rules, or out of date."""
    with serve_duel(tmp_path) as server, enter_feed(server.ilse) as socket:
        head = until(socket, "ready")[-1]["head"]
        said = {"type": "Said", "words": "bram attack target=ilse", "reason": ""}
        pool = {"type": "Ruled", "kind": "note", "params": {"text": "no"}, "reason": "no"}
        passed = {"type": "Passed", "window": "none", "who": "ilse"}
        for command, status, field in (
            ({"type": "command", "id": "a", "intent": said}, 403, ""),
            ({"type": "command", "id": "b", "intent": pool}, 403, ""),
            ({"type": "command", "id": "c", "intent": passed}, 422, ""),
            ({"type": "command", "id": "d", "intent": passed, "expected": head - 1}, 409, ""),
            ({"type": "command", "id": "e", "intent": {"type": "Nothing"}}, 400, "intent.type"),
            ({"type": "command", "id": "f", "intent": passed, "more": 1}, 400, "more"),
            ({"type": "order", "id": "g"}, 400, "type"),
        ):
            socket.send_json(command)
            problem = socket.receive_json()
            assert (problem["type"], problem["id"]) == ("problem", command["id"])
            assert (problem["problem"]["status"], problem["problem"].get("field", "")) == (status, field)
        for text in ("no JSON", "[1]", '"text"', "{" * 5_000):
            socket.send_text(text)
            problem = socket.receive_json()
            assert (problem["type"], problem["id"], problem["problem"]["status"]) == ("problem", "", 400)
        server.gm.does("rule note hello")
        assert socket.receive_json()["position"] == head + 1


@pytest.mark.parametrize(
    ("first", "status"),
    [
        ({}, 401),
        ({"token": "nobody's"}, 401),
        ({"token": 7}, 401),
        ({"after": "1"}, 400),
        ({"after": True}, 400),
        ({"after": -1}, 400),
        ({"after": 1_000_000}, 400),
        (["token"], 400),
    ],
)
def test_who_may_not_come_in_is_told_why_and_sent_away(tmp_path: Path, first: Any, status: int) -> None:
    """And is sent nothing of the fight."""
    with serve_duel(tmp_path) as server, server.client.websocket_connect(FEED) as socket:
        known = {} if status == 401 or not isinstance(first, dict) else {"token": server.gm.token}
        socket.send_json({**known, **first} if isinstance(first, dict) else first)
        problem = socket.receive_json()
        assert (problem["type"], problem["problem"]["status"]) == ("problem", status)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == websocket.REFUSED


def test_two_viewers_with_different_rights_see_different_things(tmp_path: Path) -> None:
    """A fact hidden from one comes sealed, after a state without it; the other one reads it."""
    with serve_duel(tmp_path) as server, enter_feed(server.gm) as gm, enter_feed(server.ilse) as ilse:
        until(gm, "ready")
        until(ilse, "ready")
        server.gm.does("rule conceal bram")
        declared = gm.receive_json()
        snapshot, sealed = ilse.receive_json(), ilse.receive_json()
        assert declared["event"]["params"]["who"] == "bram"
        assert snapshot["type"] == "snapshot"
        assert "bram" not in str(snapshot).casefold()
        assert sealed["position"] == declared["position"]
        assert "event" not in sealed
        assert sealed["digest"]


def test_a_reader_that_is_too_slow_is_closed_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a separate close code; it reconnects with the last position that it was sent."""
    with serve_duel(tmp_path) as server:
        with enter_feed(server.spectator) as socket, monkeypatch.context() as slow:
            head = until(socket, "ready")[-1]["head"]
            slow.setattr(Subscription, "_is_lagging", lambda follower: follower.position < follower.feed.head)
            server.gm.does("rule note one")
            lagging = socket.receive_json()
            assert lagging["type"] == "lagging"
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
            assert closed.value.code == websocket.LAGGING
        with enter_feed(server.spectator, after=head) as socket:
            lines = until(socket, "ready")[:-1]
            assert [line["position"] for line in lines] == list(range(head + 1, lagging["head"] + 1))


def test_a_server_that_stops_closes_its_sockets_and_the_next_one_goes_on(tmp_path: Path) -> None:
    """The restart loses and repeats nothing."""
    with serve_duel(tmp_path) as server, enter_feed(server.gm, after=0) as socket:
        before = [message["position"] for message in until(socket, "ready") if message["type"] == "line"]
        server.client.blocking_portal.call(server.app.state.hub.stop)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == websocket.RESTARTING
    with served_again(tmp_path) as gm, enter_feed(gm, after=before[-1]) as socket:
        until(socket, "ready")
        gm.does("rule note hello")
        line = socket.receive_json()
        assert [*before, line["position"]] == list(range(1, before[-1] + 2))


def test_who_asks_for_it_is_told_that_the_table_has_settled(tmp_path: Path) -> None:
    """Behind the last line of a command and of the passes that the server sent for it, and with their head."""
    with serve_duel(tmp_path) as server, enter_feed(server.ilse, settled=True) as socket:
        begun = until(socket, "settled")[-1]["head"]
        server.gm.does("gm begin", "roll 15", "roll 3")
        heads = [begun]
        while heads[-1] < server.gm.looks().json()["head"]:
            *lines, settled = until(socket, "settled")
            assert settled["head"] == lines[-1]["position"] > heads[-1]
            assert "more" not in lines[-1]
            heads.append(settled["head"])
