"""Checks of addresses: the server asks whether an address leads to itself. No token is sent."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import Sequence
from secrets import token_bytes
from urllib.parse import SplitResult, urlsplit

from affray.tools.api.schemas.home import AddressCheck

from .rate_limits import Allowance
from .worker_threads import compute

SECONDS = 5.0
"""The most seconds for one address."""

MOST_BYTES = 16 << 10
"""The most bytes of an answer that are read."""

CHECKING = Allowance(at_once=1, queued=10, a_second=1, burst=20)
"""The rate limit of checks, over all tokens of the host."""


async def check_addresses(id: str, urls: Sequence[str]) -> list[AddressCheck]:
    """Ask several addresses at once; see ``check_address``."""
    return await asyncio.gather(*(check_address(id, one) for one in urls))


async def check_address(id: str, url: str) -> AddressCheck:
    """Ask an address for the server's health, then open a WebSocket there.

    Args:
        id: The random characters in the health of this server; see ``ServerState.id``.
        url: A web address, as ``check_public_url`` returns it.
    """
    try:
        async with asyncio.timeout(SECONDS):
            leads, says = await _follow(id, urlsplit(url))
    except ssl.SSLCertVerificationError as error:
        leads, says = False, f"has a TLS certificate that browsers refuse: {error.verify_message}"
    except (OSError, UnicodeError):  # a timeout is an OSError, too
        leads, says = False, "does not answer from this computer; not every router leads back into its own network"
    return AddressCheck(url, leads, f"{url} {says}.")


async def _follow(id: str, url: SplitResult) -> tuple[bool, str]:
    """Return whether an address leads to the server, and the rest of a sentence about it."""
    if not await _is_answered(url, "health", "Connection: close", id.encode()):
        return False, "answers, but it does not lead to this server"
    key = b64encode(token_bytes(16)).decode()
    upgrade = f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}"
    if not await _is_answered(url, "fights/check/feed", upgrade, b"HTTP/1.1 101 "):
        return True, "leads to this server, but not for WebSockets, which the page does not need and programs may"
    return True, "leads to this server"


async def _is_answered(url: SplitResult, path: str, headers: str, expected: bytes) -> bool:
    """Send a request to an address; return whether the answer contains the expected bytes."""
    host = (url.hostname or "").encode("idna").decode()
    secure = await compute(ssl.create_default_context) if url.scheme == "https" else None
    port = url.port or (443 if secure else 80)
    reader, writer = await asyncio.open_connection(host, port, ssl=secure)
    try:
        named = url.netloc.encode("idna").decode()
        request = f"GET {url.path}/api/{path} HTTP/1.1\r\nHost: {named}\r\nAccept: */*\r\n{headers}\r\n\r\n"
        writer.write(request.encode("ascii"))
        found = b""
        while expected not in found and len(found) < MOST_BYTES and (part := await reader.read(MOST_BYTES)):
            found += part
        return expected in found
    finally:
        writer.close()
