"""The same commands, and every other request, sent to a server in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import msgspec
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from affray.engine import Fight, open_fight
from affray.engine.stores import SqliteStore, Store
from affray.tools.server.app import build_application
from tests.driving import in_time
from tests.engine.fights import noon, salt
from tests.serve.server import HOST, serving, token_in

from .driving import SLOW, Driven, Failure, encounters_of
from .sending import Sender
from .wild import NONSENSE, STRANGE

DOCUMENTED = frozenset({200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429})
"""What a server may answer; 503 is for a store that fails, which that of these fights never does."""

LOOKS = ("", "/state", "/legal", "/rulings", "/clauses", "/grants", "/log", "/audit")
EXPORTS = ("/export.md", "/export.html", "/rolls.csv", "/events.csv", "/log.jsonl")


class LiveGuest:
    """A client with a token, at one fight of a server, which sends random requests."""

    def __init__(self, client: TestClient[Litestar], store: Store, name: str, dice: Random, system: str) -> None:
        self.client = client
        self.store = store
        self.name = name
        self.dice = dice
        self.tokens: list[str] = []
        entries = [one for told in encounters_of(system) for one in told["combatant"]]
        self.fight: Fight = open_fight(name, store, clock=noon, salts=salt)
        self.sender = Sender(self.fight, dice, entries)

    def follow(self) -> None:
        """Take in what the server has written."""
        self.fight.catch_up(self.store.since(self.name, self.fight.head))

    def asks(self, method: str, path: str, body: bytes | None = None) -> Response:
        """Send a request, now and then with a wrong token or none."""
        token = self.dice.choice(self.tokens)
        if self.dice.random() < 0.02:
            token = self.dice.choice(("", "nobody's", "x" * 5000))
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return self.client.request(method, path, content=body, headers=headers)

    def of_the_fight(self, method: str, path: str, body: bytes | None = None) -> Response:
        """Send a request about the fight."""
        return self.asks(method, f"/api/fights/{self.name}{path}", body)

    def sends(self) -> Response:
        """Send a command, as it would be sent, or with a part of it changed; one time in ten to be looked at first."""
        sent = self.sender.next().command
        body: Any = {"id": sent.id, "intent": msgspec.json.decode(msgspec.json.encode(sent.intent))}
        if sent.expected is not None:
            body["expected"] = sent.expected
        if self.dice.random() < 0.1:
            words = " ".join(self.sender.wild.word() for _ in range(self.dice.randrange(6)))
            body["intent"] = {"type": "Said", "words": words, "reason": "so it is"}
        if self.dice.random() < 0.1:
            _spoil(body, self.dice)
        route = "/preview" if self.dice.random() < 0.03 else "/commands"
        written = msgspec.json.encode(body)
        if self.dice.random() < 0.02:
            written = self.dice.choice((b"", b"[" * 5000, written[:-3], b"\xff" + written, b"null", b'"x"'))
        return self.of_the_fight("POST", route, written)

    def looks(self) -> Response:
        """Look at anything, at any position."""
        dice = self.dice
        path = dice.choice((*LOOKS, "/state", "/legal", f"/explain/{dice.randint(0, self.fight.head + 1)}"))
        if dice.random() < 0.1:
            path = dice.choice(EXPORTS)
        elif path == "/legal":
            path += self._deeper()
        elif path in ("/state", "/log") and dice.random() < 0.5:
            value = dice.choice((dice.randint(-1, self.fight.head + 2), 2**60, "x", "", "1e3", "²"))
            path += f"?{'at' if path == '/state' else dice.choice(('after', 'limit'))}={value}"
        return self.of_the_fight("GET", path)

    def _deeper(self) -> str:
        """Return a next query of legal actions, mostly about existing ones."""
        dice, nonsense = self.dice, quote(self.dice.choice(NONSENSE) or "x", safe="")
        who = dice.choice((*self.fight.state.combatants, "gm", nonsense))
        kind = dice.choice((*self.fight.ruleset.actions, nonsense))
        chosen = dice.choice(("{}", '{"target":"gm"}', '{"target":[1]}', "[]", "{", nonsense))
        way = dice.choice((f"/{who}", f"/{who}/{kind}"))
        return dice.choice(("", way, f"{way}?manner={nonsense}", f"{way}?fill=true&chosen={chosen}"))

    def does_anything_else(self) -> Response:
        """Ask for a fight, a fork, a token, or a page, of names and bodies that are mostly nonsense."""
        dice, wild = self.dice, self.sender.wild
        form = msgspec.inspect.AnyType()
        body: dict[str, Any] = {
            "id": dice.choice((wild.word(), f"if-{dice.randrange(10**9)}")),
            "role": dice.choice(("player", "gm", "spectator", wild.word())),
            "name": wild.word(),
            "owns": [wild.word()],
            "at": dice.randint(0, self.fight.head + 1),
            "reason": wild.word(),
            "encounter": {wild.word(): wild.value(form)},
            "toml": wild.word(),
        }
        keys = dice.choice((("role", "name", "owns"), ("id", "at", "reason"), ("id", "toml"), ("id", "encounter"), ()))
        said = {key: body[key] for key in keys}
        if dice.random() < 0.2:
            _spoil(said, dice)
        path = dice.choice(("/api/fights", f"/api/fights/{self.name}/fork", f"/api/fights/{self.name}/grants"))
        if dice.random() < 0.3:
            name = quote(dice.choice(NONSENSE), safe="")
            path = f"/api/fights/{name}{dice.choice(('', '/state', '/commands', '/grants?id=' + name))}"
        method = dice.choice(("POST", "POST", "POST", "GET", "DELETE", "PUT"))
        return self.asks(method, path, msgspec.json.encode(said) if method in ("POST", "PUT") else None)


def _spoil(body: dict[str, Any], dice: Random) -> None:
    """Change a part of a body into something else, leave it out, or add one."""
    parts = [body, body.get("intent") if isinstance(body.get("intent"), dict) else body]
    part: Any = dice.choice(parts)
    key = dice.choice([*part, "more"])
    if dice.random() < 0.3:
        part.pop(key, None)
    else:
        part[key] = dice.choice([*STRANGE, *NONSENSE[:40]])


@contextmanager
def server() -> Iterator[tuple[TestClient[Litestar], Store]]:
    """Serve a database of fights."""
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "fights.db")
        with TestClient(build_application(serving(store)), raise_server_exceptions=False) as client:
            yield client, store


def guest(client: TestClient[Litestar], store: Store, system: str, seed: int) -> LiveGuest:
    """Open a system's fight at a server, and return a client with all tokens."""
    dice = Random(f"server/{system}/{seed}")
    encounter = dice.choice(encounters_of(system))
    hidden = [{**one, **({"concealed": True} if dice.random() < 0.1 else {})} for one in encounter["combatant"]]
    name = f"{system}-{seed}"
    wanted = {"id": name, "encounter": {**encounter, "name": "At the table", "combatant": hidden}}
    opened = client.post("/api/fights", json=wanted, headers={"Authorization": f"Bearer {HOST}"})
    assert opened.status_code == 201, f"{opened.status_code} {opened.text[:300]}"
    links = opened.json()["links"]
    found = LiveGuest(client, store, name, dice, system)
    found.tokens = [HOST, *[token_in(links["gm"])] * 6, *map(token_in, links["players"].values())]
    found.tokens.append(token_in(links["spectator"]))
    return found


