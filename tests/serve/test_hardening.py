"""Bodies and names are bounded, tokens are kept as hashes, and answers keep browsers from doing too much."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from base64 import b64encode
from collections.abc import AsyncGenerator, Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest

from affray.engine.errors import StoreFailed
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.engine.stores.postgres.listening import HeadMoved
from affray.engine.visibility import Viewer
from affray.tools.server.grants import open_registry
from tests.serve.server import Server, serve_duel, served_again
from tests.tools.hostile import RAW
from tests.tools.program import ENCOUNTER


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
        b'{"id":"a","intent":{"type":"Undo"',
        b'{"id":3,"intent":{"type":"Undo"}}',
        b'{"id":"a","intent":{"type":"Undo","commands":"x"}}',
        b'{"id":"a","intent":{"type":"Amend","instead":{}}}',
        b'{"id":"a","intent":{"type":"Declared","actor":"ilse","kind":"attack"}}',
        b'{"id":"a","intent":{"type":"Declared","actor":"ilse","kind":"attack","params":{}}}',
        b'{"id":"a","intent":{"type":"Said","words":"ilse attack"}}',
    ],
    ids=[
        "empty", "null", "no text", "nested", "nested in parameters", "half a character", "no number", "two lines",
        "cut", "number for id", "text for number", "nothing right", "no params", "no target", "no target said",
    ],
)  # fmt: skip
def test_a_hostile_body_is_refused_in_words(server: Server, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {server.gm.token}", "Content-Type": "application/json"}
    answer = server.client.post("/api/fights/duel/commands", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "unusable")
    assert answer.json()["detail"]
    assert not RAW.search(answer.json()["detail"]), answer.json()["detail"]


def test_a_name_fits_on_a_line(server: Server) -> None:
    answer = server.gm.asks("POST", "/api/fights/duel/grants", {"role": "player", "name": "Ilse\nBram"})
    assert (answer.status_code, answer.json()["field"]) == (400, "name")


@pytest.mark.parametrize(
    ("body", "field", "said"),
    [
        (None, "body", "must be given as JSON"),
        ([], "body", "object"),
        ({"role": "boss", "name": "Eve"}, "role", "cannot be boss; there are gm, player, spectator"),
        ({"role": "gm"}, "name", "is missing"),
        ({"rule": "gm"}, "rule", "there are role, name, owns"),
    ],
)
def test_a_body_that_cannot_be_understood_is_refused_by_its_field(
    server: Server, body: object, field: str, said: str
) -> None:
    problem = server.gm.asks("POST", "/api/fights/duel/grants", body).json()
    assert (problem["status"], problem["field"]) == (400, field)
    assert said in problem["detail"]


def test_a_mistake_in_an_encounter_is_told_as_at_the_terminal(server: Server) -> None:
    def told(**body: Any) -> Any:
        return server.host.asks("POST", "/api/fights", {"id": "new", **body}).json()

    problem = told(toml=ENCOUNTER.replace("weapons", "weapns", 1))
    assert problem["detail"] == "unknown field weapns; did you mean weapons?"
    line = ENCOUNTER[: ENCOUNTER.index("weapons")].count("\n") + 1
    assert (problem["field"], problem["line"]) == ("combatant[0]", line)
    assert told(encounter={"system": "vestige"})["field"] == "combatant"
    assert told(toml='system = "')["line"] == 1
    assert "letters, digits" in told(id="../x", toml=ENCOUNTER)["detail"]


@pytest.mark.parametrize(
    ("intent", "field", "said"),
    [
        ({"kind": "attack", "params": {"targt": "bram"}}, "intent.params", "it has target, weapon, ep"),
        (
            {"kind": "attack", "params": {"target": 3}},
            "intent.params.target",
            "attack: must be a text, not a whole number",
        ),
        ({"kind": "attack", "params": {"target": "bram"}, "manner": "nicely"}, "intent.manner", "nicely"),
    ],
)
def test_a_parameter_that_cannot_be_understood_is_refused_by_its_field(
    begun: Server, intent: dict[str, Any], field: str, said: str
) -> None:
    for who in (begun.gm, begun.ilse):
        problem = who.sends({"type": "Declared", "actor": "ilse", **intent}).json()
        assert (problem["status"], problem["field"]) == (400, field)
        assert said in problem["detail"]
    assert begun.gm.looks("/state", at=9999).json()["field"] == "at"
    assert "did you mean attack?" in begun.gm.says("ilse atack bram").json()["detail"]


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
    with serve_duel(tmp_path) as server:
        file = tmp_path / "grants.json"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert server.gm.token not in file.read_text("utf-8")
        assert server.ilse.token not in file.read_text("utf-8")


def test_a_database_keeps_hashes_too(tmp_path: Path) -> None:
    token = open_registry(SqliteStore(tmp_path / "club.db")).grant("duel", Viewer(role="gm", name="gm"))[0]
    with closing(sqlite3.connect(tmp_path / "club.db")) as database:
        kept = database.execute("SELECT token FROM grants").fetchall()
    assert kept == [(sha256(token.encode()).hexdigest(),)]
    assert stat.S_IMODE((tmp_path / "club.db").stat().st_mode) == 0o600


def test_tokens_outlive_the_server(tmp_path: Path) -> None:
    with serve_duel(tmp_path) as server:
        token = server.ilse.token
    with served_again(tmp_path) as host:
        answer = host.client.get("/api/fights/duel", headers={"Authorization": f"Bearer {token}"})
        assert answer.json()["you"] == {"role": "player", "name": "Ilse", "owns": ["ilse"]}


@pytest.mark.parametrize("kind", [FileStore, lambda folder: SqliteStore(folder / "club.db")], ids=["files", "sqlite"])
def test_a_token_granted_by_another_process_is_known(kind: Callable[[Path], Store], tmp_path: Path) -> None:
    store = kind(tmp_path)
    here, there = open_registry(store), open_registry(store)
    assert here.find_viewer("nobody's") is None
    viewer = Viewer(role="player", name="Ilse", owns=("ilse",))
    assert here.find_viewer(there.grant("duel", viewer)[0]) == ("duel", viewer)


def test_half_a_line_of_grants_grants_nothing(tmp_path: Path) -> None:
    grants = open_registry(FileStore(tmp_path))
    token = grants.grant("duel", Viewer(role="spectator"))[0]
    with (tmp_path / "grants.json").open("a") as file:
        file.write('{"token":"')
    assert open_registry(FileStore(tmp_path)).find_viewer(token) == ("duel", Viewer(role="spectator"))


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/fights", "/nowhere", "/schema/openapi.json"])
def test_every_answer_says_what_is_safe(server: Server, path: str) -> None:
    headers = server.client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_of_what_is_written_in_the_page_its_import_map_alone_is_allowed(server: Server) -> None:
    page = server.client.get("/")
    (inside,) = re.findall(r"<script type=\"importmap\">(.*?)</script>", page.text, re.DOTALL)
    digest = b64encode(sha256(inside.encode()).digest()).decode()
    policy = page.headers["content-security-policy"]
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "script-src 'self';" in server.client.get("/api/health").headers["content-security-policy"]


def test_the_page_is_served_from_the_package(server: Server) -> None:
    page = server.client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    script = server.client.get("/static/affray/index.js")
    assert script.headers["content-type"].startswith("text/javascript")


def test_the_book_of_a_system_is_served_to_everybody_and_runs_its_own_script_alone(server: Server) -> None:
    book = server.client.get("/rules/vestige")
    assert book.headers["content-type"].startswith("text/html")
    policy = book.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", book.text, re.DOTALL)
        digest = b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "duel" not in book.text.lower()
    for unknown in ("nothing", "..%2fwyrd", "Vestige", "%00"):
        assert server.client.get(f"/rules/{unknown}").status_code in (401, 404)


@pytest.mark.parametrize(
    "path",
    ["../serve/app.py", "..%2fserve%2fapp.py", "%2e%2e/__init__.py", "/etc/passwd", ".", "nothing.js", "__init__.py"],
)
def test_no_path_leads_out_of_the_page(server: Server, path: str) -> None:
    assert server.client.get(f"/static/{path}").status_code in (401, 404)


def test_a_mistake_of_ours_tells_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.tools.api.viewer_queries.moment_of", lambda *_: 1 / 0)
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


def test_a_grant_behind_half_a_line_is_kept(tmp_path: Path) -> None:
    open_registry(FileStore(tmp_path)).grant("duel", Viewer(role="gm", name="gm"))
    with (tmp_path / "grants.json").open("a") as file:
        file.write('{"token":"')
    token = open_registry(FileStore(tmp_path)).grant("duel", Viewer(role="spectator"))[0]
    assert open_registry(FileStore(tmp_path)).find_viewer(token) == ("duel", Viewer(role="spectator"))


def test_a_grant_that_does_not_fit_on_the_disk_is_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grants = open_registry(FileStore(tmp_path))
    first = grants.grant("duel", Viewer(role="gm", name="gm"))[0]
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda file, line: write(file, line[:10]))
        with pytest.raises(StoreFailed, match="grants"):
            grants.grant("duel", Viewer(role="spectator"))
    second = grants.grant("duel", Viewer(role="spectator"))[0]
    known = open_registry(FileStore(tmp_path))
    assert [known.find_viewer(token) is not None for token in (first, second)] == [True, True]


def test_news_that_cannot_be_understood_end_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any error of listening to other processes, the server and its feeds go on."""
    monkeypatch.setattr("affray.tools.server.app.LISTEN_AGAIN_SECONDS", 0)
    again = Event()

    class Telling(FileStore):
        """A store with an unparseable first notification."""

        told = 0

        async def listen(self) -> AsyncGenerator[HeadMoved]:
            self.told += 1
            if self.told == 1:
                raise ValueError("news?")
            again.set()
            yield HeadMoved()
            await anyio.sleep_forever()

    with serve_duel(Telling(tmp_path)) as server:
        assert again.wait(30)
        assert server.gm.says("gm begin").status_code == 200


def test_a_page_says_once_how_it_is_written(server: Server) -> None:
    assert server.client.get("/").headers["content-type"] == "text/html; charset=utf-8"
    assert server.client.get("/static/affray/index.js").headers["content-type"] == "text/javascript; charset=utf-8"
