"""Changing a fight: commands, and what an amendment would come to."""

from __future__ import annotations

from typing import Any

from litestar import post
from litestar.datastructures import State as AppState
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from affray.engine.commands import Amend
from affray.engine.errors import OutOfDate, Unusable
from affray.tools.answers import preview_of
from affray.tools.serve.carrying import carry_out, parts
from affray.tools.serve.entering import TheFight, TheServing, TheViewer
from affray.tools.serve.refusing import refusals
from affray.tools.serve.wire import Carried


@post(
    "/api/fights/{fight:str}/commands",
    status_code=HTTP_200_OK,
    responses=refusals(400, 401, 403, 404, 409, 413, 422, 503),
)
async def commands(state: AppState, fight: TheFight, viewer: TheViewer, data: JSONBody[dict[str, Any]]) -> Carried:
    """Carry out a command: what it is, under an id of its own, and perhaps the head its sender believes in."""
    return await carry_out(state, fight, viewer, data)


@post(
    "/api/fights/{fight:str}/preview",
    status_code=HTTP_200_OK,
    responses=refusals(400, 401, 403, 404, 409, 413, 422, 503),
)
async def preview(
    serving: TheServing, fight: TheFight, viewer: TheViewer, data: JSONBody[dict[str, Any]]
) -> dict[str, Any]:
    """Return what an amendment would come to; that dice fell which nobody had seen is put on record."""
    id, expected, amend = parts(data)
    if not isinstance(amend, Amend):
        raise Unusable("must be an Amend", "intent.type")
    fights = serving.fights
    async with fights.using(fight) as found:
        before = found.head
        if expected not in (None, before):
            raise OutOfDate(expected or 0, before, found.history.head_hash)
        seen = await fights.aside(preview_of, found, amend, viewer.name, id)
        head = found.head
    if head != before:
        serving.hub.changed(fight)
    return seen


ROUTES = [commands, preview]
