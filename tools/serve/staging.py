"""Tell those who follow a fight that its scene is another one, as far as each of them may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from . import scenes
from .kept import asked
from .scenes import Kept

if TYPE_CHECKING:
    from .serving import Serving


class Staging(Struct):
    """The scenes of the fights that are followed, as this server knows them.

    Attributes:
        known: By fight.
    """

    known: dict[str, Kept] = field(default_factory=dict)

    async def look(self, serving: Serving, fight: str) -> None:
        """See whether a scene was changed at another server."""
        owner = await serving.owner(fight)
        now, _ = await asked(serving, lambda documents: scenes.read(documents, owner))
        before = self.known.get(fight)
        if before is None:
            self.known[fight] = now
        elif before != now:
            await self.changed(serving, fight, before, now)

    async def changed(self, serving: Serving, fight: str, before: Kept, now: Kept) -> None:
        """Hear that a scene is another one."""
        self.known[fight] = now
        state = (await serving.fights.fight(fight)).state
        serving.hub.staged(fight, scenes.change_as_seen(before, now, state))
