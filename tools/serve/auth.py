"""Authentication and authorisation: who sends a request, and whether their role may use the route."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State as AppState
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter

from affray.engine.commands import MANY
from affray.engine.visibility import Viewer

from .roles import GM, HOST, MAY, OPEN, PLAYERS
from .serving import Entrant, NotAllowed, NotKnown, Serving

Connection = ASGIConnection[Any, Any, Any, AppState]

ONLY = {
    HOST: "only whoever holds the host's token may begin a fight",
    GM: "only the game master and the host may do this",
    PLAYERS: "spectators only look on",
}
"""The message to other roles."""


async def guard(connection: Connection, _: BaseRouteHandler) -> None:
    """Authenticate a request, and refuse it unless the table of roles allows it.

    Raises:
        NotKnown: no token, or one that stands for nobody.
        NotAllowed: the role may not use this route, or the token is for another fight.
    """
    route = _route(connection)
    if route in OPEN:
        return
    serving: Serving = connection.app.state.serving
    entrant = await serving.entrant(_token(connection))
    if entrant.role not in MAY.get(route, frozenset()):
        raise NotAllowed(ONLY.get(MAY.get(route, frozenset()), "nobody may do this"))
    fight = connection.path_params.get("fight")
    if fight is not None and entrant.fight not in (None, fight):
        raise NotAllowed("this token is for another fight")
    connection.scope["state"]["entrant"] = entrant


def _route(connection: Connection) -> tuple[str, str]:
    method = connection.method if isinstance(connection, Request) else "WEBSOCKET"
    return str(method), connection.scope["path_template"]


def _token(connection: Connection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotKnown("say who you are: Authorization: Bearer TOKEN")
    return token.strip()


def entrant_of(connection: Connection, fight: str) -> Entrant:
    """Return the entrant of a request."""
    found: Entrant = connection.scope["state"]["entrant"]
    assert found.fight in (None, fight)
    return found


async def entrant_by_token(state: AppState, token: str, fight: str) -> Entrant:
    """Return whom a token stands for in a fight.

    Raises:
        NotKnown, NotAllowed: nobody, or somebody of another fight.
    """
    serving: Serving = state.serving
    return await serving.entrant_at(token, fight)


async def serving(state: AppState) -> Serving:
    """Provide what the routes share."""
    found: Serving = state.serving
    return found


async def entrant(request: Request[object, object, AppState]) -> Entrant:
    """Provide whoever the guard let in."""
    found: Entrant = request.scope["state"]["entrant"]
    return found


async def viewer(request: Request[object, object, AppState]) -> Viewer:
    """Provide who that is in the fight."""
    return (await entrant(request)).viewer


TheFight = Annotated[str, PathParameter(max_length=MANY, description="The name of a fight.")]
TheServing = NamedDependency[Serving]
TheEntrant = NamedDependency[Entrant]
TheViewer = NamedDependency[Viewer]
