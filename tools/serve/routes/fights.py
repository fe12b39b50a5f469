"""Fights: which there are, opening one, forking one, letting somebody in."""

from __future__ import annotations

import tomllib
from typing import Any

from litestar import get, post
from litestar.params import JSONBody

from affray import __version__
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.forking import Fork
from affray.engine.hiding import Viewer
from affray.tools.serve.entering import TheEntrant, TheFight, TheServing, TheViewer
from affray.tools.serve.links import links
from affray.tools.serve.refusing import refusals
from affray.tools.serve.viewing import check_said, waiting_for
from affray.tools.serve.wire import About, Fights, Forking, Granted, Granting, Health, Listed, Opened, Opening


@get("/api/health", responses=refusals())
async def health() -> Health:
    """Say that the server is at work."""
    return Health(ok=True, version=__version__)


@get("/api/fights", responses=refusals(401, 403, 503))
async def listed(serving: TheServing, entrant: TheEntrant) -> Fights:
    """List the fights that one may enter."""
    names = await serving.fights.names() if entrant.fight is None else [entrant.fight]
    return Fights([Listed(name, entrant.viewer) for name in names])


@post("/api/fights", responses=refusals(400, 401, 403, 409, 413, 422, 503))
async def opened(serving: TheServing, data: JSONBody[Opening]) -> Opened:
    """Open a fight from an encounter, and return the links for those who take part."""
    content = _content(data)
    await serving.fights.begin(data.id, content, "gm", data.dice)
    return await _opened(serving, data.id, content)


@post("/api/fights/{fight:str}/fork", responses=refusals(400, 401, 403, 404, 409, 413, 503))
async def forked(serving: TheServing, fight: TheFight, data: JSONBody[Forking], viewer: TheViewer) -> Opened:
    """Begin a what-if from any point of a fight, as a fight of its own."""
    async with serving.fights.using(fight) as found:
        check_said(found, data.reason, "reason")
        wanted = Fork(parent=fight, name=data.id, at=data.at, who=viewer.name, reason=data.reason)
        await serving.fights.fork(wanted)
    return await _opened(serving, data.id, {})


@get("/api/fights/{fight:str}", responses=refusals(400, 401, 403, 404, 503))
async def about(serving: TheServing, fight: TheFight, viewer: TheViewer) -> About:
    """Say what a fight is, how far it has come, and for whom it waits."""
    async with serving.fights.using(fight) as found:
        return _about(fight, found, viewer)


@post("/api/fights/{fight:str}/grants", responses=refusals(400, 401, 403, 404, 413, 503))
async def granted(serving: TheServing, fight: TheFight, data: JSONBody[Granting]) -> Granted:
    """Let somebody in: return their token and link, which are shown only once."""
    if not data.name.isprintable():
        raise Unusable("must have printable characters", "name")
    async with serving.fights.using(fight) as found:
        for who in data.owns:
            if who not in found.state.combatants:
                there = ", ".join(found.state.combatants)
                raise Unusable(f"there is no {who} in this fight; there are {there}", "owns")
    viewer = Viewer(role=data.role, name=data.name, owns=data.owns)
    token = await serving.token(fight, viewer)
    return Granted(token=token, link=serving.link(fight, token))


def _content(data: JSONBody[Opening]) -> dict[str, Any]:
    if (data.encounter is None) == (data.toml is None):
        raise Unusable("give the encounter either as an object or as toml", "encounter")
    if data.encounter is not None:
        return data.encounter
    try:
        return tomllib.loads(data.toml or "")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unusable(f"not TOML: {error}", "toml") from None


async def _opened(serving: TheServing, name: str, content: dict[str, Any]) -> Opened:
    async with serving.fights.using(name) as fight:
        state, head = fight.state, fight.head
    return Opened(id=name, head=head, links=await links(serving, name, content, state))


def _about(name: str, fight: Fight, viewer: TheViewer) -> About:
    state, rules, history = fight.state, fight.ruleset, fight.history
    return About(
        id=name,
        name=state.fight,
        system=rules.name,
        title=rules.title,
        version=history.version,
        map=rules.map,
        head=fight.head,
        hash=history.head_hash,
        closed=bool(history.closed),
        ended=state.ended,
        you=viewer,
        waiting=waiting_for(viewer, fight),
    )


ROUTES = [health, listed, opened, forked, about, granted]
