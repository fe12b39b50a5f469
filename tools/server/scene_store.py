"""Scenes, stored beside the logs of fights: the picture behind the map, and portraits. Each is a document.

A picture's name cannot be guessed, and is told only to viewers who may see it, so it needs no other protection.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from secrets import token_hex
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.state import State
from affray.engine.errors import Full, NoDocument, NoSuch, Superseded, Unusable
from affray.engine.stores.documents import Documents, document_name_of
from affray.engine.visibility import Viewer, concealed_from
from affray.events import Id
from affray.tools.api.schemas.documents import Background, Scene, SceneChange

from .image_headers import ImageHeader

SCENE, OF_ENCOUNTER, OF_PARTY, PICTURE = "scene", "encounterscene", "partyscene", "picture"
"""The kinds of documents: the scene of a fight, that of an encounter, that of a party, a picture."""

MOST_PICTURES = 100
"""The most pictures of a fight."""

MOST_PICTURE_BYTES = 64 * 2**20
"""The most bytes of the pictures of a fight."""

TRIES = 5
"""The number of tries to change a scene that other clients change meanwhile."""


class StoredScene(Struct, frozen=True, omit_defaults=True):
    """A stored scene.

    Attributes:
        fight: Its owner: a fight (see ``document_owner_of``), an encounter or a party.
        pictures: The pictures that may be shown in it.
    """

    fight: str
    background: Background | None = None
    portraits: dict[Id, str] = {}
    pictures: tuple[str, ...] = ()


def read_scene(documents: Documents, fight: str, kind: str = SCENE) -> tuple[StoredScene, str]:
    """Read a fight's scene and its version; an empty one if none was ever set."""
    try:
        found = documents.read(kind, document_name_of(fight))
        return msgspec.json.decode(found.content, type=StoredScene), found.version
    except (NoDocument, msgspec.DecodeError):
        return StoredScene(fight), ""


def project_scene(kept: StoredScene, version: str, viewer: Viewer, state: State) -> Scene:
    """Project a scene for a viewer: the background, and the portraits of combatants that they know of.

    Its version reveals nothing that is hidden.
    """
    if viewer.role == "gm":
        return Scene(version=version, background=kept.background, portraits=kept.portraits, pictures=kept.pictures)
    hidden = concealed_from(viewer, state)
    portraits = {
        who: picture for who, picture in kept.portraits.items() if who in state.combatants and who not in hidden
    }
    content = msgspec.json.encode((kept.background, portraits), order="deterministic")
    empty = kept.background is None and not portraits
    told = "" if empty else sha256(content).hexdigest()[:16]
    return Scene(version=told, background=kept.background, portraits=portraits)


class VisibleScene(NamedTuple):
    """A scene with the state that the visibility of its portraits depends on.

    Attributes:
        kept: The stored scene.
        there: The combatants of the fight that have a portrait.
        concealed: The concealed ones among them.
    """

    kept: StoredScene
    there: frozenset[Id]
    concealed: frozenset[Id]

    def portrait(self, who: Id, viewer: Viewer) -> str | None:
        """Return the portrait of a combatant as a viewer sees it."""
        hidden = who not in self.there or (who in self.concealed and who not in viewer.owns)
        return None if hidden else self.kept.portraits.get(who)


def show_scene(kept: StoredScene, state: State) -> VisibleScene:
    """Combine a stored scene with the state of its fight."""
    there = frozenset(who for who in kept.portraits if who in state.combatants)
    return VisibleScene(kept, there, there.intersection(state.concealed))


def compare_scenes(before: VisibleScene, now: VisibleScene) -> Callable[[Viewer], bool]:
    """Return a test whether a viewer sees the difference between two scenes.

    It compares only the changed portraits, since it is called for every view of a fight at once.
    """

    def standing(one: VisibleScene, who: Id) -> tuple[object, ...]:
        return one.kept.portraits.get(who), who in one.there, who in one.concealed

    people = before.kept.portraits.keys() | now.kept.portraits.keys()
    changed = [who for who in people if standing(before, who) != standing(now, who)]

    def sees_it(viewer: Viewer) -> bool:
        if viewer.role == "gm" or before.kept.background != now.kept.background:
            return before.kept != now.kept
        return any(before.portrait(who, viewer) != now.portrait(who, viewer) for who in changed)

    return sees_it


