"""Routes for stored parties, which join encounters (``POST /api/fights``) and carry costs from fight to fight."""

from collections.abc import Callable
from typing import Any

from litestar import Response
from litestar.params import JSONBody

from affray.engine.clock import utc_now
from affray.engine.errors import Superseded, Unusable
from affray.engine.stores.documents import TOML, Document
from affray.tools.api.access import NotFound
from affray.tools.api.problem_details import Problem, problem_of
from affray.tools.api.schemas.documents import (
    AllSaved,
    Correcting,
    Known,
    Making,
    PartyChanged,
    Resting,
    Saved,
    SavedWhole,
    Saving,
    Taking,
)
from affray.tools.api.schemas.parties import CostLine, PartyTold
from affray.tools.api.schemas.requests import VersionAsked
from affray.tools.encounters.party.corrections import correct_member
from affray.tools.encounters.party.costs import after_fight, rest_party
from affray.tools.encounters.party.members import Content, check, made_from, taken_back
from affray.tools.encounters.party.sheets import party_told
from affray.tools.encounters.party.storage import KIND
from affray.tools.encounters.toml_text import toml_of, toml_with
from affray.tools.parse.encounter_file import read_toml
from affray.tools.parse.faults import Faulty
from affray.tools.server.auth import TheServer
from affray.tools.server.documents import (
    attachment_header,
    describe_document,
    list_described,
    read_both_forms,
    read_document,
    use_documents,
)
from affray.tools.server.fight_origins import load_origin
from affray.tools.server.image_carryover import carry_images_over, delete_images, store_images_with_party
from affray.tools.server.routing import route
from affray.tools.server.scene_store import OF_PARTY
from affray.tools.server.server_state import ServerState
from affray.tools.server.worker_threads import compute

from .encounters import TheName


@route
async def list_parties(server: TheServer) -> AllSaved:
    """List the stored parties."""
    return AllSaved(await use_documents(server, lambda documents: list_described(documents, KIND)))


@route
async def make_party(server: TheServer, data: JSONBody[Making]) -> Saved:
    """Create a party from one side of an encounter or of a fight; the name must be free (409).

    It is built from the encounter alone. The costs of the fight are taken by another route.
    """
    content = await _encounter(server, data)
    party = await compute(made_from, content, data.title or data.name, data.side)
    text = (await compute(toml_of, party)).encode()
    kept = describe_document(
        await use_documents(server, lambda documents: documents.write(KIND, data.name, TOML, text, "")), party
    )
    if data.fight is not None:
        fight = data.fight
        await carry_images_over(
            server,
            fight,
            lambda documents, owner, people: store_images_with_party(documents, owner, data.name, people),
        )
    return kept


async def _encounter(server: TheServer, data: Making) -> dict[str, Any]:
    if data.fight is None:
        return (await read_both_forms(data))[1]
    known = await load_origin(server, data.fight)
    if known is None or data.content is not None or data.toml is not None:
        raise Unusable("give an encounter, or a fight that was opened by this server's store", "fight")
    return known.encounter


@route
async def list_members(server: TheServer, name: TheName) -> PartyTold:
    """Return a party for display: its members with their correctable values, its fights, and its kinds of rest."""
    found = await use_documents(server, lambda documents: documents.read(KIND, name))
    return await compute(_describe_party, found)


def _describe_party(found: Document) -> PartyTold:
    text, content = read_toml(found.content.decode(errors="replace"))
    check(content, text)
    return party_told(content)


@route
async def get_party(server: TheServer, name: TheName) -> SavedWhole:
    """Return a stored party, as an object and as TOML, with its fault if it has any."""
    return await read_document(await use_documents(server, lambda documents: documents.read(KIND, name)), _problem_in)


@route
async def save_party(server: TheServer, name: TheName, data: JSONBody[Saving]) -> Saved:
    """Store a party; refused if it could not begin a fight (400), or another client was faster (409)."""
    text, content = await read_both_forms(data)
    await compute(check, content, text)
    sent = text.encode()
    return describe_document(
        await use_documents(server, lambda documents: documents.write(KIND, name, TOML, sent, data.version)), content
    )


@route
async def delete_party(server: TheServer, name: TheName, asked: VersionAsked) -> None:
    """Delete a party; refused if the stored version is not the known one (409)."""
    await use_documents(server, lambda documents: documents.delete(KIND, name, asked.version))
    await use_documents(server, lambda documents: delete_images(documents, name, OF_PARTY))


@route
async def download_party(server: TheServer, name: TheName) -> Response[bytes]:
    """Download a party as the TOML file that ``affray party`` reads."""
    found = await use_documents(server, lambda documents: documents.read(KIND, name))
    return Response(found.content, media_type=TOML, headers=attachment_header(name))


@route
async def charge_fight(server: TheServer, name: TheName, data: JSONBody[Taking]) -> PartyChanged:
    """Apply the costs of a finished fight and the recovery that the rules give; each fight only once.

    Refused if the fight is not over (422).
    """
    if data.fight not in await server.fights.list_names():
        raise NotFound(f"there is no fight {data.fight}")
    async with server.fights.lock_for_reading(data.fight) as fight:
        return await _apply_change(server, name, data.version, lambda content: after_fight(content, fight, utc_now()))


@route
async def let_party_rest(server: TheServer, name: TheName, data: JSONBody[Resting]) -> PartyChanged:
    """Apply a rest of one of the kinds that the party's rules have."""
    return await _apply_change(server, name, data.version, lambda content: rest_party(content, data.kind, utc_now()))


@route
async def correct_party(server: TheServer, name: TheName, data: JSONBody[Correcting]) -> PartyChanged:
    """Correct values of a member, all or none: counters, conditions, counters of things, or fields of the entry.

    Refused if all values are so already (422).
    """
    return await _apply_change(
        server,
        name,
        data.version,
        lambda content: (correct_member(content, data.member, data.values, utc_now()), []),
    )


@route
async def undo_party_change(server: TheServer, name: TheName, data: JSONBody[Known]) -> PartyChanged:
    """Take back the last change of a party; refused if there is none (422)."""

    def back(content: Content) -> tuple[Content, list[CostLine]]:
        before, what = taken_back(content)
        return before, [CostLine("note", "", f"took back: {what}")]

    return await _apply_change(server, name, data.version, back)


async def _apply_change(
    server: ServerState, name: str, version: str, change: Callable[[Content], tuple[Content, list[CostLine]]]
) -> PartyChanged:
    """Apply a change to the known version of a party, and describe the result."""
    found = await use_documents(server, lambda documents: documents.read(KIND, name))
    if found.version != version:
        raise Superseded(KIND, name, found.version)
    before = await read_document(found, _problem_in)
    if before.fault is not None:  # stored by another version of the program, or edited by hand
        check(before.content, before.toml)
    content, told = change(before.content)
    if content != before.content:
        text = (await compute(toml_with, before.toml, content)).encode()
        await use_documents(server, lambda documents: documents.write(KIND, name, TOML, text, version))
        found = await use_documents(server, lambda documents: documents.read(KIND, name))
    return PartyChanged(await read_document(found, _problem_in), told)


def _problem_in(content: dict[str, Any], text: str) -> Problem | None:
    try:
        check(content, text)
    except Faulty as faulty:
        return problem_of(faulty)
    return None
