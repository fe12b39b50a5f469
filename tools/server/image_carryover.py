"""Carry-over of pictures between fights: an encounter keeps its map background, a party its members' portraits.

A fight of the same encounter, or with the same party, starts with them. The picture files themselves are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec.structs import replace

from affray.engine.errors import EngineError, NoDocument, Unusable
from affray.engine.logger import Logger
from affray.engine.stores.documents import Documents
from affray.events import Id
from affray.tools.api.fight_origin import Origin
from affray.tools.encounters.party.members import ids_of
from affray.tools.encounters.party.storage import KIND as PARTIES
from affray.tools.parse.encounter_file import read_toml
from affray.tools.parse.faults import Faulty

from .documents import use_documents
from .scene_store import OF_ENCOUNTER, OF_PARTY, StoredScene, change_scene, delete_unused_image, read_scene
from .server_state import ServerState

_log = Logger(__name__)


async def carry_images_over(
    server: ServerState, fight: str, work: Callable[[Documents, str, Collection[Id]], None]
) -> None:
    """Carry pictures over to a fight or from it. A failure is only logged, since the fight can go on without them.

    Args:
        work: Takes the documents, the owner of the fight's documents, and the ids of its combatants.
    """
    owner = await server.document_owner(fight)
    people = (await server.fights.fight(fight)).state.combatants
    try:
        await use_documents(server, lambda documents: work(documents, owner, people))
    except EngineError as error:
        _log.warning("could_not_hand_on_pictures", fight=fight, reason=str(error))


def copy_images_to_fork(documents: Documents, parent: str, fight: str, people: Collection[Id]) -> None:
    """Copy a fight's scene to its fork, without portraits of combatants who are not in it. Both names are owners."""
    _merge_scenes(documents, fight, [read_scene(documents, parent)[0]], people)


def copy_images_to_fight(documents: Documents, fight: str, origin: Origin, people: Collection[Id]) -> None:
    """Give a new fight the pictures of its encounter and its party; the party's portraits take precedence."""
    givers = ((origin.saved, OF_ENCOUNTER), (origin.party, OF_PARTY))
    _merge_scenes(documents, fight, [read_scene(documents, name, kind)[0] for name, kind in givers if name], people)


def store_images_with_origin(documents: Documents, fight: str, origin: Origin, people: Collection[Id]) -> None:
    """Store a fight's background with its encounter, and its members' portraits with its party."""
    now, _ = read_scene(documents, fight)
    members = _members(documents, origin.party)
    if origin.saved:
        foes = {who: picture for who, picture in now.portraits.items() if who not in members}
        anew = _drop_unused(StoredScene(origin.saved, now.background, foes))
        change_scene(documents, origin.saved, lambda _: anew, OF_ENCOUNTER)
    if members:
        store_images_with_party(documents, fight, origin.party, people)


def store_images_with_party(documents: Documents, fight: str, party: str, people: Collection[Id]) -> None:
    """Store the members' portraits of a fight with their party; absent members keep theirs."""
    now, _ = read_scene(documents, fight)
    members = _members(documents, party)
    here = {who: picture for who, picture in now.portraits.items() if who in members}

    def anew(there: StoredScene) -> StoredScene:
        others = {who: picture for who, picture in there.portraits.items() if who not in people}
        return _drop_unused(replace(there, portraits=others | here))

    change_scene(documents, party, anew, OF_PARTY)


def copy_encounter_images(documents: Documents, name: str, copy: str) -> None:
    """Copy the pictures of an encounter to its copy."""
    kept, _ = read_scene(documents, name, OF_ENCOUNTER)
    change_scene(documents, copy, lambda _: replace(kept, fight=copy), OF_ENCOUNTER)


def delete_images(documents: Documents, name: str, kind: str) -> None:
    """Delete the pictures of a deleted encounter or party, except those that are used elsewhere."""
    before, _ = read_scene(documents, name, kind)
    change_scene(documents, name, lambda there: StoredScene(there.fight), kind)
    for picture in before.pictures:
        delete_unused_image(documents, picture)


def _members(documents: Documents, party: str) -> Collection[Id]:
    """Return the ids of a party's members; none if the party is deleted or unreadable."""
    try:
        return ids_of(read_toml(documents.read(PARTIES, party).content.decode(errors="replace"))[1]) if party else ()
    except (NoDocument, Unusable, Faulty):
        return ()


def _merge_scenes(documents: Documents, fight: str, scenes: Iterable[StoredScene], people: Collection[Id]) -> None:
    """Merge scenes into that of a fight, later ones first, without portraits of absent combatants."""

    def anew(there: StoredScene) -> StoredScene:
        for more in scenes:
            portraits = {who: picture for who, picture in more.portraits.items() if who in people}
            background = more.background or there.background
            there = _drop_unused(replace(there, background=background, portraits={**there.portraits, **portraits}))
        return there

    change_scene(documents, fight, anew)


def _drop_unused(scene: StoredScene) -> StoredScene:
    """Drop the pictures that a scene does not show."""
    behind = [scene.background.picture] if scene.background else []
    return replace(scene, pictures=tuple(dict.fromkeys([*behind, *scene.portraits.values()])))
