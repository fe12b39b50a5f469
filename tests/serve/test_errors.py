"""Every error that the OpenAPI document promises can be met, on every route, and says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from affray.engine.errors import StoreFailed
from affray.engine.opening import open_fight
from affray.engine.stores import FileStore
from affray.events import PoolChanged
from affray.tools.api.operations import ALLOWED_ROLES
from affray.tools.server.open_fights import IDLE_LOOKS
from affray.tools.server.rate_limits import Allowance
from affray.tools.server.server_state import ALLOWED
from tests.engine.test_diverged import chained_anew, cheaper
from tests.serve.server import Server, Somebody, serve_duel
from tests.serve.test_errors_kept import KEPT
from tests.serve.test_openapi import valid
from tests.tools.program import ENCOUNTER

END = {"type": "Declared", "actor": "ilse", "kind": "end_turn", "params": {}}
QUERIES = {"/api/fights/{fight}/apart": "?here=0,0&there=1,1"}
BODIES: dict[str, Any] = {
    "/api/fights": {"id": "new", "toml": ENCOUNTER},
    "/api/balance": {"toml": ENCOUNTER},
    "/api/check": {"toml": ENCOUNTER},
    "/api/code": {"link": "http://table/#fight=duel"},
    "/api/fights/{fight}/fork": {"id": "what-if"},
    "/api/fights/{fight}/forecasts": {"what": "odds"},
    "/api/fights/{fight}/grants": {"role": "spectator", "name": "Eve"},
    "/api/fights/{fight}/commands": {"id": "again", "intent": END},
    "/api/fights/{fight}/preview": {"id": "look", "intent": {"type": "Amend", "position": 1, "instead": [END]}},
}
"""For each route that takes one a body that can be understood."""

FEW = ("fork", "forecasts", "grants")
FILES = ("export.md", "export.html", "rolls.csv", "events.csv", "log.jsonl", "feed")
LIMITED = {
    *(("POST", path) for path in ("/api/balance", "/api/fights", *(f"/api/fights/{{fight}}/{one}" for one in FEW))),
    *(("GET", f"/api/fights/{{fight}}/{one}") for one in FILES),
}
"""The routes that say 429 for a reason of their own, beside the pace of a link, which is the same on every route."""

NOTHING = Allowance(at_once=1, queued=-1, a_second=1, burst=0)
"""The allowance of a link whose queue is full from the first request on."""

LIMITS = (
    "affray.tools.server.open_fights.MOST_FIGHTS",
    "affray.tools.server.grants.MOST_GRANTS",
    "affray.tools.server.hub.MOST_PLAYERS",
    "affray.tools.server.downloads.MOST_OF_ONE",
    "affray.tools.server.forecasts.MOST_OF_ONE",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the fights."""
    return tmp_path_factory.mktemp("fights")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """A server of a duel, of a fight that its rules cannot continue, and of one with a damaged log."""
    with serve_duel(folder) as running:
        for name in ("diverged", "damaged"):
            running.host.asks("POST", "/api/fights", {"id": name, "toml": ENCOUNTER, "dice": "entered"})
            there = Somebody(running.client, running.host.token, name)
            there.does("gm begin", "roll 15", "roll 3", "ilse attack bram")
        recorded = open_fight("diverged", FileStore(folder)).history.recorded
        at = max(nth for nth, one in enumerate(recorded) if isinstance(one.event, PoolChanged))
        recorded[at] = replace(recorded[at], event=cheaper(recorded[at].event))
        (folder / "diverged.jsonl").write_bytes(b"\n".join([*chained_anew(recorded), b""]))
        damaged = folder / "damaged.jsonl"
        damaged.write_bytes(damaged.read_bytes().replace(b"Bram", b"Bran"))
        for _ in range(2 * IDLE_LOOKS):
            running.app.state.server.fights.close_unused()
        yield running


@pytest.fixture(scope="module")
def document(server: Server) -> Any:
    """The document as it is served."""
    return server.client.get("/schema/openapi.json").json()


def provoke_error(
    server: Server, method: str, path: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> httpx.Response:
    """Send what must be answered so."""
    fight, who = "duel", server.host
    body: Any = BODIES.get(path)
    match status:
        case 400:
            fight, body = "x" * 201, body and {**body, "id": 7}
        case 401:
            who = Somebody(server.client, "a stranger's")
        case 403:
            who, fight = server.ilse, "diverged"
        case 404:
            fight = "nowhere"
            body = {"id": "new", "saved": "nowhere"} if path == "/api/fights" else body
        case 409:
            fight = "diverged"
            body = {**body, "id": "duel"} if path == "/api/fights" else body
        case 413:
            body = {**body, "padding": "x" * 300_000}
        case 422:
            pass  # it is nobody's turn yet, and the opening cannot be amended
        case 429 if (method, path) in LIMITED:
            for limit in LIMITS:
                monkeypatch.setattr(limit, 0)
            who = server.ilse if path.endswith("/feed") else who  # the host is let in even then
        case 429:
            monkeypatch.setitem(ALLOWED, "host", NOTHING)
        case 503:
            fight = "damaged"
            if "{fight}" not in path or path.endswith("/grants"):
                monkeypatch.setattr(FileStore, "fights", fail_to_list)
    query = "?after=-1" if status == 400 else QUERIES.get(path, "")
    where = (
        path.replace("{fight}", fight).replace("{position}", "1").replace("/balance/{id}", f"/balance/{fight}") + query
    )
    return who.asks(method, where, body)


@pytest.mark.parametrize(("method", "path"), sorted(ALLOWED_ROLES))
def test_every_route_refuses_a_link_that_asks_too_fast(
    server: Server, document: Any, method: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any other check, and with the time at which the link may ask again."""
    monkeypatch.setitem(ALLOWED, "host", NOTHING)
    answer = server.host.asks(method, path.replace("{position}", "1"), BODIES.get(path))
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1"), answer.text
    assert "429" in document["paths"][path][method.lower()]["responses"]
    valid(document, "Problem", answer.json())
    assert "of this link are queued already" in answer.json()["detail"]


def fail_to_list(_: FileStore) -> list[str]:
    raise StoreFailed("the disk is gone")


@pytest.mark.parametrize(("method", "path"), sorted({*ALLOWED_ROLES} - {*KEPT}))
def test_every_error_that_is_promised_can_be_met(
    server: Server, document: Any, method: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    promised = [int(status) for status in document["paths"][path][method.lower()]["responses"]]
    for status in (one for one in promised if one >= 400):
        with monkeypatch.context() as patched:
            answer = provoke_error(server, method, path, status, patched)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"].startswith("application/problem+json")
        valid(document, "Problem", answer.json())
        assert answer.json()["detail"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", "application/x-www-form-urlencoded", ""])
@pytest.mark.parametrize("path", sorted(BODIES))
def test_a_body_of_another_kind_is_a_promised_error(
    server: Server, document: Any, path: str, content_type: str
) -> None:
    headers = {"Authorization": f"Bearer {server.host.token}", "Content-Type": content_type}
    for content in (b"id=7", b'{"id":"\xff"}', b""):
        answer = server.client.post(path.replace("{fight}", "duel"), content=content, headers=headers)
        assert str(answer.status_code) in document["paths"][path]["post"]["responses"], answer.text
        valid(document, "Problem", answer.json())
