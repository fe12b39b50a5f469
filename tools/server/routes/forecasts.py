"""Routes for forecasts of a fight: the odds from a position on, and the luck analysis."""

from typing import Annotated

from litestar.params import JSONBody, PathParameter

from affray.engine.commands import MANY
from affray.engine.fight import Fight
from affray.engine.stores import Store
from affray.tools.api.schemas import fights as schemas
from affray.tools.api.schemas.forecasts import Wish, check_wish
from affray.tools.server.auth import TheCaller, TheFight, TheServer, TheViewer
from affray.tools.server.routes.exports import must_see_all
from affray.tools.server.routing import route

ForecastId = Annotated[str, PathParameter(max_length=MANY, description="The id of a forecast.")]


@route
async def request_forecast(
    server: TheServer, fight: TheFight, caller: TheCaller, data: JSONBody[Wish]
) -> schemas.Forecast:
    """Begin a forecast of a fight at its present head; ask again for its progress.

    It uses the whole record: refused (403) to a viewer who does not see everything. It reads no secret seed, and writes
    nothing to the fight. The number of open forecasts is limited (429).
    """
    check_wish(data)
    async with server.fights.lock_for_reading(fight) as found:
        must_see_all(caller.viewer, found)
        head, hash, forecasts = found.head, found.history.head_hash, server.forecasts
        known = forecasts.join(fight, hash, data, caller.share)
        if known is not None:
            return known
        rules = caller.viewer.role == "gm"
        forecasts.check_room(head, caller.share, fight, rules=rules)  # before a long log is read
        lines = await server.fights.run_on(found, _lines, server.fights.store, found)
        return forecasts.begin(fight, head, hash, data, lines, caller.share)


def _lines(store: Store, fight: Fight) -> list[bytes]:
    return list(store.since(fight.name, 0))[: fight.head]


@route
async def list_forecasts(server: TheServer, fight: TheFight, viewer: TheViewer) -> schemas.Forecasts:
    """List the forecasts of a fight, with their progress and results.

    Refused (403) to a viewer who does not see everything.
    """
    async with server.fights.lock(fight) as found:
        must_see_all(viewer, found)
    return schemas.Forecasts(server.forecasts.list_of_fight(fight))


@route
async def get_forecast(server: TheServer, fight: TheFight, viewer: TheViewer, id: ForecastId) -> schemas.Forecast:
    """Return a forecast, with its progress and results.

    Refused (403) to a viewer who does not see everything.
    """
    async with server.fights.lock(fight) as found:
        must_see_all(viewer, found)
    return server.forecasts.get_forecast(fight, id)


@route
async def drop_forecast(server: TheServer, fight: TheFight, caller: TheCaller, id: ForecastId) -> schemas.Forecasts:
    """Drop a forecast, and return those that are left.

    It is cancelled when every client that asked for it has dropped it, or when a game master drops it.
    """
    async with server.fights.lock(fight) as found:
        must_see_all(caller.viewer, found)
    server.forecasts.drop(fight, id, caller.share, for_all=caller.viewer.role == "gm")
    return schemas.Forecasts(server.forecasts.list_of_fight(fight))
