"""What the routes share: the fights, the grants, the hub of the feeds, and where links lead."""

from __future__ import annotations

from urllib.parse import quote

from msgspec import Struct

from affray.engine.hiding import Viewer

from .fights import Fights
from .grants import Grants, same_token
from .hub import Hub
from .roles import Role

HOST = Viewer(role="gm", name="gm")
"""The host enters every fight as its game master."""


class NotKnown(Exception):
    """No token, or one that stands for nobody."""


class NotAllowed(Exception):
    """Somebody who is known may not do this."""


class Entrant(Struct, frozen=True):
    """Who came in with a token.

    Attributes:
        role: What the table of roles calls them.
        fight: The only fight they may enter; none for the host, who may enter all.
        viewer: Who they are in it.
    """

    role: Role
    fight: str | None
    viewer: Viewer


class Serving(Struct, frozen=True, kw_only=True):
    """A server at work.

    Attributes:
        host: The server's own token.
        origin: Where it is reached, such as ``http://127.0.0.1:8000``.
    """

    fights: Fights
    grants: Grants
    hub: Hub
    host: str
    origin: str

    async def entrant(self, token: str) -> Entrant:
        """Return whom a token stands for.

        Raises:
            NotKnown: nobody.
        """
        if same_token(token, self.host):
            return Entrant("host", None, HOST)
        found = await self.fights.aside(self.grants.viewer, token)
        if found is None:
            raise NotKnown("this token stands for nobody here")
        fight, viewer = found
        return Entrant(viewer.role, fight, viewer)

    async def viewer_of(self, token: str, fight: str) -> Viewer:
        """Return who a token stands for in a fight.

        Raises:
            NotKnown: nobody.
            NotAllowed: somebody of another fight.
        """
        entrant = await self.entrant(token)
        if entrant.fight not in (None, fight):
            raise NotAllowed("this token is for another fight")
        return entrant.viewer

    async def token(self, fight: str, viewer: Viewer) -> str:
        """Return a new token for a viewer of a fight."""
        return await self.fights.aside(self.grants.grant, fight, viewer)

    def link(self, fight: str, token: str) -> str:
        """Return the link of a token, which stands in its fragment: browsers keep that to themselves."""
        return f"{self.origin}/#fight={quote(fight)}&token={token}"
