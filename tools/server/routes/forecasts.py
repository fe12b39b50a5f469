"""Routes for forecasts of a fight: the odds from a position on, and the luck analysis."""

from typing import Annotated

from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter

from affray.engine.commands import MANY
from affray.engine.fight import Fight
from affray.engine.stores import Store
from affray.tools.api.schemas import fights as schemas
from affray.tools.api.schemas.forecasts import Wish
from affray.tools.server.auth import TheEntrant, TheFight, TheServing, TheViewer
from affray.tools.server.error_mapping import refusals
from affray.tools.server.forecast_process import check_wish
from affray.tools.server.routes.exports import check_sees_all

ForecastId = Annotated[str, PathParameter(max_length=MANY, description="The id of a forecast.")]


@post("/api/fights/{fight:str}/forecasts", responses=refusals(400, 401, 403, 404, 409, 413, 429, 503))
async def foresee(serving: TheServing, fight: TheFight, entrant: TheEntrant, data: JSONBody[Wish]) -> schemas.Forecast:
    """Begin a forecast of a fight at its present head; ask again for its progress.

    It uses the whole record: refused (403) to a viewer from whom something of the fight is hidden. It reads no secret
    seed, and writes nothing to the fight. The number of open forecasts is limited (429).
    """
    check_wish(data)
    async with serving.fights.reading(fight) as found:
        check_sees_all(entrant.viewer, found)
        head, hash, forecasts = found.head, found.history.head_hash, serving.forecasts
        known = forecasts.joined(fight, hash, data, entrant.share)
        if known is not None:
            return known
        forecasts.check_room(head, entrant.share, rules=entrant.viewer.role == "gm")  # before a long log is read
        lines = await serving.fights.doing(found, _lines, serving.fights.store, found)
        return forecasts.begin(fight, head, hash, data, lines, entrant.share)


def _lines(store: Store, fight: Fight) -> list[bytes]:
    return list(store.since(fight.name, 0))[: fight.head]


@get("/api/fights/{fight:str}/forecasts", responses=refusals(400, 401, 403, 404, 409, 503))
async def forecasts(serving: TheServing, fight: TheFight, viewer: TheViewer) -> schemas.Forecasts:
    """List the forecasts of a fight, with their progress and results.

    Refused (403) to a viewer from whom something of the fight is hidden.
    """
    async with serving.fights.using(fight) as found:
        check_sees_all(viewer, found)
    return schemas.Forecasts(serving.forecasts.of(fight))


@get("/api/fights/{fight:str}/forecasts/{id:str}", responses=refusals(400, 401, 403, 404, 409, 503))
async def forecast(serving: TheServing, fight: TheFight, viewer: TheViewer, id: ForecastId) -> schemas.Forecast:
    """Return a forecast, with its progress and results.

    Refused (403) to a viewer from whom something of the fight is hidden.
    """
    async with serving.fights.using(fight) as found:
        check_sees_all(viewer, found)
    return serving.forecasts.one(fight, id)


@delete("/api/fights/{fight:str}/forecasts/{id:str}", status_code=200, responses=refusals(400, 401, 403, 404, 409, 503))
async def drop(serving: TheServing, fight: TheFight, entrant: TheEntrant, id: ForecastId) -> schemas.Forecasts:
    """Drop a forecast, and return those that are left.

    It is cancelled when every client that asked for it has dropped it, or when a game master drops it.
    """
    async with serving.fights.using(fight) as found:
        check_sees_all(entrant.viewer, found)
    serving.forecasts.drop(fight, id, entrant.share, for_all=entrant.viewer.role == "gm")
    return schemas.Forecasts(serving.forecasts.of(fight))


ROUTES = [foresee, forecasts, forecast, drop]
