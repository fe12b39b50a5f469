"""Start-up of the server: open its fights, print their links, and serve until it is stopped."""

import asyncio
import gc
import resource
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple

import uvicorn

from affray.engine.core.state import State
from affray.engine.errors import StoreFailed, Unusable
from affray.engine.stores import Store
from affray.tools.api.access import NotFound
from affray.tools.api.fight_origin import Origin
from affray.tools.api.schemas.fights import Links
from affray.tools.cli.printing import say
from affray.tools.parse.encounter_file import add_location, read_encounter

from .addresses import EVERYWHERE, build_link, format_host, list_reach
from .app import BODY_BYTES, build_application
from .fight_origins import store_origin
from .grants import TOKEN_BYTES, TokenRegistry, open_registry
from .header_limits import LimitedHttpProtocol
from .hub import Hub
from .links import create_links
from .open_fights import NameTaken, OpenFights
from .other_origins import OtherOrigins
from .public_address import find_public_url, set_public_url
from .qr_codes import render_text_code
from .server_state import ServerState
from .sharing import explain_sharing
from .slow_clients import LimitedWebSocketProtocol

MOST_NAMED = 50
"""The most names in a message about the stored fights."""

BACKLOG = 2_048
"""The most connections that may wait to be accepted."""

ACCEPTED_AT_ONCE = 1
"""The connections that are accepted in one iteration of the event loop."""

SWITCH_SECONDS = 0.0005
"""The longest time slice of a computing thread before the event loop goes on; Python's default is ten times as long."""

LEAVE_SECONDS = 1
"""Seconds for which a stopping server waits for clients that are still reading."""


def run_server(
    named: Sequence[str],
    store: Store,
    host: str,
    port: int,
    token: str,
    *,
    renews: bool = False,
    public_url: str | None = None,
    share: bool = False,
    codes: bool = False,
    proxies: Sequence[str] = (),
    others: OtherOrigins = OtherOrigins(),  # noqa: B008 - it cannot be changed
) -> None:
    """Open the named fights, print their links, and serve until interrupted.

    Args:
        token: The host's token from the environment; without one a new token is made and its hash stored.
        renews: Whether the host's earlier tokens are revoked.
        public_url: The new public address, empty to take back the stored one; None leaves it as it is.
        share: Whether links begin with this machine's address in its network, which is checked and explained.
        codes: Whether the players' links are printed as QR codes.
        proxies: The addresses and networks of proxies whose ``X-Forwarded-For`` is believed.
        others: The other origins that may use the server.
    """
    _raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    signal.signal(signal.SIGTERM, _exit)
    listening = _open_socket(host, port)
    port = listening.getsockname()[1]
    store.fights()  # an unusable store is reported before any client is accepted
    fights, reach = OpenFights(store), list_reach(listening)
    origin = reach[0] if share and reach else f"http://{format_host(host)}:{port}"
    grants = open_registry(store)
    given, token = (token, token) if token else _grant_host(grants, renew=renews)
    server = ServerState(
        fights=fights, grants=grants, hub=Hub(fights), host=token, origin=origin, others=others, reach=reach
    )
    start = _Start(named, given, public_url, share, codes or share, proxies)
    try:
        asyncio.run(_serve(server, start, listening))
    finally:
        listening.close()


def _grant_host(grants: TokenRegistry, *, renew: bool) -> tuple[str, str]:
    """Return a new token of the host, and the same again if it could not be stored: it ends with this server.

    Raises:
        StoreFailed: the earlier tokens could not be revoked.
    """
    try:
        return grants.grant_host(renew=renew), ""
    except StoreFailed as error:
        if renew:
            raise
        say(f"The host's link ends with this server, because it could not be stored: {error}")
        return (token := token_urlsafe(TOKEN_BYTES)), token


class _Start(NamedTuple):
    """The settings of a start: what is opened, set, printed and trusted; see ``run_server``."""

    named: Sequence[str]
    token: str
    public_url: str | None
    share: bool
    codes: bool
    proxies: Sequence[str]


async def _serve(server: ServerState, start: _Start, listening: socket.socket) -> None:
    if start.public_url is not None:
        await set_public_url(server, start.public_url)
    public = await find_public_url(server)
    for entered in [await open_named(server, one) for one in start.named]:
        found = await create_links(server, entered.name, entered.content, entered.state)
        for line in (*link_lines(entered, found), *(_code_lines(found) if start.codes else ())):
            say(line)
    if not start.named:
        say(describe_stored(await server.fights.list_names()))
    if listening.getsockname()[0] in EVERYWHERE and not (public or start.share):
        say("Others on the network: put this machine's name in place of localhost.")
        for address in server.reach:
            say(f"  or its address: {address}")
    if public and start.public_url is None:
        say(f"Links begin with {public}, as set before; change that on the page, or with --public-url.")
    say(f"Host, who opens fights and may enter all: {build_link(public or server.origin, start.token)}")
    say(f"Host, for every fight: Authorization: Bearer {start.token}")
    explained = partial(explain_sharing, server, port=listening.getsockname()[1]) if start.share else None
    await _Server(build_config(server, start.proxies), server, explained).serve(sockets=[listening])