def write_scene(documents: Documents, fight: str, wanted: SceneChange, state: State) -> tuple[StoredScene, str]:
    """Set the background and the portraits of a fight.

    Raises:
        Superseded: the stored version is not the one that the writer knows.
        Unusable: the fight has no such picture or combatant.
    """
    kept, version = read_scene(documents, fight)
    if version != wanted.version:
        raise Superseded(SCENE, fight, version)
    for who in wanted.portraits:
        if who not in state.combatants:
            raise NoSuch("", who, state.combatants, "portraits")
    if wanted.background is not None:
        _must_be_there(wanted.background.picture, kept, "background.picture")
    for who, picture in wanted.portraits.items():
        _must_be_there(picture, kept, f"portraits.{who}")
    changed = replace(kept, background=wanted.background, portraits=dict(wanted.portraits))
    return changed, _write(documents, changed, version)


def _must_be_there(picture: str, kept: StoredScene, field: str) -> None:
    if picture not in kept.pictures:
        raise Unusable("there is no such picture of this fight; upload it first", field)


def add_image(documents: Documents, fight: str, content: bytes, about: ImageHeader) -> str:
    """Store a picture for a fight, and return its name.

    Raises:
        Full: the fight or the store has the most pictures that it may have.
    """
    name, kept = token_hex(16), read_scene(documents, fight)[0]
    _must_have_room(kept)
    sizes = {one.name: one.size for one in documents.list_documents(PICTURE)}
    if sum(sizes.get(one, 0) for one in kept.pictures) + len(content) > MOST_PICTURE_BYTES:
        raise Full(f"the pictures of a fight may have {MOST_PICTURE_BYTES:,} bytes together: delete one first")
    documents.write(PICTURE, name, about.media, content, "")
    try:
        change_scene(documents, fight, lambda kept: replace(_must_have_room(kept), pictures=(*kept.pictures, name)))
    except (Full, Superseded):
        _delete(documents, name)
        raise
    return name


def drop_image(documents: Documents, fight: str, name: str) -> None:
    """Remove a picture from a fight's list, its background and its portraits.

    Raises:
        NoDocument: the fight has no such picture.
    """
    if name not in read_scene(documents, fight)[0].pictures:
        raise NoDocument("there is no such picture of this fight")
    change_scene(documents, fight, lambda kept: _without(kept, name))


def delete_unused_image(documents: Documents, name: str) -> None:
    """Delete a picture if no scene uses it."""
    for kind in (SCENE, OF_ENCOUNTER, OF_PARTY):
        for one in documents.list_documents(kind):
            if name in msgspec.json.decode(documents.read(kind, one.name).content, type=StoredScene).pictures:
                return
    _delete(documents, name)


def _without(kept: StoredScene, name: str) -> StoredScene:
    background = kept.background if kept.background is None or kept.background.picture != name else None
    portraits = {who: picture for who, picture in kept.portraits.items() if picture != name}
    pictures = tuple(one for one in kept.pictures if one != name)
    return replace(kept, background=background, portraits=portraits, pictures=pictures)


def _must_have_room(kept: StoredScene) -> StoredScene:
    if len(kept.pictures) >= MOST_PICTURES:
        raise Full(f"this fight has {MOST_PICTURES} pictures, and may have no more: delete one first")
    return kept


def change_scene(
    documents: Documents, fight: str, anew: Callable[[StoredScene], StoredScene], kind: str = SCENE
) -> None:
    """Change a scene; retry if another client changed it meanwhile."""
    for left in reversed(range(TRIES)):
        kept, version = read_scene(documents, fight, kind)
        changed = anew(kept)
        if changed == kept:
            return
        try:
            _write(documents, changed, version, kind)
        except Superseded:
            if not left:
                raise
        else:
            return


def _write(documents: Documents, kept: StoredScene, version: str, kind: str = SCENE) -> str:
    content = msgspec.json.encode(kept)
    return documents.write(kind, document_name_of(kept.fight), "application/json", content, version).version


def _delete(documents: Documents, name: str) -> None:
    try:
        documents.delete(PICTURE, name, documents.read(PICTURE, name).version)
    except NoDocument:
        return
