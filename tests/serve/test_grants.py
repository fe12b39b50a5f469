"""Tokens: their holders are listed without secrets, and a revoked one is refused everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from affray.engine.stores import FileStore, SqliteStore, Store
from affray.engine.stores.postgres import PostgresStore
from affray.tools.api.schemas.feed import Ready
from affray.tools.server import grants, websocket
from affray.tools.server.grants import hash_token, open_registry
from affray.tools.server.server_state import ServerState
from affray.tools.server.subscription import Subscription
from affray.tools.server.token_store import FileTokenStore
from tests.engine import postgres
from tests.serve.server import Server, Somebody, client_of, create_token, serve_duel, serving
from tests.serve.test_feed_ws import enter_feed, send_command_ws, until
from tests.tools.program import ENCOUNTER

GRANTS = "/api/fights/duel/grants"


@pytest.fixture(params=["files", "sqlite", "postgres"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Store, Store]:
    """A store of fights, opened by two processes."""
    if request.param == "files":
        return FileStore(tmp_path), FileStore(tmp_path)
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "club.db"), SqliteStore(tmp_path / "club.db")
    url = postgres.fresh()
    return PostgresStore(url), PostgresStore(url)


def list_held_tokens(by: Somebody) -> dict[str, Any]:
    """Return who holds a token of the duel, by name."""
    answer = by.asks("GET", GRANTS)
    assert answer.status_code == 200, answer.text
    return {one["name"]: one for one in answer.json()["grants"]}


def test_who_holds_a_token_is_told_without_it(server: Server) -> None:
    people = list_held_tokens(server.gm)
    assert list(people) == ["gm", "Ilse", "spectator", "Bram's"]
    assert {name: one["role"] for name, one in people.items() if one.get("you")} == {"gm": "gm"}
    assert people["Bram's"]["owns"] == ["bram"]
    assert all(one["since"].endswith("Z") for one in people.values())
    assert not any(one.get("you") for one in list_held_tokens(server.host).values())
    text = server.host.asks("GET", GRANTS).text
    assert not any(known in text for one in (server.gm, server.ilse) for known in (one.token, hash_token(one.token)))


def test_a_token_that_was_taken_back_stands_for_nobody(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither here nor at another server of the same store; the others go on."""
    monkeypatch.setattr(grants, "MEMORY_SECONDS", 0)
    with serve_duel(stores[0]) as server, client_of(serving(stores[1])) as other:
        ilse_there, bram_there = (Somebody(other, one.token) for one in (server.ilse, server.bram))
        assert ilse_there.looks().status_code == 200
        answer = server.gm.asks("DELETE", GRANTS, params={"id": list_held_tokens(server.gm)["Ilse"]["id"]})
        assert [one["name"] for one in answer.json()["grants"]] == ["gm", "spectator", "Bram's"]
        assert [one.looks().status_code for one in (server.ilse, ilse_there)] == [401, 401]
        assert [one.looks().status_code for one in (server.bram, bram_there)] == [200, 200]
        again = Somebody(server.client, create_token(server.gm, "player", "Ilse", "ilse"))
        assert again.looks().status_code == 200


def test_all_but_ones_own_are_taken_back_at_once(stores: tuple[Store, Store]) -> None:
    """Those of another fight are left alone."""
    with serve_duel(stores[0]) as server:
        twin = {"id": "duel-twin", "reason": "what if"}
        fork = server.gm.asks("POST", "/api/fights/duel/fork", twin).json()
        answer = server.gm.asks("DELETE", GRANTS)
        assert [one["name"] for one in answer.json()["grants"]] == ["gm"]
        people = (server.host, server.gm, server.ilse, server.bram, server.spectator)
        assert [one.looks().status_code for one in people] == [200, 200, 401, 401, 401]
        token = fork["links"]["gm"].partition("&token=")[2]
        assert Somebody(server.client, token, "duel-twin").looks().status_code == 200
        assert server.host.asks("DELETE", GRANTS).json()["grants"] == []
        assert server.gm.looks().status_code == 401


def test_what_nobody_holds_cannot_be_taken_back(server: Server) -> None:
    assert server.gm.asks("DELETE", GRANTS, params={"id": "f" * 16}).status_code == 404
    assert server.host.asks("DELETE", "/api/fights/nowhere/grants").status_code == 404
    assert len(list_held_tokens(server.gm)) == 4


