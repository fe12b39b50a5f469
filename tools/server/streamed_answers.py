"""Middleware that sends long answers in parts at their reader's speed, and refuses them above a limit."""

from __future__ import annotations

from typing import Any, cast

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from litestar.types.asgi_types import HTTPResponseBodyEvent, HTTPResponseStartEvent

from .downloads import PART_BYTES
from .error_mapping import answer_error as refuse
from .open_fights import LimitReached
from .send_buffer import COUNTED_BYTES
from .server_state import AuthenticatedCaller, ServerState


def limit_answers(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that its long answers are counted, or refused before they start."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        start: HTTPResponseStartEvent | None = None

        async def count(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _length(message) >= COUNTED_BYTES:
                start = message
            elif start is None:
                await send(message)
            else:
                await _send_counted(scope, receive, send, start, cast("HTTPResponseBodyEvent", message))

        await app(scope, receive, count if scope["type"] == ScopeType.HTTP else send)

    return answer


async def _send_counted(
    scope: Scope, receive: Receive, send: Send, start: HTTPResponseStartEvent, body: HTTPResponseBodyEvent
) -> None:
    """Send an answer while it is counted, or a refusal. Outside the application no handler maps the error."""
    server: ServerState = scope["litestar_app"].state.server
    caller: AuthenticatedCaller | None = scope["state"].get("caller")
    client = scope.get("client")
    lane = caller.lane if caller else f"@{client[0] if client else ''}"
    try:
        with server.send_buffer.hold(lane, body["body"], rules=caller is not None and caller.viewer.role == "gm"):
            await send(start)
            await send(body)
    except LimitReached as error:
        request: Request[Any, Any, Any] = Request(scope, receive, send)
        await refuse(request, error).to_asgi_response(None, request)(scope, receive, send)


def split_answers(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that long answers are sent in parts, each after the reader has taken the last."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def part(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
                return
            body, left = memoryview(message["body"]), message["more_body"]
            for at in range(0, len(body) or 1, PART_BYTES):
                more = left or at + PART_BYTES < len(body)
                await send({"type": "http.response.body", "body": bytes(body[at : at + PART_BYTES]), "more_body": more})

        await app(scope, receive, part)

    return answer


def _length(start: HTTPResponseStartEvent) -> int:
    return next((int(value) for name, value in start["headers"] if name.lower() == b"content-length"), 0)
