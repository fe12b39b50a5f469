"""A fight that was removed leaves nothing to the next one of its name: no links, streams, pictures or forecasts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore, Store
from affray.tools.api.schemas.feed import Halted, Ready
from affray.tools.api.schemas.forecasts import Wish
from affray.tools.parse.encounter_file import read_toml
from affray.tools.server import scene_store
from affray.tools.server.documents import use_documents
from affray.tools.server.grants import HOST
from affray.tools.server.messages import Batch
from affray.tools.server.server_state import ServerState
from tests.serve.meddling import KINDS, overwrite_lines, store_of
from tests.serve.server import Server, Somebody, serve_duel, served_again, token_in
from tests.tools.program import ENCOUNTER

NEXT = ENCOUNTER.replace('name = "', 'name = "Another ', 1)
"""Another fight: in tests all are opened at the same time, with the same salts."""

FIGHT = {"id": "duel", "toml": NEXT, "dice": "entered"}


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A store of each kind."""
    return store_of(request.param, tmp_path)


def links_of(server: Server) -> list[str]:
    """Return all tokens but the host's."""
    return [one.token for one in (server.gm, server.ilse, server.bram, server.spectator)]


def check_tokens(host: Somebody, tokens: list[str]) -> set[int]:
    """Return how tokens are answered at the duel, where a fight, its links and its pictures are looked at."""
    paths = ("/api/fights/duel", "/api/fights/duel/scene", "/api/fights")
    return {Somebody(host.client, token).asks("GET", path).status_code for token in tokens for path in paths}


def test_links_of_a_removed_fight_are_not_good_for_the_next_of_its_name(store: Store) -> None:
    """Neither at their own server nor at another one; the next fight does not list them."""
    with serve_duel(store) as server:
        old = links_of(server)
        assert check_tokens(server.host, old) == {200}
        overwrite_lines(store, "duel", [])
        assert Somebody(server.client, old[0]).looks().status_code == 404
        answer = server.host.asks("POST", "/api/fights", FIGHT)
        assert answer.status_code == 201
        assert check_tokens(server.host, old) == {401}
        assert server.gm.says("gm begin").status_code == 401
        new = Somebody(server.client, token_in(answer.json()["links"]["gm"]))
        assert [one["name"] for one in new.looks("/grants").json()["grants"]] == ["gm", "Ilse", "spectator"]
        assert new.says("gm begin").status_code == 200
    with served_again(store) as host:
        assert check_tokens(host, old) == {401}
        assert Somebody(host.client, new.token).looks().status_code == 200


def test_so_it_is_where_the_next_one_is_begun_without_the_server(tmp_path: Path) -> None:
    """Until the log is back for which they were given out."""
    store = FileStore(tmp_path)
    with serve_duel(store) as server:
        old = links_of(server)
    log, key = (store.path("duel").with_suffix(suffix) for suffix in (".jsonl", ".key"))
    lines = log.read_bytes()
    log.unlink()
    key.unlink(missing_ok=True)
    begin_fight("duel", read_toml(NEXT)[1], who="gm", seed=None, entered=("*",), store=store)
    with served_again(store) as host:
        assert check_tokens(host, old) == {401}
    log.write_bytes(lines)
    with served_again(store) as host:
        assert [Somebody(host.client, token).looks().status_code for token in old] == [200] * 4


def test_links_of_a_removed_fork_are_not_good_for_the_next_fork_of_its_name(store: Store) -> None:
    """Though both begin with the same lines of their parent."""
    fork = {"id": "duel-twin", "reason": "what if"}
    with serve_duel(store) as server:
        begun = [server.gm.asks("POST", "/api/fights/duel/fork", fork)]
        overwrite_lines(store, "duel-twin", [])
        begun.append(server.gm.asks("POST", "/api/fights/duel/fork", fork))
        assert [one.status_code for one in begun] == [201, 201]
        masters = [Somebody(server.client, token_in(one.json()["links"]["gm"]), "duel-twin") for one in begun]
        assert [one.looks().status_code for one in masters] == [401, 200]


def test_its_scene_and_its_forecasts_are_not_those_of_the_next_one(store: Store) -> None:
    with serve_duel(store) as server:
        here: ServerState = server.app.state.server

        async def set_and_foresee() -> None:
            owner = await here.document_owner("duel")
            await use_documents(here, lambda documents: scene_store.change_scene(documents, owner, with_face))
            here.forecasts.begin("duel", 1, "", Wish(what="odds"), [], "")

        with server.client.portal() as portal:
            portal.call(set_and_foresee)
        assert server.gm.looks("/scene").json()["portraits"] == {"ilse": "face"}
        overwrite_lines(store, "duel", [])
        assert server.host.asks("POST", "/api/fights", FIGHT).status_code == 201
        assert "portraits" not in server.host.looks("/scene").json()
        assert server.host.looks("/forecasts").json() == {"forecasts": []}


def with_face(kept: scene_store.StoredScene) -> scene_store.StoredScene:
    """Return a scene with a portrait of Ilse."""
    return scene_store.StoredScene(kept.fight, portraits={"ilse": "face"}, pictures=("face",))


def test_who_follows_it_reads_nothing_of_the_next_one(store: Store) -> None:
    """Followers with all lines or behind; the next fight's stream starts from its beginning."""
    with serve_duel(store) as server:
        here: ServerState = server.app.state.server

        async def follow() -> list[object]:
            follower = await here.hub.follow("duel", HOST, None, "")
            messages = follower.messages()
            read: list[object] = [type(await anext(messages)), type(await anext(messages))]
            overwrite_lines(store, "duel", [])
            await here.fights.begin("duel", read_toml(NEXT)[1], "gm", "entered")
            here.hub.schedule_update("duel")
            await asyncio.sleep(0)
            read += [type(one) async for one in messages]
            again = await here.hub.follow("duel", HOST, None, "")
            assert again.feed is not follower.feed
            return read

        with server.client.portal() as portal:
            assert portal.call(follow) == [Batch, Ready, Halted]
