"""Routes for the addresses of the server: list, check and change them without a restart."""

from litestar.params import JSONBody

from affray.tools.api.schemas.home import AddressChange, Addresses
from affray.tools.server.address_check import CHECKING, check_addresses
from affray.tools.server.addresses import check_public_url
from affray.tools.server.auth import TheServer
from affray.tools.server.public_address import find_public_url, join_reach, set_public_url
from affray.tools.server.routing import route
from affray.tools.server.server_state import ServerState


@route
async def get_addresses(server: TheServer) -> Addresses:
    """Describe the addresses of the server, and ask each of them whether it leads to this server."""
    return await _describe_addresses(server, await find_public_url(server))


@route
async def set_public_address(server: TheServer, data: JSONBody[AddressChange]) -> Addresses:
    """Set the public address that links begin with, or take it back, and check the addresses.

    It is stored beside the fights and outlasts the server. All links stay valid. An address that does not answer is
    stored too, since it may answer from elsewhere only.
    """
    public = check_public_url(data.url, "url")
    await set_public_url(server, public)
    return await _describe_addresses(server, public)


async def _describe_addresses(server: ServerState, public: str) -> Addresses:
    reach = join_reach(server, public)
    async with server.rate_limits.permit("address checks", CHECKING):
        checks = await check_addresses(server.id, reach)
    return Addresses(public, public or server.origin, reach, checks)
