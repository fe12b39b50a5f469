"""Routes for a finished fight: its costs, and its origin."""

from litestar import get

from affray.tools.api.fight_origin import Origin
from affray.tools.api.schemas.documents import Cost, OpenedFrom
from affray.tools.encounters.library.examples import sides_in
from affray.tools.encounters.party.costs import costs_of
from affray.tools.server import viewer_queries
from affray.tools.server.auth import TheFight, TheServer, TheViewer
from affray.tools.server.error_mapping import problem_responses
from affray.tools.server.fight_origins import load_origin


@get("/api/fights/{fight:str}/cost", responses=problem_responses(400, 401, 403, 404, 409, 503))
async def get_cost(server: TheServer, fight: TheFight, viewer: TheViewer) -> Cost:
    """List the lasting costs of a fight so far, for every combatant that the viewer sees."""
    async with server.fights.lock_for_reading(fight) as found:
        lines = await server.fights.run_on(found, costs_of, found, viewer)
        return Cost(found.head, lines, viewer_queries.sees_all(viewer, found))


@get("/api/fights/{fight:str}/origin", responses=problem_responses(400, 401, 403, 404, 409, 503))
async def get_origin(server: TheServer, fight: TheFight) -> OpenedFrom:
    """Return the encounter and the party that a fight was created from, as far as they are known, and its sides."""
    async with server.fights.lock(fight) as found:
        there = {one.side: "" for one in found.state.combatants.values()}
    known = await load_origin(server, fight) or Origin({})
    return OpenedFrom(known.saved, known.party, list(sides_in(known.encounter) or there), bool(known.encounter))


ROUTES = [get_cost, get_origin]