def build_config(server: ServerState, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Build the settings of the HTTP server, with the proxies whose ``X-Forwarded-For`` is believed."""
    return uvicorn.Config(
        build_application(server),
        log_level="warning",
        timeout_graceful_shutdown=LEAVE_SECONDS,
        server_header=False,
        # Of others than known proxies, any could claim an address, and so a rate-limit lane, with each request.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=[*proxies],
        http=LimitedHttpProtocol,
        ws_max_size=BODY_BYTES,
        ws=LimitedWebSocketProtocol,
        backlog=ACCEPTED_AT_ONCE,
        ws_per_message_deflate=False,  # a few bytes could unpack to 256 KiB each, and lengths could reveal secrets
    )


class ServedFight(NamedTuple):
    """A fight that this server serves, by its name.

    Attributes:
        content: The content of its encounter file, if one was named.
        begun: Whether this server created it.
    """

    name: str
    content: Mapping[str, Any]
    state: State
    closed: bool
    begun: bool


async def open_named(server: ServerState, named: str) -> ServedFight:
    """Create the fight of an encounter file unless it exists, or find a stored one.

    Raises:
        Unusable: there is none, or the store has another fight of that name.
    """
    content: dict[str, Any] = {}
    name, begun = named, False
    if named.endswith(".toml"):
        file = Path(named)
        text, content = read_encounter(file)
        name = file.stem
        if name not in await server.fights.list_names():
            with (
                add_location(file, text, content),
                suppress(NameTaken),
            ):  # another server of the store may create it first
                await server.fights.begin(name, content, "gm", "engine")
                await store_origin(server, name, Origin(content))
                begun = True
    try:
        async with server.fights.lock(name) as fight:
            state, title, closed = fight.state, fight.ruleset.title, bool(fight.history.closed)
    except NotFound:
        there = describe_stored(await server.fights.list_names())
        raise Unusable(f"{named} is neither an encounter file nor a fight that is kept; {there}") from None
    if content and (content.get("system"), content.get("name", name)) != (state.system, state.fight):
        raise Unusable(
            f'{name} is kept already: "{state.fight}" ({title}), not the encounter of {named}; '
            "name another --store, or copy the file under another name"
        )
    return ServedFight(name, content, state, closed, begun)


def describe_stored(names: Sequence[str]) -> str:
    """List the stored fights in a message, or say how to create one."""
    if not names:
        return "no fight is kept here yet; begin one with: affray serve ENCOUNTER.toml"
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"kept here: {', '.join(names[:MOST_NAMED])}{more}; name one to get its links"


def link_lines(entered: ServedFight, found: Links) -> Iterator[str]:
    """Yield a line about a fight's state, and one for each of its links."""
    yield f"{entered.name}: {_describe_state(entered)}"
    people = [("game master", found.gm), *found.players.items(), ("spectators", found.spectator)]
    width = max(len(who) for who, _ in people)
    for who, link in people:
        yield f"  {who:<{width}}  {link}"


def _code_lines(found: Links) -> Iterator[str]:
    """Yield the players' links as QR codes, each below the player's name."""
    for who, link in found.players.items():
        yield f"{who}:"
        yield from render_text_code(link)


def _describe_state(entered: ServedFight) -> str:
    if entered.begun:
        return "opened; the game master begins it"
    if entered.closed or entered.state.ended:
        return "is over"
    return f"goes on in round {entered.state.round}" if entered.state.round else "has not begun its first round"


class _Server(uvicorn.Server):
    """Uvicorn server that freezes start-up objects for the garbage collector and closes streams before draining."""

    def __init__(
        self, config: uvicorn.Config, server: ServerState, explained: Callable[[], Awaitable[list[str]]] | None
    ) -> None:
        super().__init__(config)
        self._state = server
        self._explained = explained

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; exclude all loaded objects from garbage collection, since that pauses every stream."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)  # asyncio set it to the number that it accepts at once
        gc.collect()
        gc.freeze()
        say(f"Listening on {self._state.origin}; stop with Ctrl-C.")
        for line in await self._explained() if self._explained else ():
            say(line)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the server."""
        await self._state.hub.stop()
        await super().shutdown(sockets)


def _open_socket(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Raises:
        Unusable: the address cannot be used.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # Only a socket that says it is of TCP gets TCP_NODELAY, without which every answer waits for the next packet.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        raise Unusable(f"cannot listen on {host}, port {port}: {error.strerror}", "--port") from None
    return listening


def _exit(number: int, _: object) -> None:
    """Exit in order, so that SQLite leaves no journal beside its file."""
    raise SystemExit(128 + number)


def _raise_file_limit() -> None:
    """Raise the limit of open files to the system's, since each follower needs one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
