"""``affray serve`` as one starts it: the links it prints work, and go on working after it was killed."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.tools.program import ENCOUNTER, Running, affray

LINK = re.compile(r"^  (.+?) +(http://\S+)/#fight=(\S+)&token=(\S+)$", re.MULTILINE)


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[Running, str]]:
    """Start a server in a folder; give it with all that it said until it listened."""
    (folder / "duel.toml").write_text(ENCOUNTER, "utf-8")
    server = Running(folder, "serve", "--port", "0", *words)
    said = ""
    try:
        for line in server.out:
            said += line
            if line.startswith("Listening"):
                break
        yield server, said
    finally:
        server.close()


class Entered(NamedTuple):
    """A client with a link, at its fight."""

    origin: str
    fight: str
    token: str

    def asks(self, path: str = "", origin: str = "", **more: Any) -> Any:
        """Return what the server answers; a request with a body is a command."""
        url = f"{origin or self.origin}/api/fights/{self.fight}{path}"
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request("POST" if more else "GET", url, headers=headers, timeout=30, **more).json()


def list_link_holders(said: str) -> dict[str, Entered]:
    """List all clients with a link."""
    return {who: Entered(*where) for who, *where in LINK.findall(said)}


@pytest.mark.parametrize("store", [".", "club.db"])
def test_the_links_it_prints_work(tmp_path: Path, store: str) -> None:
    with serving(tmp_path, "--store", store, "duel.toml") as (_, said):
        people = list_link_holders(said)
        assert list(people) == ["game master", "Ilse", "spectators"]
        you = {who: one.asks()["you"] for who, one in people.items()}
    assert [one["role"] for one in you.values()] == ["gm", "player", "spectator"]
    assert you["Ilse"]["owns"] == ["ilse"]


@pytest.mark.parametrize("store", [".", "club.db"])
def test_a_killed_server_forgets_nothing(tmp_path: Path, store: str) -> None:
    command = {"id": "begin", "intent": {"type": "Said", "words": "gm begin"}}
    with serving(tmp_path, "--store", store, "duel.toml") as (server, said):
        first = list_link_holders(said)
        done = first["game master"].asks("/commands", json=command)
        server.end()
    with serving(tmp_path, "--store", store, "duel.toml") as (_, said):
        origin = LINK.findall(said)[0][1]
        assert {one.asks(origin=origin)["hash"] for one in first.values()} == {done["hash"]}
        again = first["game master"].asks("/commands", origin, json=command)
    assert again["repeated"]
    assert again["head"] == done["head"]


def test_it_says_which_fights_it_keeps_and_how_they_stand(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, said):
        assert "no fight is kept here yet; begin one with: affray serve ENCOUNTER.toml" in said
    with serving(tmp_path, "duel.toml") as (_, said):
        assert said.splitlines()[0] == "duel: opened; the game master begins it"
        list_link_holders(said)["game master"].asks(
            "/commands", json={"id": "x", "intent": {"type": "Said", "words": "gm begin"}}
        )
    for named in ("duel.toml", "duel", "fights.db#duel", "sqlite:fights.db#duel"):
        with serving(tmp_path, named) as (_, said):
            assert re.match(r"duel: goes on in round 1\n  game master +http", said), said
    with serving(tmp_path, "--host", "0.0.0.0") as (_, said):
        assert "kept here: duel; name one to get its links\n" in said
        assert "put this machine's name in place of localhost" in said
        port, token = re.findall(r"localhost:(\d+)", said)[0], re.findall(r"Bearer (\S+)", said)[0]
        grants = f"http://localhost:{port}/api/fights/duel/grants"
        told = httpx.get(grants, headers={"Authorization": f"Bearer {token}"}).json()
        assert told["reach"] == re.findall(r"its address: (\S+)", said)


def test_a_fight_is_not_opened_in_place_of_another_of_its_name(tmp_path: Path) -> None:
    """Neither one that is kept already, nor the first of two files of one name; two stores are refused too."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "duel.toml").write_text(ENCOUNTER.replace("A duel", "Another duel"), "utf-8")
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    ran = affray(tmp_path, "serve", "--port", "0", "duel.toml", "other/duel.toml")
    assert (ran.code, ran.out) == (2, "")
    assert 'duel is kept already: "A duel" (Vestige), not the encounter of other/duel.toml' in ran.err
    ran = affray(tmp_path, "serve", "--port", "0", "--store", "fights.db", "club.db#duel")
    assert (ran.code, "one store, not fights.db and club.db" in ran.err) == (2, True)


def test_the_host_enters_with_the_token_it_prints(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, said):
        origin = re.findall(r"http://\S+(?=;)", said)[0]
        token = re.findall(r"Bearer (\S+)", said)[0]
        answer = httpx.get(f"{origin}/api/fights", headers={"Authorization": f"Bearer {token}"})
    assert answer.json() == {"fights": []}
    ran = affray(tmp_path, "serve", AFFRAY_HOST_TOKEN="short")
    assert (ran.code, "AFFRAY_HOST_TOKEN" in ran.err) == (2, True)
    ran = affray(tmp_path, "serve", "--new-host-link", AFFRAY_HOST_TOKEN="long enough to be one")
    assert (ran.code, "AFFRAY_HOST_TOKEN" in ran.err) == (2, True)


def test_the_host_s_link_is_good_after_a_restart_until_it_is_renewed(tmp_path: Path) -> None:
    tokens: list[str] = []
    for options, good in (((), [True]), ((), [True, True]), (("--new-host-link",), [False, False, True])):
        with serving(tmp_path, *options) as (_, said):
            origin = re.findall(r"http://\S+(?=;)", said)[0]
            tokens += re.findall(r"Bearer (\S+)", said)
            headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
            assert [httpx.get(f"{origin}/api/fights", headers=one).is_success for one in headers] == good


def test_it_listens_to_this_machine_alone(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, said):
        assert "http://127.0.0.1:" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.toml",), "nothing.toml"),
        (("nothing",), "neither an encounter file nor a fight that is kept; no fight is kept here yet"),
        (("--store", "nowhere"), "nowhere"),
        (("--host", "999.1.1.1"), "cannot listen"),
    ],
)
def test_what_cannot_be_served_is_told(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    ran = affray(tmp_path, "serve", "--port", "0", *words)
    assert (ran.code, said in ran.err) == (2, True), ran.err
    assert "Traceback" not in ran.err


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = affray(tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert (ran.code, "cannot listen" in ran.err) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_at_once(tmp_path: Path, number: signal.Signals) -> None:
    """In order: SQLite has merged its write-ahead log into the file."""
    with serving(tmp_path, "duel.toml") as (server, said):
        address = LINK.findall(said)[0]
        headers = {"Authorization": f"Bearer {address[3]}"}
        with httpx.stream("GET", f"{address[1]}/api/fights/duel/feed", headers=headers) as feed:
            assert next(feed.iter_lines()).startswith("event")
            assert server.end(number) == 128 + number
        assert "Traceback" not in server.err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["duel.toml", "fights.db"]


def test_no_other_command_waits_for_the_server() -> None:
    """Only who serves loads what serving needs."""
    program = "import sys, affray.tools.cli.main, affray.engine, affray.tools.server; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert {"litestar", "uvicorn", "httpx", "psycopg"}.isdisjoint(loaded)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    program = "import sys; sys.modules['litestar'] = None; from affray.tools.cli.main import main; main(['serve'])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 2
    assert 'pip install ".[serve]"' in ran.stderr
