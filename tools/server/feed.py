"""The feed of a fight as Server-Sent Events."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from litestar import get
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream
from msgspec import to_builtins

from .auth import TheEntrant, TheServing
from .error_mapping import refusals
from .messages import Batch, Beat, encode
from .subscription import Follower, Hears

FAR = 2**53
"""The largest position; beyond it JavaScript has no whole numbers."""

EVENT_STREAM = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
EXAMPLE = 'id: 30\nevent: line\ndata: {"position":30,…}\n\nevent: ready\ndata: {"head":30}\n\n: \n\n'


@get(
    "/api/fights/{fight:str}/feed",
    media_type=EVENT_STREAM,
    responses={
        200: ResponseSpec(
            str,
            media_type=EVENT_STREAM,
            description="The stream; it ends only if cut off.",
            generate_examples=False,
            examples=[Example(value=EXAMPLE)],
        ),
        **refusals(400, 401, 403, 404, 409, 429, 503),
    },
)
async def feed(
    serving: TheServing,
    entrant: TheEntrant,
    fight: FromPath[str],
    after: Annotated[int | None, QueryParameter(ge=0, le=FAR, description="The last position known already.")] = None,
    last_event_id: Annotated[
        int | None,
        HeaderParameter(name="Last-Event-ID", ge=0, le=FAR, description="The same, as browsers send it; it wins."),
    ] = None,
    present: Annotated[bool, QueryParameter(description="Tell when somebody who plays comes or goes.")] = False,
    headline: Annotated[bool, QueryParameter(description="Tell whose turn it is, whenever that changes.")] = False,
    scene: Annotated[bool, QueryParameter(description="Tell when what one may see of the pictures changes.")] = False,
) -> Stream:
    """Follow a fight, live and from any position.

    A ``snapshot`` (data: position, hash, state, bands) replaces the state one has. A ``line`` (its id is its position)
    whose position is not behind that of one's state is for the record only; any other is folded. Without a position to
    begin behind, a snapshot of the present comes first; later ones come, before the lines they cover, whenever the
    state does not follow from what the viewer may read. ``opened`` (data: a line; no id) is an earlier line that was
    sealed and can be read from now on, to take the place of the one that one has, if any: secret rolls come so before
    the line that closes the record. ``ready`` (data: head) tells that everything up to the head was
    sent. ``lagging`` tells a reader that is too slow that it is cut off, to come again with its last position.
    With ``present``, an event of that name tells that somebody who plays has come or gone; with ``headline``, one of
    that name (data: head, says) whose turn it is, or whom the table waits for, at first and whenever that changes; with
    ``scene``, one of that name that the pictures are others than they were, as far as one may see them.
    ``halted`` tells that the log was changed under the server: the fight stands still. Comments are signs of life.
    """
    known = after if last_event_id is None else last_event_id
    follower = await serving.hub.follow(
        fight, entrant.viewer, known, entrant.key, Hears(present, headline, scene), entrant.forks
    )
    return Stream(events(follower), media_type=EVENT_STREAM, headers=HEADERS)


async def events(follower: Follower) -> AsyncGenerator[bytes]:
    """Yield what is sent to a follower, in the form of this route."""
    async with aclosing(follower.messages()) as messages:
        async for message in messages:
            match message:
                case Batch():
                    yield message.form(sse)
                case Beat():
                    yield b": \n\n"
                case _:
                    told = to_builtins(message)
                    yield b"event: %b\ndata: %b\n\n" % (told.pop("type").encode(), encode(told))


def sse(batch: Batch) -> bytes:
    """Write lines, and before them the state and what they opened, in the form of this route."""
    parts = [] if batch.snapshot is None else [b"event: snapshot\ndata: %b\n\n" % batch.snapshot]
    parts += [b"event: opened\ndata: %b\n\n" % line for line in batch.opened]
    parts += [b"id: %d\nevent: line\ndata: %b\n\n" % line for line in batch.lines]
    return b"".join(parts)