def test_the_links_of_a_fight_are_kept_in_one_write(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write waits for the disk, and all other requests would wait with it."""
    writes: list[int] = []
    write = FileTokenStore._write

    def count(kept: FileTokenStore, lines: Sequence[Any]) -> None:
        writes.append(len(lines))
        write(kept, lines)

    monkeypatch.setattr(FileTokenStore, "_write", count)
    forked = server.gm.asks("POST", "/api/fights/duel/fork", {"id": "duel-again", "reason": "had he run"})
    assert forked.status_code == 201, forked.text
    assert writes == [2 + len(forked.json()["links"]["players"])]


def test_what_is_taken_back_makes_room(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "MOST_GRANTS", 4)
    body = {"role": "spectator", "name": "Eve"}
    assert server.gm.asks("POST", GRANTS, body).status_code == 429
    server.gm.asks("DELETE", GRANTS, params={"id": list_held_tokens(server.gm)["Ilse"]["id"]})
    assert server.gm.asks("POST", GRANTS, body).status_code == 201


def test_what_is_followed_by_it_ends(stores: tuple[Store, Store]) -> None:
    """Also if revoked at another server, once it is looked up; no other client is cut off."""
    with serve_duel(stores[0]) as server:
        tokens = server.ilse.token, server.spectator.token
    asyncio.run(end_subscriptions(serving(stores[1]), serving(stores[0]), *tokens))


async def end_subscriptions(here: ServerState, there: ServerState, taken: str, kept: str) -> None:
    followers = [await follow_duel(here, token) for token in (taken, kept)]
    streams = [follower.messages() for follower in followers]
    for stream in streams:
        while not isinstance(await anext(stream), Ready):
            pass
    await there.revoke_tokens("duel", [hash_token(taken)])
    await here.end_revoked_streams("duel")
    assert [follower.ended for follower in followers] == [True, False]
    with pytest.raises(StopAsyncIteration):
        await anext(streams[0])


async def follow_duel(at: ServerState, token: str) -> Subscription:
    entrant = await at.authenticate(token)
    return await at.hub.follow("duel", entrant.viewer, None, entrant.key)


def test_a_host_link_outlasts_the_server_and_is_revoked_by_a_new_one(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its hash is stored. A new one revokes all earlier ones, also at other servers of the store."""
    monkeypatch.setattr(grants, "MEMORY_SECONDS", 0)
    with serve_duel(stores[0]):
        first = open_registry(stores[0]).grant_host(renew=False)
    asyncio.run(must_end_host_streams(serving(stores[1]), first))
    with client_of(serving(stores[1])) as client:
        second, other = (open_registry(stores[0]).grant_host(renew=renew) for renew in (True, False))
        looked = [Somebody(client, token).looks().status_code for token in (first, second, other)]
        assert looked == [401, 200, 200]
        assert Somebody(client, second).asks("POST", "/api/fights", {"id": "new", "toml": ENCOUNTER}).is_success
        assert client.get("/api/fights", headers={"Authorization": "Bearer "}).status_code == 401


async def must_end_host_streams(server: ServerState, token: str) -> None:
    await server.end_revoked_host_streams()
    follower = await follow_duel(server, token)
    await server.end_revoked_host_streams()
    assert not follower.ended
    server.grants.grant_host(renew=True)
    await server.end_revoked_host_streams()
    assert follower.ended


def test_no_token_of_the_host_is_in_the_store(tmp_path: Path) -> None:
    token = open_registry(FileStore(tmp_path)).grant_host(renew=False)
    stored = "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    assert hash_token(token) in stored
    assert token not in stored


def test_a_websocket_is_closed(tmp_path: Path) -> None:
    """As one with a refused first message."""
    with serve_duel(tmp_path) as server, enter_feed(server.ilse) as socket:
        until(socket, "ready")
        server.gm.asks("DELETE", GRANTS)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == websocket.REFUSED


def test_a_websocket_carries_out_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before the stream is ended, when the token was taken back at another server."""
    monkeypatch.setattr(grants, "MEMORY_SECONDS", 0)
    with serve_duel(tmp_path) as server, enter_feed(server.gm) as socket:
        head = until(socket, "ready")[-1]["head"]
        serving(FileStore(tmp_path)).grants.revoke("duel", [hash_token(server.gm.token)])
        send_command_ws(socket, "rule note hello", "hello")
        problem = until(socket, "problem")[-1]
        assert (problem["id"], problem["problem"]["status"]) == ("hello", 401)
        assert server.host.looks().json()["head"] == head


def test_an_earlier_program_s_grants_are_known(tmp_path: Path) -> None:
    """It kept no time."""
    with serve_duel(tmp_path) as server:
        here: ServerState = server.app.state.server
        here.grants._store.grant("duel", {hash_token("a token"): b'{"role":"spectator","name":"Eve","owns":[]}'})
        assert list_held_tokens(server.gm)["Eve"].keys() == {"id", "role", "name"}
        assert Somebody(server.client, "a token").looks().json()["you"]["name"] == "Eve"


def test_a_what_if_is_named_after_its_fight_unless_the_host_asks(server: Server) -> None:
    """Else a game master could find out which other fights there are, and take their names."""
    fork = "/api/fights/duel/fork"
    answer = server.gm.asks("POST", fork, {"id": "bridge"})
    assert (answer.status_code, answer.json()["field"], "duel-" in answer.json()["detail"]) == (400, "id", True)
    assert server.gm.asks("POST", fork, {"id": "duel-run"}).status_code == 201
    assert server.host.asks("POST", fork, {"id": "bridge"}).status_code == 201
