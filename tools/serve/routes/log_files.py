"""Log files that a visitor sends, without a token, to read them as a story."""

from anyio import to_thread
from litestar import post
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.params import JSONBody

from affray.engine.errors import Unusable
from affray.engine.history.log import read_log
from affray.engine.history.plausibility import must_make_sense
from affray.engine.history.timeline import History
from affray.engine.stores.given import MOST_BYTES
from affray.engine.stores.lines import SHORTEST_LINE, split_log
from affray.events import LogError
from affray.tools.headlines import headlines as headlines_of
from affray.tools.serve import wire
from affray.tools.serve.auth import TheServing
from affray.tools.serve.refusing import refusals
from affray.tools.story.entries import entries
from affray.tools.story.telling import sentence
from affray.tools.story.words import names_of

LONGEST = MOST_BYTES
"""The longest body of a request that sends a log file."""


@post("/api/told", status_code=200, responses=refusals(400, 413), request_max_body_size=LONGEST)
async def told(serving: TheServing, data: JSONBody[wire.Telling]) -> wire.Told:
    """Tell a log file in sentences, without keeping it.

    Lines are read as `affray replay --unverified` reads them: up to the last whole command. A line that it refuses is
    refused here. The server reads one file at a time.
    """
    if data.log.count("\n") > 1 + len(data.log) // SHORTEST_LINE:
        raise RequestEntityTooLarge(f"the log has too many lines: an event has {SHORTEST_LINE} bytes or more")
    return await to_thread.run_sync(_told, data.log, limiter=serving.telling)


def _told(log: str) -> wire.Told:
    try:
        recorded = read_log(split_log(log.encode()), verified=False)
        must_make_sense(recorded)
        History(recorded)
    except LogError as error:
        raise Unusable(str(error), "log") from None
    names = names_of(recorded)
    says = [sentence(one.event, names) for one in recorded]
    return wire.Told(says, entries(recorded), headlines_of(recorded), names.words, names.map, names.title)


ROUTES = [told]
