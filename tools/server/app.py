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
from affray.tools.api.access import NotFound
from affray.tools.parse.faults import reason_in_log

from . import auth, feed, openapi
from .compression import compress_answers
from .content_security_policy import page_policy
from .error_mapping import HANDLERS
from .hub import BEAT_SECONDS
from .rate_limits import release_permits
from .routes import (
    addresses,
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
from .routing import routes_in, routes_of_reads
from .server_state import ServerState
from .streamed_answers import limit_answers, split_answers
from .websocket import feed_socket

_log = Logger(__name__)

FORGET_SECONDS = 60
"""Seconds between two rounds that close unused fights and check the logs of open ones."""

LISTEN_AGAIN_SECONDS = 1

BODY_BYTES = 256 * 1024
"""The longest request body, in bytes."""

HEADERS = (
    (b"content-security-policy", page_policy().encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
"""Security headers, added to each answer that does not set them itself."""

RESOURCE_POLICY = b"cross-origin-resource-policy"

ROUTES = (
    *(addresses, aftermath, commands, encounters, exports, feed, fights, forecasts, grants, home, images, log_files),
    *(page, parties, queries, systems),
)
"""The modules with routes."""

THREADS = 64
"""The size of the thread pool for work that would block the event loop; each link has few requests at work at once."""


def build_application(server: ServerState) -> Litestar:
    """Build the Litestar application of a server."""
    return Litestar(
        route_handlers=[*routes_of_reads(), *routes_in(*ROUTES), feed_socket],
        guards=[auth.guard],
        dependencies={
            "server": Provide(auth.provide_server),
            "caller": Provide(auth.provide_caller),
            "viewer": Provide(auth.provide_viewer),
        },
        exception_handlers=HANDLERS,
        middleware=[release_permits, split_answers, compress_answers, limit_answers],
        before_send=[partial(_add_security_headers, b"cross-origin" if server.others.requests else b"same-origin")],
        cors_config=server.others.build_cors_config(),
        lifespan=[_run_background_tasks],
        state=AppState({"server": server, "hub": server.hub}),
        openapi_config=openapi.build_config(),
        request_max_body_size=BODY_BYTES,
        logging_config=None,
        debug=False,
        pdb_on_exception=False,
    )


async def _add_security_headers(loaded_by: bytes, message: Message, _: Scope) -> None:
    """Add the security headers that an answer does not set itself; ``loaded_by`` says who may load what is sent."""
    if message["type"] == "http.response.start":
        headers: list[tuple[bytes, bytes]] = list(message["headers"])
        said = {name.lower() for name, _ in headers}
        message["headers"] = [
            *headers,
            *(header for header in (*HEADERS, (RESOURCE_POLICY, loaded_by)) if header[0] not in said),
        ]


@asynccontextmanager
async def _run_background_tasks(app: Litestar) -> AsyncIterator[None]:
    """Run the feeds and the background tasks while the application runs.

    If the store reports appends of other processes, the hub polls it less often.
    """
    server: ServerState = app.state.server
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "aside"))
    server.fights.followed = lambda: server.hub.followed_fights
    server.fights.replaced = server.drop_removed
    server.fights.seen = partial(_update_timers_and_scene, server)
    listen: Any = getattr(server.fights.store, "listen", None)
    running = server.hub.run() if listen is None else server.hub.run(look=BEAT_SECONDS)
    async with running, anyio.create_task_group() as tasks:
        tasks.start_soon(_close_unused_fights, server)
        tasks.start_soon(_apply_remote_changes, server)
        if listen is not None:
            tasks.start_soon(_listen_for_appends, server, listen)
        try:
            yield
        finally:
            await server.forecasts.stop()
            tasks.cancel_scope.cancel()


def _update_timers_and_scene(server: ServerState, fight: Fight) -> None:
    """Update the timers of a fight's windows, and announce portraits that came into view or left it."""
    server.window_timers.update(server, fight.name, fight)
    server.scene_updates.update_sight(server, fight)


async def _listen_for_appends(server: ServerState, listen: Any) -> None:
    """Listen for appends of other processes for as long as the server runs."""
    while True:
        try:
            async for moved in listen():
                if moved.fight:
                    server.hub.schedule_update(moved.fight)
                else:
                    server.hub.poll()
        except Exception as error:  # without this, an error would end the listening for good
            _log.error("listening_failed", reason=repr(error))
        await anyio.sleep(LISTEN_AGAIN_SECONDS)


async def _apply_remote_changes(server: ServerState) -> None:
    """Apply at intervals the changes of other servers: end streams of revoked tokens, announce scene changes."""
    while True:
        await anyio.sleep(BEAT_SECONDS)
        try:
            await server.end_revoked_host_streams()
        except EngineError as error:
            _log.warning("could_not_look_at_host_links", reason=reason_in_log(error))
        for fight in server.hub.followed_fights:
            try:
                await server.end_revoked_streams(fight)
                await server.scene_updates.check_scene(server, fight)
            except (EngineError, LogError, NotFound) as error:
                _log.warning("could_not_look_at_grants_and_scene", fight=fight, reason=reason_in_log(error))


async def _close_unused_fights(server: ServerState) -> None:
    """Check the logs of open fights at intervals, and close fights that have no user and no follower."""
    while True:
        await anyio.sleep(FORGET_SECONDS)
        for name in await server.fights.check_logs(server.hub.followed_fights):
            server.hub.schedule_update(name)
        server.fights.close_unused(server.hub.followed_fights)
        server.rate_limits.drop_idle()
