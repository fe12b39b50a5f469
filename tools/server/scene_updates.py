"""Announcements of scene changes to the followers of a fight, as far as each of them sees the change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from affray.engine.fight import Fight

from . import scene_store
from .documents import asked
from .scene_store import Kept, Shown

if TYPE_CHECKING:
    from .server_state import Serving


class Staging(Struct):
    """The last known scenes of the followed fights.

    Attributes:
        known: The scenes by fight.
    """

    known: dict[str, Shown] = field(default_factory=dict)

    async def look(self, serving: Serving, fight: str) -> None:
        """Check whether another server changed a scene, and announce it."""
        owner = await serving.owner(fight)
        now, _ = await asked(serving, lambda documents: scene_store.read(documents, owner))
        self._show(serving, fight, scene_store.show_scene(now, (await serving.fights.fight(fight)).state))

    async def changed(self, serving: Serving, fight: str, before: Kept, now: Kept) -> None:
        """Announce a change of a scene that this server made."""
        state = (await serving.fights.fight(fight)).state
        self.known[fight] = scene_store.show_scene(before, state)
        self._show(serving, fight, scene_store.show_scene(now, state))

    def learn(self, fight: Fight, kept: Kept) -> None:
        """Store the scene that a viewer has asked for, as the last known one."""
        self.known.setdefault(fight.name, scene_store.show_scene(kept, fight.state))

    def update_sight(self, serving: Serving, fight: Fight) -> None:
        """Announce portraits that came into view or left it because of the fight's events."""
        before = self.known.get(fight.name)
        if before is not None and before.kept.portraits:
            self._show(serving, fight.name, scene_store.show_scene(before.kept, fight.state))

    def _show(self, serving: Serving, fight: str, now: Shown) -> None:
        before, self.known[fight] = self.known.get(fight), now
        if before is not None and before != now:
            serving.hub.staged(fight, scene_store.change_as_seen(before, now))
