"""What was set for a fight beside its log: the picture behind its map, and portraits. A document of its own each.

A picture's name cannot be guessed, and is told only to whoever may see what it shows: it needs no other key.
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
from affray.tools.api.schemas.documents import Background, Scene, Setting

from .image_headers import Picture

SCENE, OF_ENCOUNTER, OF_PARTY, PICTURE = "scene", "encounterscene", "partyscene", "picture"
"""The kinds of documents: the scene of a fight, what an encounter or a party hands on to its fights, a picture."""

MOST_PICTURES = 100
"""How many pictures a fight may have."""

TRIES = 5
"""How often a picture is put into the list of a scene that others change meanwhile."""


class Kept(Struct, frozen=True, omit_defaults=True):
    """A scene as it is kept.

    Attributes:
        fight: Whose it is: a fight's (see ``document_owner_of``), or an encounter's or a party's.
        pictures: All that may stand in it.
    """

    fight: str
    background: Background | None = None
    portraits: dict[Id, str] = {}
    pictures: tuple[str, ...] = ()


def read(documents: Documents, fight: str, kind: str = SCENE) -> tuple[Kept, str]:
    """Return a fight's scene with its version; an empty one where nothing was ever set."""
    try:
        found = documents.read(kind, document_name_of(fight))
        return msgspec.json.decode(found.content, type=Kept), found.version
    except (NoDocument, msgspec.DecodeError):
        return Kept(fight), ""


def seen(kept: Kept, version: str, viewer: Viewer, state: State) -> Scene:
    """Return what somebody may see of a scene: portraits of those they know of, and of pictures no more than these.

    Its version tells them nothing of what is hidden.
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


class Shown(NamedTuple):
    """A scene with what its portraits depend on.

    Attributes:
        kept: The scene.
        there: The combatants of the fight that have a portrait.
        concealed: Those of them that are concealed.
    """

    kept: Kept
    there: frozenset[Id]
    concealed: frozenset[Id]

    def portrait(self, who: Id, viewer: Viewer) -> str | None:
        """Return the portrait of a combatant as a viewer sees it."""
        hidden = who not in self.there or (who in self.concealed and who not in viewer.owns)
        return None if hidden else self.kept.portraits.get(who)


def show_scene(kept: Kept, state: State) -> Shown:
    """Return a scene as a fight shows it."""
    there = frozenset(who for who in kept.portraits if who in state.combatants)
    return Shown(kept, there, there.intersection(state.concealed))


def change_as_seen(before: Shown, now: Shown) -> Callable[[Viewer], bool]:
    """Return a test that tells whether a scene and a later one differ in what a viewer may see of them.

    It looks at the changed portraits alone, since it is asked for every view of a fight at once.
    """

    def standing(one: Shown, who: Id) -> tuple[object, ...]:
        return one.kept.portraits.get(who), who in one.there, who in one.concealed

    people = before.kept.portraits.keys() | now.kept.portraits.keys()
    changed = [who for who in people if standing(before, who) != standing(now, who)]

    def sees_it(viewer: Viewer) -> bool:
        if viewer.role == "gm" or before.kept.background != now.kept.background:
            return before.kept != now.kept
        return any(before.portrait(who, viewer) != now.portrait(who, viewer) for who in changed)

    return sees_it


def put(documents: Documents, fight: str, wanted: Setting, state: State) -> tuple[Kept, str]:
    """Set what stands behind a fight's map, and who has which portrait.

    Raises:
        Superseded: it is in another version than its writer knows.
        Unusable: there is no such picture of this fight, or no such combatant.
    """
    kept, version = read(documents, fight)
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


def _must_be_there(picture: str, kept: Kept, field: str) -> None:
    if picture not in kept.pictures:
        raise Unusable("there is no such picture of this fight; upload it first", field)


def added(documents: Documents, fight: str, content: bytes, about: Picture) -> str:
    """Keep a picture for a fight, and return its name.

    Raises:
        Full: the fight has as many as it may have, or the store has.
    """
    name = token_hex(16)
    _must_have_room(read(documents, fight)[0])
    documents.write(PICTURE, name, about.media, content, "")
    try:
        change(documents, fight, lambda kept: replace(_must_have_room(kept), pictures=(*kept.pictures, name)))
    except (Full, Superseded):
        _delete(documents, name)
        raise
    return name


def removed(documents: Documents, fight: str, name: str) -> None:
    """Take a picture out of a fight, wherever it stands there.

    Raises:
        NoDocument: the fight has no such picture.
    """
    if name not in read(documents, fight)[0].pictures:
        raise NoDocument("there is no such picture of this fight")
    change(documents, fight, lambda kept: _without(kept, name))


def swept(documents: Documents, name: str) -> None:
    """Delete a picture that stands in no scene any more."""
    for kind in (SCENE, OF_ENCOUNTER, OF_PARTY):
        for one in documents.list_documents(kind):
            if name in msgspec.json.decode(documents.read(kind, one.name).content, type=Kept).pictures:
                return
    _delete(documents, name)


def _without(kept: Kept, name: str) -> Kept:
    background = kept.background if kept.background is None or kept.background.picture != name else None
    portraits = {who: picture for who, picture in kept.portraits.items() if picture != name}
    pictures = tuple(one for one in kept.pictures if one != name)
    return replace(kept, background=background, portraits=portraits, pictures=pictures)


def _must_have_room(kept: Kept) -> Kept:
    if len(kept.pictures) >= MOST_PICTURES:
        raise Full(f"this fight has {MOST_PICTURES} pictures, and may have no more: delete one first")
    return kept


def change(documents: Documents, fight: str, anew: Callable[[Kept], Kept], kind: str = SCENE) -> None:
    """Change a scene; once more if somebody else was faster."""
    for left in reversed(range(TRIES)):
        kept, version = read(documents, fight, kind)
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


def _write(documents: Documents, kept: Kept, version: str, kind: str = SCENE) -> str:
    content = msgspec.json.encode(kept)
    return documents.write(kind, document_name_of(kept.fight), "application/json", content, version).version


def _delete(documents: Documents, name: str) -> None:
    try:
        documents.delete(PICTURE, name, documents.read(PICTURE, name).version)
    except NoDocument:
        return
