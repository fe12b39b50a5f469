"""The OpenAPI document: the framework's account of the routes, with our own account of what goes over them."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from affray import __version__
from affray.engine.hiding import Viewer, WireLine
from affray.events import EVENTS
from affray.tools.problems import Problem

from . import wire

REF = "#/components/schemas/{name}"

TYPES = (Problem, Viewer, WireLine, *EVENTS, *wire.TYPES)
"""Everything that goes over the wire."""

BODIES = {"/api/fights/{fight}/commands": "Sent", "/api/fights/{fight}/preview": "Looking"}
"""The bodies that we take apart ourselves, since the framework cannot read raw parameters."""


class OpenApi(JsonRenderPlugin):
    """Serves the document, with each type described by what reads and writes it."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document as JSON."""
        return msgspec.json.encode(described(openapi_schema))


def described(document: dict[str, Any]) -> dict[str, Any]:
    """Return the framework's document with our types in the place of its own, and open routes told as open."""
    _, types = msgspec.json.schema_components(TYPES, ref_template=REF)
    events = {"anyOf": [{"$ref": REF.format(name=kind.__name__)} for kind in EVENTS]}
    types["WireLine"]["properties"]["event"] = events
    types["Event"] = {"title": "Event", **events}
    types["Problem"]["properties"]["type"] |= {"format": "uri"}
    components = {**document["components"], "schemas": {**document["components"]["schemas"], **types}}
    paths = {path: dict(item) for path, item in document["paths"].items()}
    for path in ("/api/health",):
        paths[path] = {method: {**told, "security": []} for method, told in paths[path].items()}
    for path, name in BODIES.items():
        content = paths[path]["post"]["requestBody"]["content"]["application/json"]
        content["schema"] = {"$ref": REF.format(name=name)}
    return {**document, "components": components, "paths": paths}


def config() -> OpenAPIConfig:
    """Return what the framework needs to know."""
    scheme = SecurityScheme(type="http", scheme="bearer", description="A token from a link, or the server's own.")
    return OpenAPIConfig(
        title="Affray",
        version=__version__,
        description="Tabletop fights: follow them, and drive them, without knowing their rules.",
        path="/schema",
        render_plugins=[OpenApi(path="/openapi.json")],
        components=Components(security_schemes={"token": scheme}),
        security=[{"token": []}],
    )
