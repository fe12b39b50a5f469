"""Pages of other origins: refused by default; let in by name, with preflights, and without cookies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from affray.engine import FileStore
from affray.tools.server.app import build_application
from affray.tools.server.other_origins import OtherOrigins
from tests.serve.server import HOST, Server, serving
from tests.tools.program import affray

FRIEND, STRANGER = "https://table.example", "https://elsewhere.example"
ASKING = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """A server that lets in the pages of one other origin, and frames of it."""
    store = FileStore(tmp_path_factory.mktemp("fights"))
    others = OtherOrigins(requests=(FRIEND,), frames=(FRIEND,))
    with TestClient(build_application(replace(serving(store), others=others))) as client:
        yield client


def test_a_preflight_of_a_named_origin_is_answered(client: TestClient[Litestar]) -> None:
    answer = client.options("/api/fights/duel/commands", headers={"origin": FRIEND, **ASKING})
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == FRIEND
    assert {"authorization", "content-type", "last-event-id"} <= {
        one.strip().lower() for one in answer.headers["access-control-allow-headers"].split(",")
    }
    assert "PUT" in answer.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in answer.headers


def test_a_preflight_of_another_origin_is_not(client: TestClient[Litestar]) -> None:
    answer = client.options("/api/fights/duel/commands", headers={"origin": STRANGER, **ASKING})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/api/systems", "/api/fights", "/static/affray/client.js", "/api/nothing"])
@pytest.mark.parametrize("token", [HOST, "a stranger's"])
def test_answers_and_refusals_can_be_read_there(client: TestClient[Litestar], path: str, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    answer = client.get(path, headers={"origin": FRIEND, **headers})
    assert answer.headers["access-control-allow-origin"] == FRIEND
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "origin" in answer.headers["vary"].lower()
    other = client.get(path, headers={"origin": STRANGER, **headers})
    assert "access-control-allow-origin" not in other.headers


def test_its_pages_may_show_ours_in_a_frame(client: TestClient[Litestar]) -> None:
    assert client.get("/").headers["content-security-policy"].endswith(f"frame-ancestors {FRIEND}")
    assert client.get("/api/systems").headers["content-security-policy"].endswith("frame-ancestors 'none'")


def test_nobody_is_let_in_by_default(server: Server) -> None:
    asked = server.client.options("/api/fights/duel/commands", headers={"origin": FRIEND, **ASKING})
    for answer in (asked, server.client.get("/api/systems", headers={"origin": FRIEND}), server.client.get("/")):
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert server.client.get("/").headers["content-security-policy"].endswith("frame-ancestors 'none'")


@pytest.mark.parametrize("option", ["--allow-origin", "--allow-frame"])
@pytest.mark.parametrize(
    "url", ["*", "table.example", "https://table.example/path", "https://a b", "https://x;y", "https://u@table.example"]
)
def test_what_is_no_origin_is_refused(tmp_path: Path, option: str, url: str) -> None:
    answer = affray(tmp_path, "serve", option, url)
    assert answer.code == 2
    assert f"{option}: must be an origin such as https://table.example, without a path" in answer.err
