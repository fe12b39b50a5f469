"""The output of ``affray serve --share``: the addresses that answer, and the ways for players elsewhere."""

from __future__ import annotations

from .address_check import check_addresses
from .public_address import find_public_url, join_reach
from .server_state import ServerState

NO_NETWORK = "This computer has no address in a network, so links work here alone."

SAME_NETWORK = (
    "Players in your network: let them scan their code or open their link. If a phone gets no answer, allow incoming"
    " TCP connections to port {port} in this computer's firewall, and leave the guest network: it keeps devices apart."
)

ELSEWHERE = (
    "Players elsewhere: let a reverse proxy with TLS or a tunnel lead to http://127.0.0.1:{port}. Then enter its"
    " address on the page, under Players and links. New links begin with it at once; no restart is needed."
)

WITH_PUBLIC = (
    "Players elsewhere: their links begin with {public}. If it does not answer, look whether the proxy or tunnel leads"
    " to http://127.0.0.1:{port}. To change it, open Players and links on the page; no restart is needed."
)


async def explain_sharing(server: ServerState, *, port: int) -> list[str]:
    """Check the addresses of a listening server, and explain how players on other machines get in."""
    public = await find_public_url(server)
    checks = await check_addresses(server.id, join_reach(server, public))
    return [
        *(f"Checked: {one.says}" for one in checks),
        SAME_NETWORK.format(port=port) if server.reach else NO_NETWORK,
        (WITH_PUBLIC if public else ELSEWHERE).format(port=port, public=public),
    ]
