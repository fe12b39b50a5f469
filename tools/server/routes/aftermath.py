"""Routes for a finished fight: its costs, and its origin."""

from affray.tools.api.fight_origin import Origin
from affray.tools.api.schemas.documents import FightCost, OpenedFrom
from affray.tools.encounters.library.examples import sides_in
from affray.tools.encounters.party.costs import tell_cost
from affray.tools.server.auth import TheFight, TheServer, TheViewer
from affray.tools.server.fight_origins import load_origin
from affray.tools.server.routing import route


@route
async def get_cost(server: TheServer, fight: TheFight, viewer: TheViewer) -> FightCost:
    """List the lasting costs of a fight so far, for every combatant that the viewer sees."""
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(found, tell_cost, viewer, found)


@route
async def get_origin(server: TheServer, fight: TheFight) -> OpenedFrom:
    """Return the encounter and the party that a fight was created from, as far as they are known, and its sides."""
    async with server.fights.lock(fight) as found:
        there = {one.side: "" for one in found.state.combatants.values()}
    known = await load_origin(server, fight) or Origin({})
    return OpenedFrom(known.saved, known.party, list(sides_in(known.encounter) or there), bool(known.encounter))
