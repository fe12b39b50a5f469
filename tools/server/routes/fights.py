"""Routes for fights: list, open, fork and describe them."""

from pathlib import Path
from typing import Any

from litestar.params import JSONBody

from affray import __version__
from affray.engine.errors import StoreFailed, Unsure, Unusable
from affray.engine.forking import ForkRequest
from affray.engine.stores.documents import Document
from affray.tools.api.fight_origin import Origin
from affray.tools.api.schemas.fights import Fights, Forking, Health, ListedFight, Opened, Opening
from affray.tools.encounters.party.members import check
from affray.tools.encounters.party.placement import join_party
from affray.tools.encounters.party.storage import KIND as PARTIES
from affray.tools.parse.encounter_file import add_location, read_toml
from affray.tools.server.auth import TheCaller, TheFight, TheServer
from affray.tools.server.documents import use_documents
from affray.tools.server.fight_origins import store_origin
from affray.tools.server.image_carryover import carry_images_over, copy_images_to_fight, copy_images_to_fork
from affray.tools.server.links import create_links
from affray.tools.server.routes.encounters import KIND as ENCOUNTERS
from affray.tools.server.routing import route
from affray.tools.server.worker_threads import compute


@route
async def get_health(server: TheServer) -> Health:
    """Report that the server works, and its version."""
    return Health(ok=True, version=__version__, server=server.id)


@route
async def list_fights(server: TheServer, caller: TheCaller) -> Fights:
    """List the fights of the token, each with the client's viewer in it."""
    names = await server.fights.list_names() if caller.fight is None else [caller.fight]
    return Fights([ListedFight(name, caller.viewer) for name in names])


@route
async def open_new_fight(server: TheServer, data: JSONBody[Opening]) -> Opened:
    """Open a fight from an encounter, and return the links for its participants.

    Refused if the name is taken (409), or if the store has the most fights that it may (429).
    """
    text, content = await _encounter(server, data)
    if data.party is not None:
        name = data.party
        kept = await use_documents(server, lambda documents: documents.read(PARTIES, name))
        content = await compute(_join_party, content, text, kept, data.side)
        text = ""
    with add_location(Path(), text, content):
        await server.fights.begin(data.id, content, "gm", data.dice)
    origin = Origin(content, data.saved or "", data.party or "")
    await store_origin(server, data.id, origin)
    await carry_images_over(
        server, data.id, lambda documents, owner, people: copy_images_to_fight(documents, owner, origin, people)
    )
    return await _describe_new(server, data.id, content)


@route
async def fork_fight_at(server: TheServer, fight: TheFight, data: JSONBody[Forking], caller: TheCaller) -> Opened:
    """Fork a fight at any position, as a what-if under another name, and return its links.

    Only the host chooses the name freely: for others it is this fight's name, ``-``, and more (400).
    Refused if the name is taken (409), or if the store has the most fights that it may (429).
    All forks of one fight that game masters begin share the rate limit of one link,
    and 8 of them are followed at once (429).
    """
    if caller.role != "host" and not data.id.startswith(f"{fight}-"):  # so that no one learns which other fights exist
        raise Unusable(f"must begin with {fight}-, such as {fight}-what-if", "id")
    wanted = ForkRequest(parent=fight, name=data.id, at=data.at, who=caller.viewer.name, reason=data.reason)
    await server.fights.fork(wanted, by_host=caller.role == "host")
    parent = await server.document_owner(fight)
    await carry_images_over(
        server, data.id, lambda documents, owner, people: copy_images_to_fork(documents, parent, owner, people)
    )
    return await _describe_new(server, data.id, {}, share=caller.share_of_forks)


async def _encounter(server: TheServer, data: Opening) -> tuple[str, dict[str, Any]]:
    """Return an encounter's text, if it has one, and its content."""
    if sum(one is not None for one in (data.encounter, data.toml, data.saved)) != 1:
        raise Unusable("give the encounter as an object, as toml, or by the name of one that is saved", "encounter")
    if data.encounter is not None:
        return "", data.encounter
    if data.saved is None:
        return read_toml(data.toml or "")
    name = data.saved
    found = await use_documents(server, lambda documents: documents.read(ENCOUNTERS, name))
    return read_toml(found.content.decode(errors="replace"))


def _join_party(content: dict[str, Any], text: str, kept: Document, side: str) -> dict[str, Any]:
    """Join a stored party to an encounter.

    Raises:
        Faulty: a value of either is invalid; says which.
        Unusable: the party cannot join.
    """
    said, party = read_toml(kept.content.decode(errors="replace"))
    check(party, said, Path(kept.name))
    return join_party(content, party, side, text=text).content


async def _describe_new(server: TheServer, name: str, content: dict[str, Any], *, share: str = "") -> Opened:
    """Return the head and the links of a new fight; see ``TokenRegistry.find_share``."""
    try:
        async with server.fights.lock(name) as fight:
            state, head = fight.state, fight.head
        return Opened(id=name, head=head, links=await create_links(server, name, content, state, share=share))
    except StoreFailed as error:  # the fight exists by now, so the answer must not deny it
        raise Unsure(str(error)) from error
