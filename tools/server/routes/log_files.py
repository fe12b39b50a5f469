"""Route that tells the story of a log file, which any visitor may send without a token."""

from functools import partial

from litestar import Response
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.params import JSONBody

from affray.engine.errors import Unusable
from affray.engine.logger import Logger
from affray.engine.stores.lines import SHORTEST_LINE
from affray.tools.api.schemas import fights as schemas
from affray.tools.server.auth import TheServer
from affray.tools.server.log_file_story import UNREADABLE
from affray.tools.server.routing import route
from affray.tools.server.worker_processes import TOO_MUCH, end_process, start_process, write_input

LONGEST = 8 << 20
"""The longest body with a log file, in bytes."""

LONGEST_ANSWER = 4 * LONGEST
"""The longest story of a log file, in bytes."""

_log = Logger(__name__)


@partial(route, request_max_body_size=LONGEST)
async def tell_log_file(server: TheServer, data: JSONBody[schemas.Telling]) -> Response[schemas.Told]:
    """Tell the story of a log file in sentences, without storing it.

    The file is read as ``affray replay --unverified`` reads it: up to the last whole command. A line that the command
    refuses is refused here too. The server reads one file at a time, in a process of its own.
    """
    if data.log.count("\n") > 1 + len(data.log) // SHORTEST_LINE:
        raise RequestEntityTooLarge(f"the log has too many lines: an event has {SHORTEST_LINE} bytes or more")
    async with server.story_slots:
        code, said = await _run_story_process(data.log.encode())
    if code in TOO_MUCH or len(said) > LONGEST_ANSWER:
        raise RequestEntityTooLarge("the log takes more time or memory to tell than there is for it here")
    if code == UNREADABLE:
        raise Unusable(said.decode(), "log")
    if code:
        _log.error("broke_off_telling", code=code)
        raise RuntimeError(f"a log could not be told: exit code {code}")
    return Response(said, media_type="application/json")  # type: ignore[arg-type]


async def _run_story_process(log: bytes) -> tuple[int, bytes]:
    """Run a process that tells a log; return its exit code and its output."""
    process = await start_process("affray.tools.server.log_file_story", LONGEST_ANSWER)
    try:
        await write_input(process, log)
        assert process.stdout is not None
        said = b""
        while len(said) <= LONGEST_ANSWER and (part := await process.stdout.read(1 << 16)):
            said += part
        return await process.wait() if len(said) <= LONGEST_ANSWER else 0, said
    finally:
        await end_process(process)
