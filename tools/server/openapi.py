"""OpenAPI document: routes from the framework, schemas from our structs."""

from typing import Any

import msgspec
from litestar import Request, Router
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from affray import __version__
from affray.engine.core.state import Awaited, Question, Window
from affray.engine.visibility import Viewer, WireLine
from affray.events import EVENTS
from affray.tools.api.access import ALL, HOST, MASTERS, PLAYERS
from affray.tools.api.operations import ALLOWED_ROLES, OPEN_ROUTES, OPERATIONS
from affray.tools.api.problem_details import Problem
from affray.tools.api.schemas.requests import Nothing

from .worker_threads import compute

REF = "#/components/schemas/{name}"

TYPES = dict.fromkeys(
    (
        *(Problem, Viewer, WireLine, *EVENTS),
        *(one.takes for one in OPERATIONS.values() if one.method in ("POST", "PUT") and one.takes is not Nothing),
        *(one.gives for one in OPERATIONS.values() if one.path),
    )
)
"""All types of requests and answers."""

BODIES = (OPERATIONS["send_command"], OPERATIONS["preview_amendment"])
"""Operations whose routes decode the body themselves, since the framework cannot read raw parameters."""


FOR = {
    HOST: "the host alone",
    MASTERS: "the host and game masters",
    PLAYERS: "the host, game masters and players",
    ALL: "everybody with a token for the fight",
}
"""The words for each set of roles."""


class OpenApi(JsonRenderPlugin):
    """Serves the document, with each type described by its own encoder."""

    _made = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document as JSON. It is built once."""
        if not self._made:
            self._made = msgspec.json.encode(build_document(openapi_schema))
        return self._made

    async def prepare(self, request: Request[Any, Any, Any]) -> None:
        """Build the document in a thread, since that takes most of a second."""
        if not self._made:
            framework: Any = next(one for one in request.app.plugins if hasattr(one, "provide_openapi_schema"))
            await compute(lambda: self.render(request, framework.provide_openapi_schema()))


def build_document(document: dict[str, Any]) -> dict[str, Any]:
    """Put our types into the framework's document, and mark the open routes."""
    _, types = msgspec.json.schema_components(TYPES, ref_template=REF)
    events = {"anyOf": [{"$ref": REF.format(name=kind.__name__)} for kind in EVENTS]}
    types["WireLine"]["properties"]["event"] = events
    types["Event"] = {"title": "Event", **events}
    needs = [{"$ref": REF.format(name=kind.__name__)} for kind in (Question, Awaited, Window)]
    types["Preview"]["properties"]["needs"] = {"anyOf": [*needs, {"type": "null"}]}
    types["Problem"]["properties"]["type"] |= {"format": "uri"}
    components = {**document["components"], "schemas": {**document["components"]["schemas"], **types}}
    paths = {
        path: {method: _describe_route((method.upper(), path), operation) for method, operation in item.items()}
        for path, item in document["paths"].items()
    }
    for one in BODIES:
        content = paths[one.path]["post"]["requestBody"]["content"]["application/json"]
        content["schema"] = {"$ref": REF.format(name=one.takes.__name__)}
    return {**document, "components": components, "paths": paths}


def _describe_route(route: tuple[str, str], operation: dict[str, Any]) -> dict[str, Any]:
    """Add to a route its first sentence as its summary, and the roles that may use it."""
    said: str = operation["description"]
    free = route in OPEN_ROUTES
    whose = "everybody, without a token" if free else FOR[ALLOWED_ROLES[route]]
    told = {"summary": said.partition("\n")[0], "description": f"{said}\n\nFor {whose}."}
    return {**operation, **told, **({"security": []} if free else {})}


def name_operation(handler: HTTPRouteHandler, _method: object, _path: object) -> str:
    """Return the id of an operation: the name of its handler, in camel case, as ``getStory``."""
    first, *rest = handler.handler_name.split("_")
    return first + "".join(map(str.title, rest))


def build_config() -> OpenAPIConfig:
    """Configure the OpenAPI document of the framework."""
    scheme = SecurityScheme(type="http", scheme="bearer", description="A token from a link, or the server's own.")
    document = OpenApi(path="/openapi.json")
    return OpenAPIConfig(
        title="Affray",
        version=__version__,
        description="Tabletop fights: follow them, and drive them, without knowing their rules.",
        openapi_router=Router("/schema", route_handlers=[], include_in_schema=False, before_request=document.prepare),
        use_handler_docstrings=True,
        operation_id_creator=name_operation,
        render_plugins=[document],
        components=Components(security_schemes={"token": scheme}),
        security=[{"token": []}],
    )
