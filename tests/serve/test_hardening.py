"""Bodies and names are bounded, tokens are kept as hashes, and answers keep browsers from doing too much."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from affray.engine.hiding import Viewer
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.tools.serve.grants import grants_of
from tests.serve.server import Server, served, served_again


def test_a_body_has_an_end(server: Server) -> None:
    body = {"id": "a", "intent": {"type": "Stir", "words": "x" * 300_000}}
    answer = server.gm.asks("POST", "/api/fights/duel/commands", body)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"id":"a","intent":{"type":"Declared","actor":"ilse","kind":"attack","params":%b}}'
        % (b"[" * 9_999 + b"]" * 9_999),
        b'{"id":"a","intent":{"type":"Said","words":"\\ud800"}}',
        b'{"id":"a","intent":{"type":"Undo","commands":1e999}}',
        b'{"id":"a\\n","intent":{"type":"Undo"}}',
    ],
    ids=["empty", "null", "no text", "nested", "nested in parameters", "half a character", "no number", "two lines"],
)
def test_a_hostile_body_is_refused_in_words(server: Server, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {server.gm.token}", "Content-Type": "application/json"}
    answer = server.client.post("/api/fights/duel/commands", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "unusable")
    assert answer.json()["detail"]


def test_a_name_fits_on_a_line(server: Server) -> None:
    answer = server.gm.asks("POST", "/api/fights/duel/grants", {"role": "player", "name": "Ilse\nBram"})
    assert (answer.status_code, answer.json()["field"]) == (400, "name")


@pytest.mark.parametrize("name", ["../duel", "a/b", "", ".hidden", "x" * 101, "duel\n", "ünder"])
def test_a_fight_cannot_be_called_just_anything(server: Server, name: str) -> None:
    answer = server.host.asks("POST", "/api/fights", {"id": name, "toml": 'system = "vestige"'})
    assert answer.status_code == 400
    assert "id" in answer.json()["field"]


def test_a_name_that_is_taken_is_a_conflict(server: Server) -> None:
    answer = server.host.asks("POST", "/api/fights", {"id": "duel", "toml": 'system = "vestige"\nname = "x"'})
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")


@pytest.mark.parametrize(
    ("toml", "said"),
    [("system = ", "not TOML"), ('system = "chess"', "chess"), ("a = " + "[" * 5_000, "not TOML"), ("", "system")],
)
def test_an_encounter_that_cannot_be_used_is_refused_in_words(server: Server, toml: str, said: str) -> None:
    answer = server.host.asks("POST", "/api/fights", {"id": "other", "toml": toml})
    assert answer.status_code == 400
    assert said in answer.text


def test_tokens_are_kept_as_hashes_for_their_owner_alone(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        file = tmp_path / "grants.json"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert server.gm.token not in file.read_text("utf-8")
        assert server.ilse.token not in file.read_text("utf-8")


def test_a_database_keeps_hashes_too(tmp_path: Path) -> None:
    token = grants_of(SqliteStore(tmp_path / "club.db")).grant("duel", Viewer(role="gm", name="gm"))
    with closing(sqlite3.connect(tmp_path / "club.db")) as database:
        kept = database.execute("SELECT token FROM grants").fetchall()
    assert kept == [(sha256(token.encode()).hexdigest(),)]
    assert stat.S_IMODE((tmp_path / "club.db").stat().st_mode) == 0o600


def test_tokens_outlive_the_server(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        token = server.ilse.token
    with served_again(tmp_path) as host:
        answer = host.client.get("/api/fights/duel", headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["you"] == {"role": "player", "name": "Ilse", "owns": ["ilse"]}


@pytest.mark.parametrize("kind", [FileStore, lambda folder: SqliteStore(folder / "club.db")], ids=["files", "sqlite"])
def test_a_token_granted_by_another_process_is_known(kind: Callable[[Path], Store], tmp_path: Path) -> None:
    store = kind(tmp_path)
    here, there = grants_of(store), grants_of(store)
    assert here.viewer("nobody's") is None
    viewer = Viewer(role="player", name="Ilse", owns=("ilse",))
    assert here.viewer(there.grant("duel", viewer)) == ("duel", viewer)


def test_half_a_line_of_grants_grants_nothing(tmp_path: Path) -> None:
    grants = grants_of(FileStore(tmp_path))
    token = grants.grant("duel", Viewer(role="spectator"))
    with (tmp_path / "grants.json").open("a") as file:
        file.write('{"token":"')
    assert grants_of(FileStore(tmp_path)).viewer(token) == ("duel", Viewer(role="spectator"))


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/fights", "/nowhere", "/schema/openapi.json"])
def test_every_answer_says_what_is_safe(server: Server, path: str) -> None:
    headers = server.client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_the_page_is_served_from_the_package(server: Server) -> None:
    page = server.client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    script = server.client.get("/static/affray/index.js")
    assert script.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "path",
    ["../serve/app.py", "..%2fserve%2fapp.py", "%2e%2e/__init__.py", "/etc/passwd", ".", "nothing.js", "__init__.py"],
)
def test_no_path_leads_out_of_the_page(server: Server, path: str) -> None:
    assert server.client.get(f"/static/{path}").status_code in (401, 404)


def test_a_mistake_of_ours_tells_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.tools.serve.routes.looking.moment_of", lambda *_: 1 / 0)
    answer = server.gm.looks("/state")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "division" not in answer.text


def test_a_damaged_log_is_told_without_its_place(server: Server, tmp_path: Path) -> None:
    log = tmp_path / "duel.jsonl"
    log.write_bytes(log.read_bytes().replace(b"Bram", b"Bran"))
    with served_again(tmp_path) as host:
        answer = host.looks("/state")
    assert (answer.status_code, answer.json()["title"]) == (503, "The log is damaged")
    assert str(tmp_path) not in answer.text
