"""Two servers of one PostgreSQL database: each tells its readers of what was done at the other."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import msgspec
import pytest

from affray.engine.stores.postgres import PostgresStore
from affray.events import read_line
from tests.engine import postgres
from tests.engine.test_writers import whole
from tests.tools.program import AFFRAY, ENCOUNTER, surroundings

TOKEN = "a token of the tests' own"
PATIENCE = 60
FIGHT = "duel"


class ServerProcess:
    """A server's process, which can be killed and started again."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.client = httpx.Client(headers={"Authorization": f"Bearer {TOKEN}"}, verify=False, timeout=10)
        self.start()

    def start(self) -> None:
        """Start it and wait until it listens."""
        words = [str(AFFRAY), "serve", "--store", self.url, "--port", "0", "duel.toml"]
        self._process = subprocess.Popen(
            words,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=surroundings(AFFRAY_HOST_TOKEN=TOKEN, PYTHONUNBUFFERED="1"),
        )
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if found := re.match(r"Listening on (http://[\d.:]+)", line):
                self.origin = found[1]
                return
        raise AssertionError(said)

    def kill(self) -> None:
        """Kill it in the middle of its work."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE)

    def stop(self) -> None:
        """End it for good."""
        self.kill()
        self.client.close()

    def do_all(self, ids: list[str]) -> None:
        """Give a command under each of these ids."""
        for id in ids:
            self.do(id)

    def do(self, id: str) -> None:
        """Give a command, again under the same id for as long as it is not certain that it was carried out."""
        sent = {"id": id, "intent": {"type": "Said", "words": f"rule note text={id}", "reason": "the weather"}}
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                answer = self.client.post(f"{self.origin}/api/fights/{FIGHT}/commands", json=sent)
                if answer.is_success:
                    return
                assert answer.status_code in (409, 503), answer.text
            except httpx.TransportError:
                pass  # it was killed, and comes back
            time.sleep(0.02)
        raise AssertionError(f"{id} was not carried out")


class Reader(Thread):
    """A follower of the fight up to the last command, who reconnects whenever the stream ends.

    Attributes:
        lines: What came, in order.
    """

    def __init__(self, server: ServerProcess, after: int) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.last = after
        self.lines: list[Any] = []

    def run(self) -> None:
        while not self._done():
            try:
                self._read()
            except httpx.HTTPError:
                time.sleep(0.05)

    def _done(self) -> bool:
        return bool(self.lines) and self.lines[-1]["cause"] == "last" and not self.lines[-1].get("more")

    def _read(self) -> None:
        path, headers = f"/api/fights/{FIGHT}/feed", {"Last-Event-ID": str(self.last)}
        with self.server.client.stream("GET", f"{self.server.origin}{path}", headers=headers) as feed:
            feed.raise_for_status()
            number = 0
            for text in feed.iter_lines():
                if text.startswith("id:"):
                    number = int(text[3:])
                elif text.startswith("data:") and number:
                    self.lines.append(msgspec.json.decode(text[5:]))
                    self.last, number = number, 0
                    if self._done():
                        return


@pytest.fixture
def url() -> str:
    """A database without any fight."""
    return postgres.fresh()


@contextmanager
def two_servers(folder: Path, url: str) -> Iterator[list[ServerProcess]]:
    """Run two servers, one after the other, so that one of them opens the fight."""
    (folder / "duel.toml").write_text(ENCOUNTER, "utf-8")
    servers: list[ServerProcess] = []
    try:
        servers += [ServerProcess(folder, url)]
        servers += [ServerProcess(folder, url)]
        yield servers
    finally:
        for server in servers:
            server.stop()


def test_readers_at_both_servers_miss_nothing_whatever_is_killed(tmp_path: Path, url: str) -> None:
    """Commands race at both; one server and then the database are killed meanwhile; nothing is lost or doubled."""
    store = PostgresStore(url)
    ids = {name: [f"{name}{nth}" for nth in range(24)] for name in "ab"}
    with two_servers(tmp_path, url) as servers, ThreadPoolExecutor(2) as clients:
        begun = len(store.read(FIGHT))
        readers = [Reader(server, begun) for server in servers]
        for reader in readers:
            reader.start()
        racing = [clients.submit(server.do_all, ids[name]) for server, name in zip(servers, "ab", strict=True)]
        wait_for_position(store, begun + 12)
        servers[1].kill()
        servers[1].start()
        wait_for_position(store, begun + 24)
        postgres.server().kill()
        postgres.server().start()
        for one in racing:
            one.result(PATIENCE)
        servers[0].do("last")
        for reader in readers:
            reader.join(PATIENCE)
        lines = store.read(FIGHT)
    for reader in readers:
        assert [one["hash"] for one in reader.lines] == [read_line(line).hash for line in lines[begun:]]
    written = whole(lines)
    for name in "ab":
        assert [id for id in written if id in ids[name]] == ids[name]


def wait_for_position(store: PostgresStore, position: int) -> None:
    """Wait until a fight has come so far."""
    until = time.monotonic() + PATIENCE
    while len(store.since(FIGHT, 0)) < position:
        assert time.monotonic() < until
        time.sleep(0.01)
