"""Feed of a fight over a WebSocket, which also takes commands."""

import asyncio
from contextlib import aclosing
from time import monotonic
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State as AppState
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from affray.engine.errors import Unusable
from affray.engine.visibility import Viewer
from affray.tools.api.schemas.feed import Halted, Lagging

from .commands import carry_out
from .error_mapping import problem_for
from .messages import Batch, Message, encode
from .server_state import AuthenticatedCaller, NotAuthenticated, ServerState
from .subscription import FeedOptions, Subscription

FIRST_SECONDS = 15
"""The most seconds for the first message, which brings the token."""

REFUSED = 4000
"""Close code: the first message was refused, or the token was revoked since. A problem message may come before it."""

LAGGING = 4008
"""Close code: the client is too slow; it may reconnect and continue from its last position."""

HALTED = 4009
"""Close code: the log was changed under the server; a client may reconnect once the log is whole again."""

SLOWED_SECONDS = 10.0
"""The least seconds between two messages that tell a client that its link's rate slows it."""

RESTARTING = 1012
"""Close code: the server stops."""

ENDS: dict[type[Message], int] = {Lagging: LAGGING, Halted: HALTED}
"""The last messages, with the close codes that follow them."""

Socket = WebSocket[Any, Any, AppState]


@websocket("/api/fights/{fight:str}/feed")
async def feed_socket(socket: Socket, fight: FromPath[str]) -> None:
    """Follow a fight and send commands; the first message has the token, and perhaps a position and what to tell.

    It is ``{token, after?, present?, headline?, scene?, settled?}``. The messages are those of the feed.
    """
    await socket.accept()
    viewer: Viewer | None = None
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            first = await _receive(socket)
        token = str(first.get("token", ""))
        server: ServerState = socket.app.state.server
        caller = await server.authenticate_for(token, fight, socket.client.host if socket.client else "")
        viewer = caller.viewer
        async with server.rate_limits.permit(caller.lane, caller.allowance, caller.of_fight):
            await server.check_fight(caller)
            follower = await server.hub.follow(
                fight, viewer, _read_position(first), caller.key, _read_options(first), caller.forks
            )
    except WebSocketDisconnect:
        return
    except TimeoutError:
        await socket.close(REFUSED)
        return
    except Exception as error:  # problem_for maps them all
        await _refuse(socket, viewer, fight, error, "")
        await socket.close(REFUSED)
        return
    await _run_until_first(_send(socket, follower), _carry_out_commands(socket, server, fight, token, caller))


async def _run_until_first(*works: Any) -> None:
    """Run several tasks until one is done; cancel the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, WebSocketDisconnect | OSError):
                raise ended


async def _send(socket: Socket, follower: Subscription) -> None:
    """Send the messages of a subscription, until it ends."""
    async with aclosing(follower.messages()) as messages:
        async for message in messages:
            for text in message.encode_once(_texts) if isinstance(message, Batch) else [encode(message).decode()]:
                await socket.send_text(text)
            if type(message) in ENDS:
                await socket.close(ENDS[type(message)])
                return
    await socket.close(REFUSED if follower.ended else RESTARTING)


async def _carry_out_commands(
    socket: Socket, server: ServerState, fight: str, token: str, caller: AuthenticatedCaller
) -> None:
    """Carry out the commands of a client in order, until the connection is closed or the token revoked.

    Each message counts for the rate limit of its link, also an invalid one.
    """
    told = 0.0
    while True:
        id = ""
        try:
            message = await socket.receive_data("text")
            told = await _tell_if_slowed(socket, server, caller, told)
            async with server.rate_limits.permit(caller.lane, caller.allowance, caller.of_fight):
                order = _decode(message)
                id = order["id"] if isinstance(order.get("id"), str) else ""
                if order.pop("type", None) != "command":
                    raise Unusable('must be "command"', "type")
                await server.check_fight(await server.authenticate_for(token, fight))
                carried = await carry_out(socket.app.state, fight, caller, order)
        except WebSocketDisconnect:
            return
        except NotAuthenticated as error:
            await _refuse(socket, caller.viewer, fight, error, id)
            await socket.close(REFUSED)
            return
        except Exception as error:  # problem_for maps them all
            await _refuse(socket, caller.viewer, fight, error, id)
        else:
            await socket.send_text(encode({"type": "outcome", "id": id, "outcome": carried}).decode())


async def _tell_if_slowed(socket: Socket, server: ServerState, caller: AuthenticatedCaller, told: float) -> float:
    """Tell a client at intervals that its messages wait for its rate; return the time of the last such message."""
    now = monotonic()
    if now < told + SLOWED_SECONDS or not server.rate_limits.seconds_ahead(caller.lane):
        return told
    await socket.send_text(encode({"type": "slowed", "rate": caller.allowance.a_second}).decode())
    return now


async def _refuse(socket: Socket, viewer: Viewer | None, fight: str, error: Exception, id: str) -> None:
    problem = problem_for(error, viewer, socket.app.state.server.fights.find_snapshot(fight))
    await socket.send_text(encode({"type": "problem", "id": id, "problem": problem}).decode())


async def _receive(socket: Socket) -> dict[str, Any]:
    """Read the first message.

    Raises:
        Unusable: it is no JSON object.
    """
    return _decode(await socket.receive_data("text"))


def _decode(text: str) -> dict[str, Any]:
    try:
        message = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise Unusable("a message must be JSON") from None
    if not isinstance(message, dict):
        raise Unusable("a message must be a JSON object")
    return message


def _read_position(first: dict[str, Any]) -> int | None:
    after = first.get("after")
    if after is not None and (not isinstance(after, int) or isinstance(after, bool)):
        raise Unusable("must be a position", "after")
    return after


def _read_options(first: dict[str, Any]) -> FeedOptions:
    wanted = {name: first.get(name, False) for name in FeedOptions._fields}
    for name, value in wanted.items():
        if not isinstance(value, bool):
            raise Unusable("must be true or false", name)
    return FeedOptions(**wanted)


def _texts(batch: Batch) -> list[str]:
    messages = [] if batch.snapshot is None else [b'{"type":"snapshot",' + batch.snapshot[1:]]
    messages += [b'{"type":"opened",' + line[1:] for line in batch.opened]
    messages += [b'{"type":"line",' + line[1:] for _, line in batch.lines]
    return [message.decode() for message in messages]
