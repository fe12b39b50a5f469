"""Routes for access to a fight: grant, list and revoke tokens."""

from litestar.params import JSONBody

from affray.engine.commands import MANY
from affray.engine.errors import Unusable
from affray.engine.texts import check_word, normalize
from affray.engine.visibility import Viewer
from affray.tools.api.access import NotFound
from affray.tools.api.schemas.fights import Granted, Granting, Grants, Holder
from affray.tools.api.schemas.requests import TokenAsked
from affray.tools.server.addresses import build_link
from affray.tools.server.auth import TheCaller, TheFight, TheServer
from affray.tools.server.public_address import find_origin, find_public_url, join_reach
from affray.tools.server.routing import route

ID_CHARACTERS = 16
"""The number of characters of a token's hash that identify it."""


@route
async def grant_token(server: TheServer, fight: TheFight, data: JSONBody[Granting], caller: TheCaller) -> Granted:
    """Grant access: return a token and link, which are shown only once.

    Only players own combatants, and only existing ones (400). The number of tokens is limited (429).
    """
    check_word(data.name, "name", most=MANY)
    if data.owns and data.role != "player":
        raise Unusable(f"only players own combatants, not a {data.role}", "owns")
    async with server.fights.lock(fight) as found:
        for who in data.owns:
            if who not in found.state.combatants:
                there = ", ".join(found.state.combatants)
                raise Unusable(f"there is no {who} in this fight; there are {there}", "owns")
    viewer = Viewer(role=data.role, name=normalize(data.name), owns=tuple(dict.fromkeys(data.owns)))
    (token,) = await server.create_tokens(fight, viewer, share=caller.forks)
    return Granted(token=token, link=build_link(await find_origin(server), token, fight))


@route
async def list_grants(server: TheServer, fight: TheFight, caller: TheCaller) -> Grants:
    """List the holders of a fight's tokens, each with an id for revoking the token, but never the token itself."""
    await _must_exist(server, fight)
    return await _describe_grants(server, fight, caller)


@route
async def revoke_tokens(server: TheServer, fight: TheFight, caller: TheCaller, asked: TokenAsked) -> Grants:
    """Revoke one token, or all but the client's own, and list the remaining holders.

    Its holder is refused from then on (401), at other servers of the same store within a second. Their streams end
    soon. The host's own token cannot be revoked. An unknown id is missing (404).
    """
    await _must_exist(server, fight)
    held = [one.key for one in await server.list_holders(fight)]
    id = asked.id
    gone = [key for key in held if (key != caller.key if id is None else key[:ID_CHARACTERS] == id)]
    if id is not None and not gone:
        raise NotFound(f"nobody holds a token of the id {id}")
    await server.revoke_tokens(fight, gone)
    return await _describe_grants(server, fight, caller)


async def _must_exist(server: TheServer, fight: str) -> None:
    if fight not in await server.fights.list_names():
        raise NotFound(f"there is no fight {fight}")


async def _describe_grants(server: TheServer, fight: str, caller: TheCaller) -> Grants:
    public, is_host = await find_public_url(server), caller.role == "host"
    holders, reach = await describe_holders(server, fight, caller.key), tuple(join_reach(server, public))
    return Grants(holders, reach, public, is_host)


async def describe_holders(server: TheServer, fight: str, own: str = "") -> list[Holder]:
    """List the holders of a fight's tokens; mark the one with the key ``own``."""
    holders = await server.list_holders(fight)
    return [
        Holder(key[:ID_CHARACTERS], viewer.role, viewer.name, viewer.owns, since, key == own)
        for key, viewer, since in holders
    ]
