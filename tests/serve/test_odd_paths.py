"""Any odd path is answered as missing: no answer blames the record, and the server's log stays short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from structlog.testing import capture_logs

from affray.engine.stores import FileStore, SqliteStore
from affray.tools.api.operations import ALLOWED_ROLES, OPEN_ROUTES
from affray.tools.cli.main import LONGEST_LOGGED, _readable
from tests.serve.server import Server, serve_duel

ODD = {
    "300 characters": "x" * 300,
    "40 KB": "x" * 40_000,
    "100 wide characters": "𝔸" * 100,
    "NUL": "a\0b.js",
    "NUL alone": "\0",
    "lines": "a\nb",
    "half a character": "\udc80",
    "escape": "\x1b[2J.js",
    "upwards": "../../pyproject.toml",
    "dots": "..",
    "absolute": "//etc/passwd.txt",
    "300 characters of a file": "lib/" + "x" * 300 + ".js",
    "a file as a folder": "index.html/x.js",
}

ROUTES = sorted(
    route for route in ALLOWED_ROLES.keys() | OPEN_ROUTES if "{" in route[1] and not route[1].endswith("/feed")
)


@pytest.fixture(scope="module", params=[FileStore, lambda folder: SqliteStore(folder / "club.db")], ids=["files", "db"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a duel."""
    with serve_duel(request.param(tmp_path_factory.mktemp("odd"))) as running:
        yield running


def iterate_odd_paths(route: str, odd: str) -> Iterator[str]:
    """Yield the route with the odd text in place of each of its parts, the others being as usual."""
    usual = {"fight": "duel", "who": "ilse", "whom": "bram", "kind": "attack", "position": "1", "system": "vestige"}
    names = re.findall(r"{(\w+)}", route)
    for name in names:
        filled = {other: usual.get(other, "one") for other in names} | {
            name: quote(odd, safe="", errors="surrogateescape")
        }
        yield route.format(**filled)


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_no_path_is_a_fault_of_the_record(server: Server, odd: str) -> None:
    """On any route, for any store; a logged path is cut."""
    with capture_logs() as logged:
        for method, route in ROUTES:
            for path in iterate_odd_paths(route, odd):
                answer = server.host.asks(method, path, {} if method in ("POST", "PUT") else None)
                assert answer.status_code in (400, 401, 403, 404, 405, 422, 200), (method, path[:80], answer.text[:300])
    assert not [one for one in logged if one["log_level"] in ("warning", "error")]


def test_a_static_file_is_one_of_the_page_and_no_other(server: Server) -> None:
    """No path leaves the page's folder, and unknown files are missing."""
    for name in ("app.js", "affray/client.js"):
        assert server.client.get(f"/static/{name}").status_code == 200
    for odd in set(ODD.values()) - {".."}:
        assert server.client.get("/static/" + quote(odd, errors="surrogateescape")).status_code == 404


def test_what_is_logged_has_an_end() -> None:
    """For any amount of logged input; the end of a traceback is kept."""
    line = _readable(None, "", {"level": "error", "event": "failed", "trace": "x" * 40_000 + "the end"})
    assert len(line) < LONGEST_LOGGED + 100
    assert line.endswith("the end)")
    assert (
        _readable(None, "", {"level": "warning", "event": "set_aside", "bytes": 12}) == "warning: set aside (bytes 12)"
    )
