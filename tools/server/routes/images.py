"""Routes for pictures: uploaded by a game master, shown behind the map and as portraits."""

from typing import Annotated, Any

from litestar import Request, Response, delete, get, post, put
from litestar.datastructures import State as AppState
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter

from affray.tools.api.schemas.documents import Scene, Setting, Uploaded
from affray.tools.server import scene_store
from affray.tools.server.auth import TheFight, TheServing, TheViewer
from affray.tools.server.documents import asked
from affray.tools.server.error_mapping import refusals
from affray.tools.server.fight_origins import origin_of
from affray.tools.server.image_carryover import handed_on, kept_beside
from affray.tools.server.image_headers import MOST_BYTES, picture_in
from affray.tools.server.open_fights import Missing

ThePicture = Annotated[str, PathParameter(max_length=100, description="The name of a picture.")]

HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": "inline",
}
"""Headers of a picture: nothing in it ever runs, and a name always stands for the same picture."""


MADE = "made"
"""The key of the picture in a request's scope while it is sent: all its readers share one copy in memory."""


@get("/api/fights/{fight:str}/scene", responses=refusals(400, 401, 403, 404, 409, 503))
async def scene(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Scene:
    """Return the background of the map, and the portraits of the combatants that the viewer knows of.

    ``version`` changes with any of that. With ``scene=true``, the feed tells when to ask again.
    """
    owner = await serving.owner(fight)
    kept, version = await asked(serving, lambda documents: scene_store.read(documents, owner))
    async with serving.fights.using(fight) as found:
        serving.staging.learn(found, kept)
        return scene_store.seen(kept, version, viewer, found.state)


@put("/api/fights/{fight:str}/scene", responses=refusals(400, 401, 403, 404, 409, 413, 429, 503))
async def set_scene(serving: TheServing, fight: TheFight, viewer: TheViewer, data: JSONBody[Setting]) -> Scene:
    """Set the background, its scale and offset, and the portraits; refused if another client was faster (409)."""
    owner, state = await serving.owner(fight), (await serving.fights.fight(fight)).state
    before, _ = await asked(serving, lambda documents: scene_store.read(documents, owner))
    kept, version = await asked(serving, lambda documents: scene_store.put(documents, owner, data, state))
    await serving.staging.changed(serving, fight, before, kept)
    await _outlasts(serving, fight)
    return scene_store.seen(kept, version, viewer, state)


async def _outlasts(serving: TheServing, fight: str) -> None:
    """Store a fight's pictures with its encounter and its party."""
    origin = await origin_of(serving, fight)
    if origin is not None and (origin.saved or origin.party):
        await handed_on(serving, fight, lambda documents, owner, people: kept_beside(documents, owner, origin, people))


@post(
    "/api/fights/{fight:str}/pictures",
    request_max_body_size=MOST_BYTES,
    responses=refusals(400, 401, 403, 404, 409, 413, 429, 503),
)
async def upload(request: Request[Any, Any, AppState], serving: TheServing, fight: TheFight) -> Uploaded:
    """Store a picture for a fight: PNG, JPEG or WebP, as the body of the request. Return its name.

    Other types are refused, and so are pictures with too many bytes or pixels (400, 413), or one too many (429).
    """
    owner = await serving.owner(fight)
    await serving.fights.fight(fight)
    content = await request.body()
    about = picture_in(content)
    name = await asked(serving, lambda documents: scene_store.added(documents, owner, content, about))
    return Uploaded(name, about.media, about.width, about.height)


@delete("/api/fights/{fight:str}/pictures/{picture:str}", responses=refusals(400, 401, 403, 404, 409, 503))
async def remove(serving: TheServing, fight: TheFight, picture: ThePicture) -> None:
    """Remove a picture from a fight, and delete it unless another scene uses it."""
    owner = await serving.owner(fight)
    before, _ = await asked(serving, lambda documents: scene_store.read(documents, owner))
    await asked(serving, lambda documents: scene_store.removed(documents, owner, picture))
    now, _ = await asked(serving, lambda documents: scene_store.read(documents, owner))
    await serving.staging.changed(serving, fight, before, now)
    await _outlasts(serving, fight)
    await asked(serving, lambda documents: scene_store.swept(documents, picture))


@get(
    "/api/pictures/{picture:str}",
    media_type="image/png",
    responses={
        200: ResponseSpec(bytes, media_type="image/png", description="The picture.", generate_examples=False),
        **refusals(400, 404, 503),
    },
)
async def picture(request: Request[Any, Any, AppState], serving: TheServing, picture: ThePicture) -> Response[bytes]:
    """Return a picture.

    Its name cannot be guessed, and is told only to viewers who may see it.
    """
    found = await asked(serving, lambda documents: documents.read(scene_store.PICTURE, picture))
    if not found.media.startswith("image/"):
        raise Missing("there is no such picture")
    made = request.scope["state"][MADE] = serving.outgoing.share(picture, found.content)
    return Response(made.content, media_type=found.media, headers=HEADERS)


ROUTES = [scene, set_scene, upload, remove, picture]
