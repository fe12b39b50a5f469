"""Announcements of scene changes to the followers of a fight, as far as each of them sees the change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from affray.engine.fight import Fight

from . import scene_store
from .documents import use_documents
from .scene_store import StoredScene, VisibleScene

if TYPE_CHECKING:
    from .server_state import ServerState


class SceneUpdates(Struct):
    """The last known scenes of the followed fights.

    Attributes:
        known: The scenes by fight.
    """

    known: dict[str, VisibleScene] = field(default_factory=dict)

    async def check_scene(self, server: ServerState, fight: str) -> None:
        """Check whether another server changed a scene, and announce it."""
        owner = await server.document_owner(fight)
        now, _ = await use_documents(server, lambda documents: scene_store.read_scene(documents, owner))
        self._show(server, fight, scene_store.show_scene(now, (await server.fights.fight(fight)).state))

    async def announce_change(self, server: ServerState, fight: str, before: StoredScene, now: StoredScene) -> None:
        """Announce a change of a scene that this server made."""
        state = (await server.fights.fight(fight)).state
        self.known[fight] = scene_store.show_scene(before, state)
        self._show(server, fight, scene_store.show_scene(now, state))

    def remember(self, fight: Fight, kept: StoredScene) -> None:
        """Store the scene that a viewer has asked for, as the last known one."""
        self.known.setdefault(fight.name, scene_store.show_scene(kept, fight.state))

    def update_sight(self, server: ServerState, fight: Fight) -> None:
        """Announce portraits that came into view or left it because of the fight's events."""
        before = self.known.get(fight.name)
        if before is not None and before.kept.portraits:
            self._show(server, fight.name, scene_store.show_scene(before.kept, fight.state))

    def _show(self, server: ServerState, fight: str, now: VisibleScene) -> None:
        before, self.known[fight] = self.known.get(fight), now
        if before is not None and before != now:
            server.hub.announce_scene(fight, scene_store.compare_scenes(before, now))
