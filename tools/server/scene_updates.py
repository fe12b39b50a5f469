"""Tell those who follow a fight that its scene is another one, as far as each of them may see it."""

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
    """The scenes of the fights that are followed, as this server knows them.

    Attributes:
        known: By fight.
    """

    known: dict[str, Shown] = field(default_factory=dict)

    async def look(self, serving: Serving, fight: str) -> None:
        """See whether a scene was changed at another server."""
        owner = await serving.owner(fight)
        now, _ = await asked(serving, lambda documents: scene_store.read(documents, owner))
        self._show(serving, fight, scene_store.show_scene(now, (await serving.fights.fight(fight)).state))

    async def changed(self, serving: Serving, fight: str, before: Kept, now: Kept) -> None:
        """Hear that a scene is another one."""
        state = (await serving.fights.fight(fight)).state
        self.known[fight] = scene_store.show_scene(before, state)
        self._show(serving, fight, scene_store.show_scene(now, state))

    def learn(self, fight: Fight, kept: Kept) -> None:
        """Note what a scene shows that a viewer has asked for."""
        self.known.setdefault(fight.name, scene_store.show_scene(kept, fight.state))

    def update_sight(self, serving: Serving, fight: Fight) -> None:
        """Hear that portraits may have come in sight, or gone, by what happened in a fight."""
        before = self.known.get(fight.name)
        if before is not None and before.kept.portraits:
            self._show(serving, fight.name, scene_store.show_scene(before.kept, fight.state))

    def _show(self, serving: Serving, fight: str, now: Shown) -> None:
        before, self.known[fight] = self.known.get(fight), now
        if before is not None and before != now:
            serving.hub.staged(fight, scene_store.change_as_seen(before, now))
