"""Every error that is promised of encounters, parties and pictures can be met, and says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from affray.engine.core.loading import load, template
from affray.engine.errors import StoreFailed, Superseded
from affray.engine.stores.documents.files import FileDocuments
from affray.tools.api.operations import ALLOWED_ROLES
from tests.serve.server import Server, Somebody, serve_duel
from tests.serve.test_openapi import valid
from tests.serve.test_pictures import png
from tests.tools.program import ENCOUNTER

FIGHT = "/api/fights/{fight}"
SCENE, PICTURES = "/api/fights/{fight}/scene", "/api/fights/{fight}/pictures"
PLACES = ("/api/addresses", "/api/encounters", "/api/parties", "/api/pictures", SCENE, PICTURES)
KEPT = sorted((method, path) for method, path in {*ALLOWED_ROLES} - {("GET", SCENE)} if path.startswith(PLACES))
"""The routes of what a store keeps beside its fights; a scene is looked at as a fight is."""

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PUT", "/api/addresses"): {"url": "https://table.example"},
    ("PUT", "/api/encounters/{name}"): {"toml": ENCOUNTER, "version": "VERSION"},
    ("POST", "/api/encounters/{name}/copy"): {"to": "another"},
    ("POST", "/api/parties"): {"name": "another", "toml": ENCOUNTER},
    ("PUT", "/api/parties/{name}"): {"toml": "PARTY", "version": "VERSION"},
    ("POST", "/api/parties/{name}/after"): {"version": "VERSION", "fight": "duel"},
    ("POST", "/api/parties/{name}/rest"): {"version": "VERSION", "kind": "night"},
    ("POST", "/api/parties/{name}/set"): {"version": "VERSION", "member": "ilse", "values": {"health": 3}},
    ("POST", "/api/parties/{name}/undo"): {"version": "VERSION"},
    ("PUT", "/api/fights/{fight}/scene"): {"portraits": {}, "version": "SCENE"},
}
"""For each route that takes one a body that can be understood; what is kept stands in for the words in capitals."""

TAKEN = {
    ("PUT", "/api/addresses"): {"url": "https://another.example"},
    ("POST", "/api/encounters/{name}/copy"): {"to": "kept"},
    ("POST", "/api/parties"): {"name": "kept", "toml": ENCOUNTER},
}
"""What asks for a name that is taken; everything else for a version that is not the present one."""

CHANGES = {
    ("POST", "/api/parties/{name}/after"): {"name": "kept", "fight": "over"},
    ("POST", "/api/parties/{name}/rest"): {"name": "tired", "kind": "downtime"},
    ("POST", "/api/parties/{name}/undo"): {"name": "tired"},
}
"""What would really change a party, so that it has to be written."""

IN_VAIN = {("POST", "/api/parties/{name}/set"): {"values": {"name": "Ilse"}}}
"""What would change nothing; elsewhere the fight is not over, or the party was never changed."""

TOO_LARGE = 9 * 2**20
"""More bytes than a picture may have."""


class Kept:
    """A server with a duel and one that is over, an encounter and a party called ``kept``, a tired party, a picture."""

    def __init__(self, server: Server) -> None:
        self.server = server
        host = server.host
        self.said("PUT", "/api/encounters/kept", {"toml": ENCOUNTER})
        self.said("POST", "/api/parties", {"name": "kept", "toml": ENCOUNTER})
        tired = template(load("wyrd"))
        self.said("POST", "/api/parties", {"name": "tired", "toml": tired})
        known = {"version": self.version("tired"), "member": "runa", "values": {"fatigue": 1}}
        self.said("POST", "/api/parties/tired/set", known)
        self.said("POST", "/api/fights", {"id": "over", "toml": ENCOUNTER})
        Somebody(server.client, host.token, "over").does("rule end")
        self.party = host.asks("GET", "/api/parties/kept").json()["toml"]
        self.picture = self.uploaded(png()).json()["name"]

    def said(self, method: str, path: str, body: object) -> None:
        """Send what is done."""
        answer = self.server.host.asks(method, path, body)
        assert answer.status_code < 300, answer.text

    def uploaded(self, content: bytes, who: Somebody | None = None, fight: str = "duel") -> Any:
        """Upload a picture."""
        token = (who or self.server.host).token
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "image/png"}
        return self.server.client.post(f"/api/fights/{fight}/pictures", content=content, headers=headers)

    def version(self, name: str, what: str = "parties") -> str:
        """Return the present version of an encounter or a party."""
        return str(self.server.host.asks("GET", f"/api/{what}/{name}").json()["version"])

    def body(self, method: str, path: str, name: str) -> Any:
        """Return what can be sent to a route."""
        known = self.version(name, path.split("/")[2]) if "{name}" in path else ""
        scene = self.server.host.asks("GET", "/api/fights/duel/scene").json()["version"]
        words = {"VERSION": known, "PARTY": self.party, "SCENE": scene}
        body = BODIES.get((method, path))
        return body and {key: words.get(str(value), value) for key, value in body.items()}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """One server for all of them."""
    with serve_duel(Path(tmp_path_factory.mktemp("kept"))) as running:
        yield Kept(running)


@pytest.fixture(scope="module")
def document(kept: Kept) -> Any:
    """The document as it is served."""
    return kept.server.client.get("/schema/openapi.json").json()


def fail_always(*_: object, **__: object) -> NoReturn:
    raise StoreFailed("the disk is gone")


def slower(*_: object, **__: object) -> NoReturn:
    raise Superseded("scene", "duel", "another")


def provoke_recorded_error(kept: Kept, method: str, path: str, status: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Send what must be answered so."""
    changes = {**CHANGES.get((method, path), {})} if status == 429 else {}
    name = changes.pop("name", "kept")
    body = kept.body(method, path, name)
    body = body and {**body, **changes}
    who, fight, picture, content = kept.server.host, "duel", kept.picture, png()
    match status:
        case 400:
            name, fight, picture, content = "x" * 101, "x" * 201, "x" * 101, b"no picture"
            body = body and {**body, "unheard_of": 7}
        case 401:
            who = Somebody(kept.server.client, "a stranger's")
        case 403:
            who, fight = kept.server.ilse, "over"  # which is not the one she plays in
        case 404:
            name = fight = picture = "nowhere"
        case 409:
            body = TAKEN.get((method, path), body and {**body, "version": "stale"})
            if "pictures" in path or "addresses" in path:
                monkeypatch.setattr(FileDocuments, "write", slower)
        case 413:
            body, content = {**(body or {}), "padding": "x" * 300_000}, bytes(TOO_LARGE)
        case 422:
            body = body and {**body, **IN_VAIN.get((method, path), {})}
        case 429:
            monkeypatch.setattr("affray.engine.stores.documents.protocol.MOST", 0)
        case 503:
            for what in ("list_documents", "read", "write", "delete"):
                monkeypatch.setattr(FileDocuments, what, fail_always)
    if (method, path) == ("POST", "/api/fights/{fight}/pictures"):
        return kept.uploaded(content, who, fight)
    where = path.replace("{name}", name).replace("{fight}", fight).replace("{picture}", picture)
    return who.asks(method, where, body, params={"version": "stale"} if method == "DELETE" else None)


@pytest.mark.parametrize(("method", "path"), KEPT)
def test_each_promised_error_of_documents_occurs(
    kept: Kept, document: Any, method: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But that a link asks too fast, which is met on every route in the same way."""
    promised = [int(status) for status in document["paths"][path][method.lower()]["responses"]]
    for status in (one for one in promised if one >= 400 and (one != 429 or method in ("PUT", "POST"))):
        with monkeypatch.context() as patched:
            answer = provoke_recorded_error(kept, method, path, status, patched)
        assert answer.status_code == status, (status, answer.text)
        assert answer.headers["content-type"].startswith("application/problem+json")
        valid(document, "Problem", answer.json())
        assert answer.json()["detail"]
