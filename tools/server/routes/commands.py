"""Changing a fight: commands, and what an amendment would come to."""

from typing import Any

from litestar import post
from litestar.datastructures import State as AppState
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from affray.engine.commands import Amend
from affray.engine.errors import OutOfDate, Unusable
from affray.tools.api.amendment_preview import Preview
from affray.tools.api.intents import placed
from affray.tools.api.queries import preview_of
from affray.tools.api.schemas.fights import Carried
from affray.tools.server.auth import TheFight, TheServing, TheViewer
from affray.tools.server.commands import carry_out, parts
from affray.tools.server.error_mapping import refusals


@post(
    "/api/fights/{fight:str}/commands",
    status_code=HTTP_200_OK,
    responses=refusals(400, 401, 403, 404, 409, 413, 422, 503),
)
async def commands(state: AppState, fight: TheFight, viewer: TheViewer, data: JSONBody[dict[str, Any]]) -> Carried:
    """Carry out a command: what it is, under an id of its own, and perhaps the head its sender believes in.

    Sent again with the same id it is not done again, and answers the same (``repeated``). If the fight has moved on
    from the expected head, nothing is done and the problem (409, ``out_of_date``) tells the present one. A fight that
    would go on differently under the present rules answers everything with 409, ``diverged``: only the game master's
    ``Undo`` to the position that the problem names mends it.
    """
    return await carry_out(state, fight, viewer, data)


@post(
    "/api/fights/{fight:str}/preview",
    status_code=HTTP_200_OK,
    responses=refusals(400, 401, 403, 404, 409, 413, 422, 503),
)
async def preview(serving: TheServing, fight: TheFight, viewer: TheViewer, data: JSONBody[dict[str, Any]]) -> Preview:
    """Return what an amendment would come to, before it is sent as a command.

    ``instead`` is what should have been: the corrected input; nothing, to retract it; or what was forgotten, and then
    the input as it was. What was done later happens again with the same dice and answers. ``dropped`` names what has no
    place any more, and why: accepting the amendment accepts that. ``needs`` is a question, a window or real dice that
    nobody was asked for before: add an ``Answered``, ``Passed`` (or a ``Declared`` that uses the window) or
    ``DiceEntered`` for it to the amendment's ``answers`` and look again, until nothing is needed; sent before that it
    is refused (422, ``answer_needed``). An answer that nothing asks for is refused (400).

    If dice fall that nobody had seen, that somebody looked is put on record, under this request's id; the command
    that accepts the amendment has another. Dice of another size, or more dice of the same roll, are recorded again.
    A preview that is refused behind such dice is recorded alike: a refusal tells of them, too.
    """
    id, expected, amend = parts(data)
    if not isinstance(amend, Amend):
        raise Unusable("must be an Amend", "intent.type")
    fights = serving.fights
    async with fights.using(fight) as found:
        before = found.head
        if expected not in (None, before):
            raise OutOfDate(expected or 0, before, found.history.head_hash)
        try:
            with placed(found, amend):
                return await fights.doing(found, preview_of, found, amend, viewer.name, id)
        finally:
            if found.head != before:
                serving.hub.changed(fight)


ROUTES = [commands, preview]
