"""Authentication and authorisation: who sends a request, and whether their role may use the route."""

from typing import Annotated, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State as AppState
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter

from affray.engine.commands import MANY
from affray.engine.visibility import Viewer
from affray.tools.api.access import HOST, MASTERS, PLAYERS, NotAllowed
from affray.tools.api.operations import ALLOWED_ROLES, OPEN_ROUTES

from .rate_limits import ANONYMOUS, IS_DISCONNECTED, PERMIT
from .server_state import AuthenticatedCaller, NotAuthenticated, ServerState

Connection = ASGIConnection[Any, Any, Any, AppState]

ROLE_MESSAGES = {
    HOST: "only whoever holds the host's token may begin a fight, or see what one could be begun from",
    MASTERS: "only the game master and the host may do this",
    PLAYERS: "spectators only look on",
}
"""The message to roles that may not use a route, by the roles that may."""

STORY_ROUTE = ("POST", "/api/told")
"""The open route whose body is a whole log; it has rate-limit lanes of its own."""


async def guard(connection: Connection, _: BaseRouteHandler) -> None:
    """Authenticate a request, and refuse it unless the table of roles allows it.

    Raises:
        NotAuthenticated: no token, or an unknown one.
        NotAllowed: the role may not use this route, or the token is for another fight.
        RateLimitExceeded: too many requests of its link are queued already.
    """
    method = connection.method if isinstance(connection, Request) else "WEBSOCKET"
    route = str(method), connection.scope["path_template"]
    server: ServerState = connection.app.state.server
    address = connection.client.host if connection.client else ""
    state = connection.scope["state"]
    gone = state.get(IS_DISCONNECTED, bool)
    if route in OPEN_ROUTES:
        if route == STORY_ROUTE:
            state[PERMIT] = await server.rate_limits.acquire_story(address, gone)
        elif method != "WEBSOCKET":
            state[PERMIT] = await server.rate_limits.acquire(f"@{address}", ANONYMOUS, gone)
        return
    caller = await server.authenticate(_token(connection), address)
    allowed = ALLOWED_ROLES.get(route, frozenset())
    if caller.role not in allowed:
        raise NotAllowed(ROLE_MESSAGES.get(allowed, "nobody may do this"))
    fight = connection.path_params.get("fight")
    if fight is not None and caller.fight not in (None, fight):
        raise NotAllowed("this token is for another fight")
    state["caller"] = caller
    state[PERMIT] = await server.rate_limits.acquire(caller.lane, caller.allowance, gone, fight=caller.of_fight)
    await server.check_fight(caller)


def _token(connection: Connection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotAuthenticated("say who you are: Authorization: Bearer TOKEN")
    return token.strip()


async def provide_server(request: Request[object, object, AppState]) -> ServerState:
    """Provide the server's state, which the routes share.

    Raises:
        NotAuthenticated: while the body came in, the fight was removed and another one begun under its name.
    """
    found: ServerState = request.app.state.server
    if "caller" in request.scope["state"]:
        await found.check_fight(request.scope["state"]["caller"])
    return found


async def provide_caller(
    request: Request[object, object, AppState], server: NamedDependency[ServerState]
) -> AuthenticatedCaller:
    """Provide the client that the guard authenticated."""
    found: AuthenticatedCaller = request.scope["state"]["caller"]
    return found


async def provide_viewer(caller: NamedDependency[AuthenticatedCaller]) -> Viewer:
    """Provide the client's role and name in the fight."""
    return caller.viewer


TheFight = Annotated[str, PathParameter(max_length=MANY, description="The name of a fight.")]
TheServer = NamedDependency[ServerState]
TheCaller = NamedDependency[AuthenticatedCaller]
TheViewer = NamedDependency[Viewer]
