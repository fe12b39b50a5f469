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

from .rate_limits import ANONYMOUS, GONE, TURN
from .roles import GM, HOST, MAY, OPEN, PLAYERS
from .server_state import Entrant, NotAllowed, NotKnown, Serving

Connection = ASGIConnection[Any, Any, Any, AppState]

ONLY = {
    HOST: "only whoever holds the host's token may begin a fight, or see what one could be begun from",
    GM: "only the game master and the host may do this",
    PLAYERS: "spectators only look on",
}
"""The message to roles that may not use a route, by the roles that may."""

TOLD = ("POST", "/api/told")
"""The open route whose body is a whole log; it has rate-limit lanes of its own."""


async def guard(connection: Connection, _: BaseRouteHandler) -> None:
    """Authenticate a request, and refuse it unless the table of roles allows it.

    Raises:
        NotKnown: no token, or an unknown one.
        NotAllowed: the role may not use this route, or the token is for another fight.
        TooFast: too many requests of its link are queued already.
    """
    method = connection.method if isinstance(connection, Request) else "WEBSOCKET"
    route = str(method), connection.scope["path_template"]
    serving: Serving = connection.app.state.serving
    address = connection.client.host if connection.client else ""
    state = connection.scope["state"]
    gone = state.get(GONE, bool)
    if route in OPEN:
        if route == TOLD:
            state[TURN] = await serving.turns.begin_telling(address, gone)
        elif method != "WEBSOCKET":
            state[TURN] = await serving.turns.begin(f"@{address}", ANONYMOUS, gone)
        return
    entrant = await serving.entrant(_token(connection), address)
    allowed = MAY.get(route, frozenset())
    if entrant.role not in allowed:
        raise NotAllowed(ONLY.get(allowed, "nobody may do this"))
    fight = connection.path_params.get("fight")
    if fight is not None and entrant.fight not in (None, fight):
        raise NotAllowed("this token is for another fight")
    state["entrant"] = entrant
    state[TURN] = await serving.turns.begin(entrant.lane, entrant.allowance, gone)
    await serving.check_fight(entrant)


def _token(connection: Connection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotKnown("say who you are: Authorization: Bearer TOKEN")
    return token.strip()


async def serving(request: Request[object, object, AppState]) -> Serving:
    """Provide the server's state, which the routes share.

    Raises:
        NotKnown: while the body came in, the fight was removed and another one begun under its name.
    """
    found: Serving = request.app.state.serving
    if "entrant" in request.scope["state"]:
        await found.check_fight(request.scope["state"]["entrant"])
    return found


async def entrant(request: Request[object, object, AppState], serving: NamedDependency[Serving]) -> Entrant:
    """Provide the client that the guard authenticated."""
    found: Entrant = request.scope["state"]["entrant"]
    return found


async def viewer(entrant: NamedDependency[Entrant]) -> Viewer:
    """Provide the client's role and name in the fight."""
    return entrant.viewer


TheFight = Annotated[str, PathParameter(max_length=MANY, description="The name of a fight.")]
TheServing = NamedDependency[Serving]
TheEntrant = NamedDependency[Entrant]
TheViewer = NamedDependency[Viewer]
