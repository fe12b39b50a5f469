"""When a fight is over: what it cost everybody, and what it was opened from."""

from litestar import get

from affray.tools.library.shipped import sides_in
from affray.tools.origin import Origin
from affray.tools.party.costs import costs_of
from affray.tools.serve import viewing
from affray.tools.serve.auth import TheFight, TheServing, TheViewer
from affray.tools.serve.origins import origin_of
from affray.tools.serve.refusing import refusals
from affray.tools.serve.wire_kept import Cost, OpenedFrom


@get("/api/fights/{fight:str}/cost", responses=refusals(400, 401, 403, 404, 409, 503))
async def cost(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Cost:
    """Return what a fight has cost everybody whom the viewer sees, by now, line by line: what of theirs lasts."""
    async with serving.fights.reading(fight) as found:
        lines = await serving.fights.doing(found, costs_of, found, viewer)
        return Cost(found.head, lines, viewing.sees_all(viewer, found))


@get("/api/fights/{fight:str}/origin", responses=refusals(400, 401, 403, 404, 409, 503))
async def origin(serving: TheServing, fight: TheFight) -> OpenedFrom:
    """Return what a fight was opened from, as far as that is known: the encounter, the party, and who stands where."""
    async with serving.fights.using(fight) as found:
        there = {one.side: "" for one in found.state.combatants.values()}
    known = await origin_of(serving, fight) or Origin({})
    return OpenedFrom(known.saved, known.party, list(sides_in(known.encounter) or there), bool(known.encounter))


ROUTES = [cost, origin]
