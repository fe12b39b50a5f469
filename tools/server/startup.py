"""Start-up of the server: open its fights, print their links, and serve until it is stopped."""

import asyncio
import gc
import resource
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
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

from .app import BODY_BYTES, build_application
from .fight_origins import store_origin
from .grants import TOKEN_BYTES, TokenRegistry, open_registry
from .header_limits import LimitedHttpProtocol
from .hub import Hub
from .links import create_links
from .open_fights import NameTaken, OpenFights
from .other_origins import OtherOrigins
from .qr_codes import render_text_code
from .server_state import ServerState
from .slow_clients import LimitedWebSocketProtocol

EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all addresses of this machine."""

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
    public_url: str = "",
    codes: bool = False,
    others: OtherOrigins = OtherOrigins(),  # noqa: B008 - it cannot be changed
) -> None:
    """Open the named fights, print their links, and serve until interrupted.

    Args:
        token: The host's token from the environment; without one a new token is made and its hash stored.
        others: The other origins that may use the server.
        renews: Whether the host's earlier tokens are revoked.
    """
    _raise_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    signal.signal(signal.SIGTERM, _exit)
    listening = _open_socket(host, port)
    port = listening.getsockname()[1]
    origin = public_url or f"http://{_in_url(host)}:{port}"
    store.fights()  # an unusable store is reported before any client is accepted
    fights, reach = OpenFights(store), (public_url,) if public_url else _public_addresses(listening)
    grants = open_registry(store)
    given, token = (token, token) if token else _grant_host(grants, renew=renews)
    server = ServerState(
        fights=fights, grants=grants, hub=Hub(fights), host=token, origin=origin, others=others, reach=reach
    )
    try:
        asyncio.run(_serve(server, named, listening, given, codes=codes, told=bool(public_url)))
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


async def _serve(
    server: ServerState, named: Sequence[str], listening: socket.socket, given: str, *, codes: bool, told: bool
) -> None:
    for entered in [await open_named(server, one) for one in named]:
        found = await create_links(server, entered.name, entered.content, entered.state)
        for line in (*link_lines(entered, found), *(_code_lines(found) if codes else ())):
            say(line)
    if not named:
        say(describe_stored(await server.fights.list_names()))
    if listening.getsockname()[0] in EVERYWHERE and not told:
        say("Others on the network: put this machine's name in place of localhost.")
        for address in server.reach:
            say(f"  or its address: {address}")
    say(f"Host, who opens fights and may enter all: {server.build_host_link(given)}")
    say(f"Host, for every fight: Authorization: Bearer {given}")
    config = uvicorn.Config(
        build_application(server),
        log_level="warning",
        timeout_graceful_shutdown=LEAVE_SECONDS,
        server_header=False,
        proxy_headers=False,  # else any client could claim an address, and so a rate-limit lane, with each request
        http=LimitedHttpProtocol,
        ws_max_size=BODY_BYTES,
        ws=LimitedWebSocketProtocol,
        backlog=ACCEPTED_AT_ONCE,
        ws_per_message_deflate=False,  # a few bytes could unpack to 256 KiB each, and lengths could reveal secrets
    )
    await _Server(config, server).serve(sockets=[listening])


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


def _public_addresses(listening: socket.socket) -> tuple[str, ...]:
    """Return the public addresses of a server: this machine's, the one that it listens on, or none."""
    host, port = listening.getsockname()[:2]
    there = list_addresses() if host in EVERYWHERE else [] if ip_address(host).is_loopback else [host]
    return tuple(f"http://{_in_url(address)}:{port}" for address in there)


def list_addresses() -> list[str]:
    """Return the addresses of this machine in its networks, as others there reach it."""
    found: dict[str, None] = {}
    for family, nowhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((nowhere, 9))  # sends nothing: it only looks up the route
            found[asked.getsockname()[0]] = None
    with suppress(OSError):
        known = [address[0] for *_, address in socket.getaddrinfo(socket.gethostname(), None)]
        found |= {one: None for one in known if isinstance(one, str)}
    return [one for one in found if not one.startswith(("127.", "::1", "fe80"))]


def _describe_state(entered: ServedFight) -> str:
    if entered.begun:
        return "opened; the game master begins it"
    if entered.closed or entered.state.ended:
        return "is over"
    return f"goes on in round {entered.state.round}" if entered.state.round else "has not begun its first round"


class _Server(uvicorn.Server):
    """Uvicorn server that freezes start-up objects for the garbage collector and closes streams before draining."""

    def __init__(self, config: uvicorn.Config, server: ServerState) -> None:
        super().__init__(config)
        self._state = server

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; exclude all loaded objects from garbage collection, since that pauses every stream."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)  # asyncio set it to the number that it accepts at once
        gc.collect()
        gc.freeze()
        say(f"Listening on {self._state.origin}; stop with Ctrl-C.")

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


def _in_url(host: str) -> str:
    """Return a host as a URL on this machine spells it."""
    if host in EVERYWHERE:
        return "localhost"
    return f"[{host}]" if ":" in host else host
