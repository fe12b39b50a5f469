"""The descriptions in the OpenAPI document: each route's effect and roles in sentences, and its examples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.tools.api.access import HOST, MASTERS, PLAYERS
from affray.tools.api.operations import ALLOWED_ROLES
from tests.serve.server import serve_duel

SENTENCE = re.compile(r"[A-Z].{15,}\.", re.DOTALL)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The document as it is served."""
    with serve_duel(tmp_path_factory.mktemp("fights")) as server:
        return server.client.get("/schema/openapi.json").json()


def list_described_operations(document: Any) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield each route with what is said of it."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield (method.upper(), path), operation


def test_every_route_is_described_in_sentences(document: Any) -> None:
    """The summary is one, on one line, and no other route has it."""
    summaries = [operation["summary"] for _, operation in list_described_operations(document)]
    assert [one for one in summaries if not SENTENCE.fullmatch(one) or "\n" in one or ". " in one] == []
    assert len(set(summaries)) == len(summaries) > len(ALLOWED_ROLES)
    for _, operation in list_described_operations(document):
        assert SENTENCE.fullmatch(operation["description"])
        assert operation["description"].startswith(operation["summary"])


def test_every_route_says_for_whom_it_is(document: Any) -> None:
    for route, operation in list_described_operations(document):
        whose = operation["description"].rpartition("\n\nFor ")[2]
        if route not in ALLOWED_ROLES:
            assert (whose, operation["security"]) == ("everybody, without a token.", [])
        else:
            assert "security" not in operation
            assert ("host alone" in whose) == (ALLOWED_ROLES[route] == HOST)
            assert ("game masters" in whose) == (ALLOWED_ROLES[route] in (MASTERS, PLAYERS))
            assert ("players" in whose) == (ALLOWED_ROLES[route] == PLAYERS)
            assert ("everybody" in whose) == (ALLOWED_ROLES[route] > PLAYERS)


def examples(part: Any) -> Iterator[Any]:
    """Yield every example in a document."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if key == "properties":  # a field may have such a name
            yield from examples(list(value.values()))
        elif key in ("example", "examples"):
            yield value
        else:
            yield from examples(value)


def test_the_only_example_is_of_the_feed(document: Any, tmp_path: Path) -> None:
    """It is always the same: a framework's made-up examples teach nothing."""
    found = json.dumps(list(examples(document)))
    assert found.count("event: line") == found.count("event: ready") == 1
    assert len(list(examples(document))) == 1
    with serve_duel(tmp_path) as server:
        assert list(examples(server.client.get("/schema/openapi.json").json())) == list(examples(document))
