"""Routes for pictures: uploaded by a game master, shown behind the map and as portraits."""

from functools import partial
from typing import Annotated, Any

from litestar import Request, Response
from litestar.datastructures import State as AppState
from litestar.params import JSONBody, PathParameter

from affray.tools.api.access import NotFound
from affray.tools.api.schemas.documents import Scene, SceneChange, Uploaded
from affray.tools.server import scene_store
from affray.tools.server.auth import TheCaller, TheFight, TheServer, TheViewer
from affray.tools.server.documents import use_documents
from affray.tools.server.fight_origins import load_origin
from affray.tools.server.image_carryover import carry_images_over, store_images_with_origin
from affray.tools.server.image_headers import MOST_BYTES, read_image_header
from affray.tools.server.rate_limits import ALL_PICTURES, PICTURES
from affray.tools.server.routing import route

ThePicture = Annotated[str, PathParameter(max_length=100, description="The name of a picture.")]

HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": "inline",
}
"""Headers of a picture: nothing in it ever runs, and a name always stands for the same picture."""


MADE = "made"
"""The key of the picture in a request's scope while it is sent: all its readers share one copy in memory."""


@route
async def get_scene(server: TheServer, fight: TheFight, viewer: TheViewer) -> Scene:
    """Return the background of the map, and the portraits of the combatants that the viewer knows of.

    ``version`` changes with any of that. With ``scene=true``, the feed tells when to ask again.
    """
    owner = await server.document_owner(fight)
    kept, version = await use_documents(server, lambda documents: scene_store.read_scene(documents, owner))
    async with server.fights.lock(fight) as found:
        server.scene_updates.remember(found, kept)
        return scene_store.project_scene(kept, version, viewer, found.state)


@route
async def replace_scene(server: TheServer, fight: TheFight, viewer: TheViewer, data: JSONBody[SceneChange]) -> Scene:
    """Set the background, its scale and offset, and the portraits; refused if another client was faster (409)."""
    owner, state = await server.document_owner(fight), (await server.fights.fight(fight)).state
    before, _ = await use_documents(server, lambda documents: scene_store.read_scene(documents, owner))
    kept, version = await use_documents(
        server, lambda documents: scene_store.write_scene(documents, owner, data, state)
    )
    await server.scene_updates.announce_change(server, fight, before, kept)
    await _store_images(server, fight)
    return scene_store.project_scene(kept, version, viewer, state)


async def _store_images(server: TheServer, fight: str) -> None:
    """Store a fight's pictures with its encounter and its party."""
    origin = await load_origin(server, fight)
    if origin is not None and (origin.saved or origin.party):
        await carry_images_over(
            server, fight, lambda documents, owner, people: store_images_with_origin(documents, owner, origin, people)
        )


@partial(route, request_max_body_size=MOST_BYTES)
async def upload_image(
    request: Request[Any, Any, AppState], server: TheServer, fight: TheFight, caller: TheCaller
) -> Uploaded:
    """Store a picture for a fight: PNG, JPEG or WebP, as the body of the request, and return its name.

    Other types are refused, and so are pictures with too many bytes or pixels (400, 413), or one too many (429).
    """
    owner = await server.document_owner(fight)
    await server.fights.fight(fight)
    permit = server.rate_limits.permit
    async with permit(f"pictures of {fight}", PICTURES), permit("pictures", ALL_PICTURES):
        content = await request.body()
        about = read_image_header(content)
        server.count_fork_pictures(caller, len(content))
        name = await use_documents(server, lambda documents: scene_store.add_image(documents, owner, content, about))
    return Uploaded(name, about.media, about.width, about.height)


@route
async def delete_image(server: TheServer, fight: TheFight, picture: ThePicture) -> None:
    """Remove a picture from a fight, and delete it unless another scene uses it."""
    owner = await server.document_owner(fight)
    before, _ = await use_documents(server, lambda documents: scene_store.read_scene(documents, owner))
    await use_documents(server, lambda documents: scene_store.drop_image(documents, owner, picture))
    now, _ = await use_documents(server, lambda documents: scene_store.read_scene(documents, owner))
    await server.scene_updates.announce_change(server, fight, before, now)
    await _store_images(server, fight)
    await use_documents(server, lambda documents: scene_store.delete_unused_image(documents, picture))


@route
async def get_image(request: Request[Any, Any, AppState], server: TheServer, picture: ThePicture) -> Response[bytes]:
    """Return a picture.

    Its name cannot be guessed, and is told only to viewers who may see it.
    """
    found = await use_documents(server, lambda documents: documents.read(scene_store.PICTURE, picture))
    if not found.media.startswith("image/"):
        raise NotFound("there is no such picture")
    made = request.scope["state"][MADE] = server.send_buffer.share(picture, found.content)
    return Response(made.content, media_type=found.media, headers=HEADERS)
