"""A server in this process, and those who use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from affray.engine.stores import FileStore, Store
from affray.tools.server.app import build_application
from affray.tools.server.grants import open_registry
from affray.tools.server.hub import Hub
from affray.tools.server.open_fights import OpenFights
from affray.tools.server.server_state import ServerState
from tests.tools.program import ENCOUNTER

HOST = "the-host-of-these-tests"


LURKER = """
[[combatant]]
name = "Lurker"
side = "blue"
agility = 14
might = 2
health = 37
weapons = ["bow"]
concealed = true

[[distance]]
between = ["ilse", "lurker"]
metres = 9
"""
"""To be put behind an encounter: who watches it hidden."""


class Somebody:
    """A client with a token, at one fight.

    Args:
        client: How they reach the server.
        token: Theirs.
        fight: The fight they are at.
    """

    def __init__(self, client: TestClient[Litestar], token: str, fight: str = "duel") -> None:
        self.client = client
        self.token = token
        self.fight = fight
        self._ids = (f"{token[:8]}-{number}" for number in count(1))

    def asks(self, method: str, path: str, body: object = None, **more: Any) -> Response:
        """Send a request."""
        headers = {"Authorization": f"Bearer {self.token}"}
        content = None if body is None else msgspec.json.encode(body)
        headers |= {} if content is None else {"Content-Type": "application/json"}
        return self.client.request(method, path, headers=headers, content=content, **more)

    def looks(self, path: str = "", **query: Any) -> Response:
        """Ask for something of the fight."""
        return self.asks("GET", f"/api/fights/{self.fight}{path}", params=query)

    def sends(self, intent: dict[str, Any], *, id: str = "", expected: int | None = None) -> Response:
        """Send a command."""
        body: dict[str, Any] = {"id": id or next(self._ids), "intent": intent}
        body |= {} if expected is None else {"expected": expected}
        return self.asks("POST", f"/api/fights/{self.fight}/commands", body)

    def says(self, words: str, *, reason: str = "", **more: Any) -> Response:
        """Send a command in words."""
        return self.sends({"type": "Said", "words": words, "reason": reason}, **more)

    def does(self, *lines: str) -> None:
        """Send several typed commands, all of which must be carried out."""
        for line in lines:
            answer = self.says(line, reason="so it is")
            assert answer.status_code == 200, answer.text


class Server(msgspec.Struct):
    """A server with a duel: Ilse's player, Bram's player, the game master, a spectator, and the host."""

    client: TestClient[Litestar]
    app: Litestar
    host: Somebody
    gm: Somebody
    ilse: Somebody
    bram: Somebody
    spectator: Somebody
    links: dict[str, Any]


def serving(store: Store) -> ServerState:
    """The settings of a server, with a known host token."""
    fights = OpenFights(store)
    return ServerState(fights=fights, grants=open_registry(store), hub=Hub(fights), host=HOST, origin="http://table")


IDLE: list[Litestar] = []
"""The applications that no test uses now."""


@contextmanager
def client_of(needs: ServerState) -> Iterator[TestClient[Litestar]]:
    """Serve with an idle application if there is one: to build its routes takes longer than most tests.

    Args:
        needs: The state of the server; an application keeps nothing else.
    """
    app = IDLE.pop() if IDLE else build_application(needs)
    app.state.server, app.state.hub = needs, needs.hub
    with TestClient(app) as client:
        yield client
    IDLE.append(app)


@contextmanager
def serve_duel(store: Store | Path, encounter: str = ENCOUNTER, dice: str = "entered") -> Iterator[Server]:
    """Serve a store with one newly opened fight, ``duel``."""
    with client_of(serving(FileStore(store) if isinstance(store, Path) else store)) as client:
        host = Somebody(client, HOST)
        opened = host.asks("POST", "/api/fights", {"id": "duel", "toml": encounter, "dice": dice})
        assert opened.status_code == 201, opened.text
        links = opened.json()["links"]
        gm = Somebody(client, token_in(links["gm"]))
        ilse = Somebody(client, token_in(links["players"]["Ilse"]))
        bram = Somebody(client, create_token(gm, "player", "Bram's", "bram"))
        spectator = Somebody(client, token_in(links["spectator"]))
        yield Server(client, client.app, host, gm, ilse, bram, spectator, links)


@contextmanager
def served_again(store: Store | Path) -> Iterator[Somebody]:
    """Serve the same store from a second process, and return its host at the duel."""
    with client_of(serving(FileStore(store) if isinstance(store, Path) else store)) as client:
        yield Somebody(client, HOST)


def create_token(by: Somebody, role: str, name: str, *owns: str) -> str:
    """Return a new token."""
    body = {"role": role, "name": name, "owns": owns}
    answer = by.asks("POST", f"/api/fights/{by.fight}/grants", body)
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["token"]
    return token


def token_in(link: str) -> str:
    """Return the token of a link."""
    return link.partition("&token=")[2]
