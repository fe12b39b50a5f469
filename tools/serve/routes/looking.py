"""Looking at a fight: state, log, what may be done, rules, audit, explanations."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import PathParameter, QueryParameter
from msgspec import Raw

from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.hiding import bands, betrays, seen_by, visible
from affray.engine.state import digest
from affray.tools.answers import audit_of, explained, moment_of
from affray.tools.serve.entering import TheFight, TheServing, TheViewer
from affray.tools.serve.fights import Missing
from affray.tools.serve.refusing import refusals
from affray.tools.serve.serving import NotAllowed
from affray.tools.serve.viewing import legal_for, log_lines, sees_all
from affray.tools.serve.wire import LINES, Audited, Clause, Legal, Lines, Moment, RulingForm

MOST = 2**53
At = Annotated[int | None, QueryParameter(ge=1, le=MOST, description="As it was when this position was the last.")]
After = Annotated[int, QueryParameter(ge=0, le=MOST, description="The position behind which to begin.")]
Limit = Annotated[int, QueryParameter(ge=1, le=LINES, description="How many lines at most.")]
Position = Annotated[int, PathParameter(ge=1, le=MOST)]

LOOK = refusals(400, 401, 403, 404, 503)


@get("/api/fights/{fight:str}/state", responses=LOOK)
async def state(serving: TheServing, fight: TheFight, viewer: TheViewer, at: At = None) -> Moment:
    """Return the state, as it is or as it was."""
    async with serving.fights.using(fight) as found:
        full = sees_all(viewer, found)
        moment = moment_of(found) if at is None else await asyncio.to_thread(moment_of, found, at)
        if not full and found.history.at(moment["position"]).more:  # somebody may have joined who hides in a moment
            raise Unusable("is in the middle of a command", "at")
        whole = moment["state"]
    return Moment(
        position=moment["position"],
        hash=moment["hash"],
        state=seen_by(viewer, whole),
        digest=digest(whole) if full else "",
        bands=bands(viewer, whole),
    )


@get("/api/fights/{fight:str}/log", responses=LOOK)
async def log(serving: TheServing, fight: TheFight, viewer: TheViewer, after: After = 0, limit: Limit = LINES) -> Lines:
    """Return what was recorded behind a position."""
    fights = serving.fights
    async with fights.using(fight) as found:
        if after > found.head:
            raise Unusable(f"must be from 0 to {found.head}", "after")
        written = (await fights.aside(fights.store.since, fight, after))[:limit]
        return Lines(found.head, found.history.head_hash, log_lines(viewer, found, after, written))


@get("/api/fights/{fight:str}/legal", responses=LOOK)
async def legal(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Legal:
    """Return what this viewer may do now."""
    async with serving.fights.using(fight) as found:
        return Legal(found.head, legal_for(viewer, found))


@get("/api/fights/{fight:str}/clauses", responses=LOOK)
async def clauses(serving: TheServing, fight: TheFight) -> dict[str, Clause]:
    """Return the clauses of the fight's rules."""
    async with serving.fights.using(fight) as found:
        told = found.ruleset.clauses
    return {name: Clause(one.section, one.title, one.says) for name, one in told.items()}


@get("/api/fights/{fight:str}/rulings", responses=LOOK)
async def rulings(serving: TheServing, fight: TheFight) -> list[RulingForm]:
    """Return every ruling of the game master's, with what it needs to know."""
    async with serving.fights.using(fight) as found:
        forms = found.ruleset.rulings
    return [
        RulingForm(kind, form.says, form.words, form.people, form.things, msgspec.json.schema(form))
        for kind, form in forms.items()
    ]


@get("/api/fights/{fight:str}/audit", responses=LOOK)
async def audit(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Audited:
    """Return what can be proved of the record, the dice and the rules."""
    async with serving.fights.using(fight) as found:
        if not sees_all(viewer, found):
            raise NotAllowed("an audit shows everything, and some of this fight is hidden from you")
    return Audited(**await asyncio.to_thread(audit_of, serving.fights.reader(), fight))


@get("/api/fights/{fight:str}/explain/{position:int}", responses=LOOK)
async def explain(serving: TheServing, fight: TheFight, viewer: TheViewer, position: Position) -> Raw:
    """Say why an event is what it is."""
    async with serving.fights.using(fight) as found:
        missing = Missing(f"there is no position {position}")
        if not 1 <= position <= found.head or not visible(viewer, found.history.at(position)):
            raise missing
        told = await asyncio.to_thread(explained, found, position)
        if viewer.role != "gm" and not _may_read(viewer, found, told):
            raise missing
        return told


def _may_read(viewer: TheViewer, fight: Fight, told: Raw) -> bool:
    """Tell whether somebody may read everything that an explanation rests on, and the explanation itself."""
    parts: dict[str, Any] = msgspec.json.decode(told)
    rests_on = [row["position"] for part in ("chain", "consequences", "granted") for row in parts[part]]
    at = fight.history.at
    return all(visible(viewer, at(one)) for one in rests_on) and not betrays(viewer, fight.state, told)


ROUTES = [state, log, legal, clauses, rulings, audit, explain]
