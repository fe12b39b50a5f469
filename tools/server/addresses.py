"""Addresses by which other machines reach the server, and the links that begin with them."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from affray.engine.errors import Unusable

EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all addresses of this machine."""

_URL = re.compile(r"https?://([\w.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?(/[A-Za-z0-9_.~%-]+)*/?", re.IGNORECASE)


def check_public_url(url: str, field: str) -> str:
    """Check a public address of the server, and strip its trailing slash; empty stays empty.

    Raises:
        Unusable: it is no web address; ``field`` names it.
    """
    try:
        good = not url or bool(_URL.fullmatch(url) and urlsplit(url).port != 0)
    except ValueError:  # a port beyond 65535
        good = False
    if not good:
        raise Unusable("must be an address such as https://table.example", field)
    return url.rstrip("/")


def build_link(origin: str, token: str, fight: str = "") -> str:
    """Build the link of a token; the host's names no fight. Browsers do not send the fragment with the token."""
    return f"{origin}/#{f'fight={quote(fight)}&' if fight else ''}token={token}"


def list_reach(listening: socket.socket) -> tuple[str, ...]:
    """List the web addresses of a server in its networks: this machine's, the one that it listens on, or none."""
    host, port = listening.getsockname()[:2]
    there = list_addresses() if host in EVERYWHERE else [] if ip_address(host).is_loopback else [host]
    if ":" not in host:
        there = [one for one in there if ":" not in one]
    return tuple(f"http://{format_host(address)}:{port}" for address in there)


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


def format_host(host: str) -> str:
    """Return a host as a URL on this machine spells it."""
    if host in EVERYWHERE:
        return "localhost"
    return f"[{host}]" if ":" in host else host
