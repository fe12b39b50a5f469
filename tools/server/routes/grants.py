"""Who may enter a fight: letting somebody in, seeing who holds a token, taking it back."""

from typing import Annotated

from litestar import delete, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from affray.engine.commands import MANY
from affray.engine.errors import Unusable
from affray.engine.texts import check_word, normalize
from affray.engine.visibility import Viewer
from affray.tools.api.schemas.fights import Granted, Granting, Grants, Holder
from affray.tools.server.auth import TheEntrant, TheFight, TheServing
from affray.tools.server.error_mapping import refusals
from affray.tools.server.open_fights import Missing

ID_CHARACTERS = 16
"""So much of a token's hash tells it from all others."""

TheId = Annotated[str | None, QueryParameter(max_length=MANY, description="Whose; all but one's own if not given.")]


@post("/api/fights/{fight:str}/grants", responses=refusals(400, 401, 403, 404, 409, 413, 429, 503))
async def granted(serving: TheServing, fight: TheFight, data: JSONBody[Granting], entrant: TheEntrant) -> Granted:
    """Grant access: return a token and link, which are shown only once.

    Only players own combatants, and only such as there are (400). No more tokens than a limit are given out (429).
    """
    check_word(data.name, "name", most=MANY)
    if data.owns and data.role != "player":
        raise Unusable(f"only players own combatants, not a {data.role}", "owns")
    async with serving.fights.using(fight) as found:
        for who in data.owns:
            if who not in found.state.combatants:
                there = ", ".join(found.state.combatants)
                raise Unusable(f"there is no {who} in this fight; there are {there}", "owns")
    viewer = Viewer(role=data.role, name=normalize(data.name), owns=tuple(dict.fromkeys(data.owns)))
    (token,) = await serving.tokens(fight, viewer, share=entrant.forks)
    return Granted(token=token, link=serving.link(fight, token))


@get("/api/fights/{fight:str}/grants", responses=refusals(400, 401, 403, 404, 503))
async def grants(serving: TheServing, fight: TheFight, entrant: TheEntrant) -> Grants:
    """List who holds a token of a fight: never the token, but an id by which it can be taken back."""
    await _there(serving, fight)
    return await _grants(serving, fight, entrant)


@delete("/api/fights/{fight:str}/grants", status_code=HTTP_200_OK, responses=refusals(400, 401, 403, 404, 503))
async def take_back(serving: TheServing, fight: TheFight, entrant: TheEntrant, id: TheId = None) -> Grants:
    """Take back one token, or all but one's own, and list who still holds one.

    Whoever held it is refused from then on (401), at other servers of the same store within a second, and what they
    follow ends soon. The host's own token cannot be taken back. What is not there is missing (404).
    """
    await _there(serving, fight)
    held = [one.key for one in await serving.holders(fight)]
    gone = [key for key in held if (key != entrant.key if id is None else key[:ID_CHARACTERS] == id)]
    if id is not None and not gone:
        raise Missing(f"nobody holds a token of the id {id}")
    await serving.take_back(fight, gone)
    return await _grants(serving, fight, entrant)


async def _there(serving: TheServing, fight: str) -> None:
    if fight not in await serving.fights.names():
        raise Missing(f"there is no fight {fight}")


async def _grants(serving: TheServing, fight: str, entrant: TheEntrant) -> Grants:
    return Grants(await holders_told(serving, fight, entrant.key), serving.reach)


async def holders_told(serving: TheServing, fight: str, own: str = "") -> list[Holder]:
    """Return who holds a token for a fight; ``own`` is the key of whoever asks, which is marked."""
    holders = await serving.holders(fight)
    return [
        Holder(key[:ID_CHARACTERS], viewer.role, viewer.name, viewer.owns, since, key == own)
        for key, viewer, since in holders
    ]


ROUTES = [granted, grants, take_back]
