"""Routes for stored encounters: check, store, copy and download them."""

from typing import Annotated

from litestar import Response
from litestar.params import JSONBody, PathParameter
from msgspec.structs import replace

from affray.engine.errors import Unusable
from affray.engine.stores.documents import TOML
from affray.tools.api.schemas.documents import AllSaved, Checked, Copying, Saved, SavedWhole, SavingEncounter, Written
from affray.tools.api.schemas.fights import Forecast
from affray.tools.api.schemas.forecasts import Wish
from affray.tools.api.schemas.requests import VersionAsked
from affray.tools.encounters.library.encounter_check import people_in
from affray.tools.server.auth import TheCaller, TheServer
from affray.tools.server.documents import (
    attachment_header,
    describe_document,
    list_described,
    list_problems,
    read_both_forms,
    read_document,
    use_documents,
)
from affray.tools.server.forecasts import NO_FIGHT
from affray.tools.server.image_carryover import copy_encounter_images, delete_images
from affray.tools.server.routes.forecasts import ForecastId
from affray.tools.server.routing import route
from affray.tools.server.scene_store import OF_ENCOUNTER, read_scene
from affray.tools.server.worker_threads import compute

KIND = "encounter"

WISH = Wish(what="odds", within=4)
"""The forecast of an encounter that is being edited: quick, and within four percentage points."""

TheName = Annotated[str, PathParameter(max_length=100, description="The name of the stored document.")]


@route
async def check_encounter(data: JSONBody[Written]) -> Checked:
    """Check whether an encounter can be fought, without opening it; report its faults with their fields.

    The faults are those that ``affray new`` reports. The answer has the encounter as an object and as TOML.
    """
    text, content = await read_both_forms(data)
    faults = await compute(list_problems, content, text)
    fault, people = next(iter(faults), None), tuple(people_in(content))
    return Checked(ok=fault is None, fault=fault, faults=faults, people=people, content=content, toml=text)


@route
async def request_balance(server: TheServer, caller: TheCaller, data: JSONBody[Written]) -> Forecast:
    """Begin a forecast of an encounter as it is written; ask for its progress by its id.

    The engine fights it again and again with the sensible policy on all sides. The number of open forecasts is limited
    (429).
    """
    _, content = await read_both_forms(data)
    return server.forecasts.begin_of_encounter(content, WISH, caller.share)


@route
async def get_balance(server: TheServer, id: ForecastId) -> Forecast:
    """Return the forecast of an encounter, with its progress and results."""
    return server.forecasts.get_forecast(NO_FIGHT, id)


@route
async def drop_balance(server: TheServer, caller: TheCaller, id: ForecastId) -> None:
    """Drop the forecast of an encounter; it is cancelled when every client that asked for it has dropped it."""
    server.forecasts.drop(NO_FIGHT, id, caller.share, for_all=False)


@route
async def list_encounters(server: TheServer) -> AllSaved:
    """List the stored encounters."""
    return AllSaved(await use_documents(server, lambda documents: list_described(documents, KIND)))


@route
async def get_encounter(server: TheServer, name: TheName) -> SavedWhole:
    """Return a stored encounter, as an object and as TOML, with its first fault if it has any."""
    found = await read_document(await use_documents(server, lambda documents: documents.read(KIND, name)))
    shown, _ = await use_documents(server, lambda documents: read_scene(documents, name, OF_ENCOUNTER))
    return replace(found, background=shown.background)


@route
async def save_encounter(server: TheServer, name: TheName, data: JSONBody[SavingEncounter]) -> Saved:
    """Store an encounter, which may still be unfinished.

    Refused if the stored version is not the one that the writer knows (409), or if the store is full (429).
    """
    text, content = await read_both_forms(data)
    if not isinstance(content.get("system"), str):
        raise Unusable('must be given as a text, such as system = "…"', "system")
    sent = text.encode()
    kept = await use_documents(server, lambda documents: documents.write(KIND, name, TOML, sent, data.version))
    if data.copy_of:
        await use_documents(server, lambda documents: copy_encounter_images(documents, data.copy_of, name))
    return describe_document(kept, content)


@route
async def delete_encounter(server: TheServer, name: TheName, asked: VersionAsked) -> None:
    """Delete an encounter; refused if the stored version is not the known one (409)."""
    await use_documents(server, lambda documents: documents.delete(KIND, name, asked.version))
    await use_documents(server, lambda documents: delete_images(documents, name, OF_ENCOUNTER))


@route
async def copy_encounter(server: TheServer, name: TheName, data: JSONBody[Copying]) -> Saved:
    """Store a copy of an encounter, with its picture, under another name, which must be free (409)."""
    found = await use_documents(server, lambda documents: documents.read(KIND, name))
    content = (await read_document(found)).content
    kept = await use_documents(server, lambda documents: documents.write(KIND, data.to, TOML, found.content, ""))
    await use_documents(server, lambda documents: copy_encounter_images(documents, name, data.to))
    return describe_document(kept, content)


@route
async def download_encounter(server: TheServer, name: TheName) -> Response[bytes]:
    """Download an encounter as the TOML file that ``affray new`` opens a fight from."""
    found = await use_documents(server, lambda documents: documents.read(KIND, name))
    return Response(found.content, media_type=TOML, headers=attachment_header(name))
