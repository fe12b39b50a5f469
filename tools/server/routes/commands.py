"""Routes that change a fight: commands, and the preview of an amendment."""

from typing import Any

from litestar.datastructures import State as AppState
from litestar.params import JSONBody

from affray.engine.commands import Amend
from affray.engine.errors import OutOfDate, Unusable
from affray.tools.api.amendment_preview import Preview
from affray.tools.api.intents import name_sent_fields
from affray.tools.api.queries import preview_of
from affray.tools.api.schemas.fights import Carried
from affray.tools.server.auth import TheCaller, TheFight, TheServer, TheViewer
from affray.tools.server.commands import carry_out, split_command
from affray.tools.server.routing import route


@route
async def send_command(state: AppState, fight: TheFight, caller: TheCaller, data: JSONBody[dict[str, Any]]) -> Carried:
    """Carry out a command: an intent with a new id, and perhaps the expected head.

    A command with a known id is not carried out again, and gets the same answer (``repeated``). If the fight has moved
    on from the expected head, nothing is done, and the problem (409, ``out_of_date``) has the present head. A fight
    that would go on differently under the present rules answers everything with 409, ``diverged``. Only the game
    master's ``Undo`` to the position that the problem names mends it.
    """
    return await carry_out(state, fight, caller, data)


@route
async def preview_amendment(
    server: TheServer, fight: TheFight, viewer: TheViewer, data: JSONBody[dict[str, Any]]
) -> Preview:
    """Preview an amendment before it is sent as a command.

    ``instead`` is the corrected input; nothing, to retract the input; or a forgotten input, followed by the original
    one. Later commands happen again with the same dice and answers. ``dropped`` lists the commands that no longer fit,
    and why. Accepting the amendment accepts that.

    ``needs`` is a question, a window or real dice that the fight did not have before. Add an ``Answered``, ``Passed``
    (or a ``Declared`` that uses the window) or ``DiceEntered`` for it to the amendment's ``answers``, and preview
    again, until nothing is needed. An amendment sent before that is refused (422, ``answer_needed``). An answer that
    nothing asks for is refused (400).

    If a preview rolls unseen dice, the look is recorded under this request's id. The command that accepts the amendment
    has another id. Dice of another size, or more dice of the same roll, are recorded again. A preview that is refused
    after such dice is recorded too, since a refusal reveals them.
    """
    id, expected, amend = split_command(data)
    if not isinstance(amend, Amend):
        raise Unusable("must be an Amend", "intent.type")
    fights = server.fights
    async with fights.lock(fight) as found:
        before = found.head
        if expected not in (None, before):
            raise OutOfDate(expected or 0, before, found.history.head_hash)
        try:
            with name_sent_fields(found, amend):
                return await fights.run_on(found, preview_of, found, amend, viewer.name, id)
        finally:
            if found.head != before:
                server.hub.schedule_update(fight)
