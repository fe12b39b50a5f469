"""Litestar application: all routes, their guard, and the background tasks."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
from litestar import Litestar
from litestar.datastructures import State as AppState
from litestar.di import Provide
from litestar.types import Message, Scope

from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.logger import Logger
from affray.events import LogError

from . import auth, openapi
from .compression import packing
from .content_security_policy import policy
from .error_mapping import HANDLERS
from .feed import feed
from .hub import BEAT_SECONDS
from .open_fights import Missing
from .rate_limits import ending_turns
from .routes import (
    aftermath,
    commands,
    encounters,
    exports,
    fights,
    forecasts,
    grants,
    home,
    images,
    log_files,
    page,
    parties,
    queries,
    systems,
)
from .server_state import Serving
from .streamed_answers import counting, in_parts
from .websocket import feed_socket

_log = Logger(__name__)

FORGET_SECONDS = 60
"""Seconds between two rounds that close unused fights and check the logs of open ones."""

LISTEN_AGAIN_SECONDS = 1

BODY_BYTES = 256 * 1024
"""The longest request body, in bytes."""

HEADERS = (
    (b"content-security-policy", policy().encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
"""Security headers, added to each answer that does not set them itself."""


THREADS = 64
"""The size of the thread pool for work that would block the event loop; each link has few requests at work at once."""


def application(serving: Serving) -> Litestar:
    """Build the Litestar application of a server."""
    return Litestar(
        route_handlers=[
            *fights.ROUTES,
            *systems.ROUTES,
            *encounters.ROUTES,
            *parties.ROUTES,
            *images.ROUTES,
            *grants.ROUTES,
            *aftermath.ROUTES,
            *home.ROUTES,
            *log_files.ROUTES,
            *queries.ROUTES,
            *commands.ROUTES,
            *exports.ROUTES,
            *forecasts.ROUTES,
            *page.ROUTES,
            feed,
            feed_socket,
        ],
        guards=[auth.guard],
        dependencies={
            "serving": Provide(auth.serving),
            "entrant": Provide(auth.entrant),
            "viewer": Provide(auth.viewer),
        },
        exception_handlers=HANDLERS,
        middleware=[ending_turns, in_parts, packing, counting],
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
    """Add the security headers that an answer does not set itself."""
    if message["type"] == "http.response.start":
        headers: list[tuple[bytes, bytes]] = list(message["headers"])
        said = {name.lower() for name, _ in headers}
        message["headers"] = [*headers, *(header for header in HEADERS if header[0] not in said)]


@asynccontextmanager
async def _following(app: Litestar) -> AsyncIterator[None]:
    """Run the feeds and the background tasks while the application runs.

    If the store reports appends of other processes, the hub polls it less often.
    """
    serving: Serving = app.state.serving
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "aside"))
    serving.fights.followed = lambda: serving.hub.followed
    serving.fights.replaced = serving.leave
    serving.fights.seen = partial(_see, serving)
    listen: Any = getattr(serving.fights.store, "listen", None)
    running = serving.hub.running() if listen is None else serving.hub.running(look=BEAT_SECONDS)
    async with running, anyio.create_task_group() as tasks:
        tasks.start_soon(_forgetting, serving)
        tasks.start_soon(_showing_out, serving)
        if listen is not None:
            tasks.start_soon(_listening, serving, listen)
        try:
            yield
        finally:
            await serving.forecasts.stop()
            tasks.cancel_scope.cancel()


def _see(serving: Serving, fight: Fight) -> None:
    """Update the timers of a fight's windows, and announce portraits that came into view or left it."""
    serving.clocks.look(serving, fight.name, fight)
    serving.staging.update_sight(serving, fight)


async def _listening(serving: Serving, listen: Any) -> None:
    """Listen for appends of other processes for as long as the server runs."""
    while True:
        try:
            async for moved in listen():
                if moved.fight:
                    serving.hub.changed(moved.fight)
                else:
                    serving.hub.look()
        except Exception as error:  # without this, an error would end the listening for good
            _log.error("listening_failed", reason=repr(error))
        await anyio.sleep(LISTEN_AGAIN_SECONDS)


async def _showing_out(serving: Serving) -> None:
    """Apply at intervals the changes of other servers: end streams of revoked tokens, announce scene changes."""
    while True:
        await anyio.sleep(BEAT_SECONDS)
        for fight in serving.hub.followed:
            try:
                await serving.end_taken_back(fight)
                await serving.staging.look(serving, fight)
            except (EngineError, LogError, Missing) as error:
                _log.warning("could_not_look_at_grants_and_scene", fight=fight, reason=str(error))


async def _forgetting(serving: Serving) -> None:
    """Check the logs of open fights at intervals, and close fights that have no user and no follower."""
    while True:
        await anyio.sleep(FORGET_SECONDS)
        for name in await serving.fights.look_over(serving.hub.followed):
            serving.hub.changed(name)
        serving.fights.forget(serving.hub.followed)
        serving.turns.forget()
