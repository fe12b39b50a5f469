"""Any request is answered as the OpenAPI document says, and never with an internal error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from jsonschema_rs import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from affray.events import EVENTS
from affray.tools.api.operations import ALLOWED_ROLES
from tests.examples import THOROUGH
from tests.serve.server import Server, serve_duel
from tests.tools.program import ENCOUNTER

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]

EXAMPLES = 100 if THOROUGH else 5

ROUTES = sorted(route for route in ALLOWED_ROLES if not route[1].endswith("/feed"))  # the feed never ends


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests, with a running fight, and one with revocable tokens."""
    with serve_duel(tmp_path_factory.mktemp("fights")) as running:
        running.host.asks("POST", "/api/fights", {"id": "open", "toml": ENCOUNTER})
        running.gm.does("gm begin", "roll 15", "roll 3")
        yield running


@pytest.fixture(scope="module")
def document(server: Server) -> Any:
    """The document as it is served."""
    return server.client.get("/schema/openapi.json").json()


@pytest.fixture(scope="module")
def operations(document: Any) -> Any:
    """The document as requests are drawn from it, which is read once."""
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url="http://testserver.local")
    return schema


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("route", ROUTES, ids=" ".join)
def test_a_route_keeps_to_the_document(
    server: Server, operations: Any, route: tuple[str, str], mode: GenerationMode
) -> None:
    operation = operations[route[1]][route[0]]

    @seed(5)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def answers(case: Any) -> None:
        if "fight" in case.path_parameters:
            case.path_parameters["fight"] = "open" if route[0] == "DELETE" else "duel"
        request = case.as_transport_kwargs(headers={"Authorization": f"Bearer {server.host.token}"})
        request.pop("cookies", None)
        if isinstance(request.get("data"), bytes | str):
            request["content"] = request.pop("data")
        try:
            answer = server.client.request(**request)
        except httpx.InvalidURL:  # longer than a client sends
            reject()
        case.validate_response(schemathesis.Response.from_any(answer), checks=CHECKS)

    answers()


def test_commands_that_are_carried_out_keep_to_it_too(server: Server, document: Any) -> None:
    lines = server.gm.looks("/log").json()["lines"]
    carried = server.gm.says("ilse attack bram").json()
    valid(document, "Carried", carried)
    for line in (*lines, *carried["lines"]):
        valid(document, line["event"]["type"], line["event"])


def test_a_preview_and_the_rulings_keep_to_it_too(server: Server, document: Any) -> None:
    lines = server.gm.looks("/log").json()["lines"]
    position = next(line["position"] for line in lines if line["event"]["type"] == "DiceEntered")
    amend = {"type": "Amend", "position": position, "instead": [], "reason": "misread"}
    seen = server.gm.asks("POST", "/api/fights/duel/preview", {"id": "look", "intent": amend})
    assert seen.json()["needs"]
    valid(document, "Preview", seen.json())
    for form in server.gm.looks("/rulings").json():
        valid(document, "RulingForm", form)
        assert form["schema"]["$defs"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("", "About"), ("/state", "Moment"), ("/log", "Lines"), ("/legal", "WhoMay"), ("/audit", "Audited")),
        ("/explain/1", "Explanation"),
    ],
)
def test_what_is_looked_at_has_the_documented_form(server: Server, document: Any, path: str, name: str) -> None:
    for who in (server.gm, server.ilse, server.spectator):
        valid(document, name, who.looks(path).json())


def test_the_document_names_every_event_and_every_route(document: Any) -> None:
    assert {kind.__name__ for kind in EVENTS} <= document["components"]["schemas"].keys()
    told = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    assert ALLOWED_ROLES.keys() - told == set()
    for path, item in document["paths"].items():
        for operation in item.values():
            assert "Problem" in str(operation["responses"]) or path in HARMLESS


HARMLESS = ("/api/health", "/api/systems", "/api/shipped")
"""What takes nothing that could be wrong."""

FREE = {
    *("Declared.params", "Attempted.params", "Ruled.params", "Stacked.params", "Pending.params"),  # `affray schema`
    "Schema.default",
    *("Checked.content", "SavedWhole.content", "LibraryLine.values"),  # of the rule system: `…/schema`, `…/tables`
    "/api/systems/{system}/schema 200",
}
"""The only things in an answer that may be anything."""


def test_every_operation_has_a_name_of_its_own(document: Any) -> None:
    """A generated client calls its methods so."""
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))
    assert {"listFights", "getStory", "sendCommand", "exportLog"} <= set(names)


def test_every_answer_says_what_is_in_it(document: Any) -> None:
    """No answer is a bare object or list, however deep inside."""
    told: set[str] = set()
    for path, item in document["paths"].items():
        for operation in item.values():
            for status, answer in operation["responses"].items():
                for content in answer.get("content", {}).values():
                    told |= set(list_untyped_places(document, content["schema"], f"{path} {status}", set()))
    assert told == FREE


def test_every_route_says_what_it_does(document: Any) -> None:
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    assert all(operation["description"] for operation in operations)


def list_untyped_places(document: Any, schema: Any, path: str, seen: set[str]) -> Iterator[str]:
    """Yield where in a schema it is not said what there is."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            seen.add(name)
            yield from list_untyped_places(document, document["components"]["schemas"][name], name, seen)
        return
    several = [one for key in ("anyOf", "oneOf", "allOf", "prefixItems") for one in schema.get(key, ())]
    parts = [(path, one) for one in several]
    parts += [(f"{path}.{name}", one) for name, one in schema.get("properties", {}).items()]
    for key in ("items", "additionalProperties"):
        parts += [(path, schema[key])] if isinstance(schema.get(key), dict) else []
    for where, part in parts:
        yield from list_untyped_places(document, part, where, seen)
    told = parts or "properties" in schema or "enum" in schema or "const" in schema
    if not told and schema.get("type") in (None, "object", "array"):
        yield path


def valid(document: Any, name: str, found: Any) -> None:
    """Check something against a type of the document."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    errors = [error.message for error in Draft202012Validator(schema).iter_errors(found)]
    assert errors == []