def send_requests(at: tuple[TestClient[Litestar], Store], system: str, seed: int, most: int, came: Driven) -> None:
    """Send a server so many requests about one fight, and note what it answered."""
    shown = "POST /api/fights"
    try:
        somebody = guest(*at, system, seed)
        came.fights += 1
        for _ in range(most):
            with in_time(SLOW):
                shown = send_one_request(somebody, came)
            if somebody.fight.history.closed:
                break
    except Exception as fault:  # whatever it is, it should not have happened
        what = f"{type(fault).__name__}: {fault}"
        came.failures.append(Failure(f"server/{system}", seed, came.commands, shown, "http", what))


def send_one_request(guest: LiveGuest, came: Driven) -> str:
    """Send one request, and look at the fight if it was carried out; return what was asked."""
    way = guest.dice.choices((LiveGuest.sends, LiveGuest.looks, LiveGuest.does_anything_else), (80, 16, 4))[0]
    answer = way(guest)
    asked = answer.request
    shown = f"{asked.method} {asked.url.path} {asked.content[:400]!r}"
    came.counts[f"{asked.method} {way.__name__}", "accepted" if answer.is_success else str(answer.status_code)] += 1
    assert answer.status_code in DOCUMENTED, f"{shown}: {answer.status_code} {answer.text[:300]}"
    if answer.is_success and way is LiveGuest.sends:
        guest.follow()
        for path in ("/state", "/legal", f"/log?after={max(0, guest.fight.head - 3)}"):
            looked = guest.of_the_fight("GET", path)
            assert looked.status_code in (200, 401), f"{shown}, {path}: {looked.status_code} {looked.text[:300]}"
            came.asked += 1
    return shown


__all__ = ["send_requests", "server"]
