"""The application: all routes behind one guard, with what they share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from litestar import Litestar
from litestar.datastructures import State as AppState
from litestar.di import Provide
from litestar.types import Message, Scope

from . import entering, openapi
from .feed import feed
from .refusing import HANDLERS
from .routes import changing, exporting, fights, looking, page
from .serving import Serving
from .ws import feed_socket

BODY_BYTES = 256 * 1024
"""The longest body of a request."""

HEADERS = (
    (b"content-security-policy", b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
"""What every answer says, unless it says something of its own: nothing from elsewhere, no script but the page's own."""


def application(serving: Serving) -> Litestar:
    """Return the application for a server."""
    return Litestar(
        route_handlers=[
            *fights.ROUTES,
            *looking.ROUTES,
            *changing.ROUTES,
            *exporting.ROUTES,
            *page.ROUTES,
            feed,
            feed_socket,
        ],
        guards=[entering.guard],
        dependencies={
            "serving": Provide(entering.serving),
            "entrant": Provide(entering.entrant),
            "viewer": Provide(entering.viewer),
        },
        exception_handlers=HANDLERS,
        before_send=[_say_what_is_safe],
        lifespan=[_following],
        state=AppState({"serving": serving, "hub": serving.hub}),
        openapi_config=openapi.config(),
        request_max_body_size=BODY_BYTES,
        logging_config=None,
        debug=False,
        pdb_on_exception=False,
    )


async def _say_what_is_safe(message: Message, _: Scope) -> None:
    """Add the headers that keep a browser from doing more than it should."""
    if message["type"] == "http.response.start":
        headers: list[tuple[bytes, bytes]] = list(message["headers"])
        said = {name.lower() for name, _ in headers}
        message["headers"] = [*headers, *(header for header in HEADERS if header[0] not in said)]


@asynccontextmanager
async def _following(app: Litestar) -> AsyncIterator[None]:
    """Keep the feeds going; where the store tells what other processes write, nobody needs to look for it."""
    serving: Serving = app.state.serving
    listen: Any = getattr(serving.fights.store, "listen", None)
    running = serving.hub.running() if listen is None else serving.hub.running(look=None)
    async with running, anyio.create_task_group() as tasks:
        if listen is not None:
            tasks.start_soon(_listening, serving, listen)
        try:
            yield
        finally:
            tasks.cancel_scope.cancel()


async def _listening(serving: Serving, listen: Any) -> None:
    async for moved in listen():
        if moved.fight:
            serving.hub.changed(moved.fight)
        else:
            serving.hub.look()
