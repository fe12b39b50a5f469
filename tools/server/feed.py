"""Feed of a fight as Server-Sent Events."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Annotated

from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream
from msgspec import to_builtins

from affray.tools.api.schemas.feed import Heartbeat

from .auth import TheCaller, TheFight, TheServer
from .messages import Batch, encode
from .routing import route
from .subscription import FeedOptions, Subscription

FAR = 2**53
"""The largest position; JavaScript has no exact integers beyond it."""

EVENT_STREAM = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
EXAMPLE = 'id: 30\nevent: line\ndata: {"position":30,…}\n\nevent: ready\ndata: {"head":30}\n\n: \n\n'


@partial(route, examples=[Example(value=EXAMPLE)])
async def feed(
    server: TheServer,
    caller: TheCaller,
    fight: TheFight,
    after: Annotated[
        int | None,
        QueryParameter(ge=0, le=FAR, description="The last position that the client has; the feed goes on behind it."),
    ] = None,
    last_event_id: Annotated[
        int | None,
        HeaderParameter(
            name="Last-Event-ID",
            ge=0,
            le=FAR,
            description="The same as ``after``, as browsers send it; it takes precedence.",
        ),
    ] = None,
    present: Annotated[
        bool, QueryParameter(description="Send a message when a player or game master comes or goes.")
    ] = False,
    headline: Annotated[bool, QueryParameter(description="Send the headline whenever it changes.")] = False,
    scene: Annotated[bool, QueryParameter(description="Send a message when the visible scene changes.")] = False,
    settled: Annotated[
        bool, QueryParameter(description="Send a message whenever all recorded lines were sent.")
    ] = False,
) -> Stream:
    """Follow a fight, live and from any position.

    A ``snapshot`` (data: position, hash, state, bands) replaces the client's state. A ``line`` carries its position as
    its id. The client folds it, unless its position is not behind that of the state: then it is for the record only.

    Without a known position, a snapshot of the present comes first. Later snapshots come, before the lines that they
    cover, whenever the state does not follow from the lines that the viewer may read.

    ``opened`` (data: a line; no id) is an earlier, sealed line that the viewer can read from now on. It replaces the
    client's copy of that line, if there is one. Secret rolls come so before the line that closes the record.

    ``ready`` (data: head) tells that everything up to the head was sent. ``lagging`` tells a slow client that its
    stream ends; it may come again with its last position. ``halted`` tells that the log was changed under the server:
    the fight stands still. Comments are heartbeats.

    With ``present``, an event of that name tells that a player has come or gone. With ``headline``, an event of that
    name (data: head, says) tells whose turn it is, or whom the table waits for, at first and whenever that changes.
    With ``scene``, an event of that name tells that the pictures have changed, as far as the viewer may see them.
    With ``settled``, an event of that name (data: head) follows the lines of each change, when the change is complete.
    """
    known = after if last_event_id is None else last_event_id
    follower = await server.hub.follow(
        fight, caller.viewer, known, caller.key, FeedOptions(present, headline, scene, settled), caller.forks
    )
    return Stream(encode_messages(follower), media_type=EVENT_STREAM, headers=HEADERS)


async def encode_messages(follower: Subscription) -> AsyncGenerator[bytes]:
    """Yield the messages of a follower as Server-Sent Events."""
    async with aclosing(follower.messages()) as messages:
        async for message in messages:
            match message:
                case Batch():
                    yield message.encode_once(encode_batch)
                case Heartbeat():
                    yield b": \n\n"
                case _:
                    told = to_builtins(message)
                    yield b"event: %b\ndata: %b\n\n" % (told.pop("type").encode(), encode(told))


def encode_batch(batch: Batch) -> bytes:
    """Encode a batch: its snapshot, the lines that it opened, and its lines."""
    parts = [] if batch.snapshot is None else [b"event: snapshot\ndata: %b\n\n" % batch.snapshot]
    parts += [b"event: opened\ndata: %b\n\n" % line for line in batch.opened]
    parts += [b"id: %d\nevent: line\ndata: %b\n\n" % line for line in batch.lines]
    return b"".join(parts)
