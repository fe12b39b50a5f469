"""What the routes share: the fights, the grants, the hub, and the links."""

from asyncio import Semaphore
from collections.abc import Sequence
from functools import partial
from urllib.parse import quote

from msgspec import Struct, field

from affray.engine.stores.documents import document_owner_of
from affray.engine.visibility import Viewer

from .downloads import Downloads
from .forecasts import Forecasts
from .grants import Grants, Holder, hashed, same_token
from .hub import Hub
from .open_fights import Fights
from .rate_limits import ANONYMOUS, HOSTING, PLAYING, WATCHING, Allowance, Turns
from .roles import Role
from .scene_updates import Staging
from .send_buffer import Outgoing
from .window_timers import Clocks

HOST = Viewer(role="gm", name="gm")
"""The host enters every fight as its game master."""

ALLOWED: dict[Role, Allowance] = {"host": HOSTING, "gm": PLAYING, "player": PLAYING, "spectator": WATCHING}
"""What a link of each role may do."""


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
        key: The hash of their token; none for the host's, which cannot be taken back.
        forks: The share of the server that all links of one fight's forks use together; empty for other links.
    """

    role: Role
    fight: str | None
    viewer: Viewer
    key: str = ""
    forks: str = ""

    @property
    def share(self) -> str:
        """The server share they use: their link's own, or that of all forks of one fight."""
        return self.forks or self.key

    @property
    def lane(self) -> str:
        """The lane of their link; spectators of forks have one beside that of those who play them."""
        return f"{self.forks} {self.role == 'spectator'}" if self.forks else self.key or self.role

    @property
    def forks_of_theirs(self) -> str:
        """The share of the links that a fork of theirs brings; empty for the host's, each of which has its own."""
        return "" if self.fight is None else self.forks or f"forks of {self.fight}"

    @property
    def allowance(self) -> Allowance:
        """The rights of their link; forks are at work one at a time, as the requests of one fight are."""
        allowed = ALLOWED[self.role]
        return allowed._replace(at_once=1) if self.forks else allowed


class Serving(Struct, frozen=True, kw_only=True):
    """A server at work.

    Attributes:
        host: The server's own token.
        origin: Where it is reached, such as ``http://127.0.0.1:8000``.
        reach: Where others reach it: what was said, or this machine's addresses; none if it listens to itself alone.
        telling: Lets one log file at a time be read for the story of it.
        looking_ahead: Lets a few policies at a time look ahead, whatever tables they play for.
    """

    fights: Fights
    grants: Grants
    hub: Hub
    host: str
    origin: str
    reach: tuple[str, ...] = ()
    downloads: Downloads = field(default_factory=Downloads)
    outgoing: Outgoing = field(default_factory=Outgoing)
    forecasts: Forecasts = field(default_factory=Forecasts)
    clocks: Clocks = field(default_factory=Clocks)
    staging: Staging = field(default_factory=Staging)
    turns: Turns = field(default_factory=Turns)
    telling: Semaphore = field(default_factory=lambda: Semaphore(1))
    looking_ahead: Semaphore = field(default_factory=lambda: Semaphore(4))

    async def entrant(self, token: str, address: str = "") -> Entrant:
        """Return the viewer of a token; a new token is looked up in turns of its sender's address.

        Raises:
            NotKnown: nobody.
            TooFast: the address sends too many of them.
        """
        if same_token(token, self.host):
            return Entrant("host", None, HOST)
        if self.grants.knows(token):
            found = await self.fights.aside(self.grants.viewer, token)
        else:
            async with self.turns.turn(f"@{address}", ANONYMOUS):
                found = await self.fights.aside(self.grants.viewer, token)
        if found is None:
            raise NotKnown("this token stands for nobody here")
        fight, viewer = found
        return Entrant(viewer.role, fight, viewer, hashed(token), self.grants.share(token))

    async def entrant_at(self, token: str, fight: str, address: str = "") -> Entrant:
        """Return the viewer that a token stands for in a fight.

        Raises:
            NotKnown: nobody.
            NotAllowed: somebody of another fight.
        """
        entrant = await self.entrant(token, address)
        if entrant.fight not in (None, fight):
            raise NotAllowed("this token is for another fight")
        return entrant

    async def check_fight(self, entrant: Entrant) -> None:
        """Refuse the token of a fight that was removed, where another one has been begun under its name.

        Raises:
            NotKnown: the token is of such a fight.
            Missing: there is no fight of that name.
            Exception: it must be opened for that, and cannot; see ``Fights.using``.
        """
        if entrant.fight is not None:
            beginning = await self.fights.beginning(entrant.fight)
            if not self.grants.is_for(entrant.key, beginning):
                raise NotKnown("this token stands for nobody here")

    async def owner(self, fight: str) -> str:
        """Return the owner of a fight's documents."""
        return document_owner_of(fight, await self.fights.beginning(fight))

    def leave(self, fight: str) -> None:
        """Let go of all that is known of a fight that was removed, since another one is open under its name."""
        self.hub.leave(fight)
        self.forecasts.leave(fight)
        self.clocks.leave(fight)
        self.staging.known.pop(fight, None)
        self.grants.forget(fight)

    async def tokens(self, fight: str, *viewers: Viewer, share: str = "") -> list[str]:
        """Return new tokens for viewers of a fight, one for each; see ``Grants.share``."""
        grant = partial(self.grants.grant, beginning=await self.fights.beginning(fight), share=share)
        return await self.fights.aside(grant, fight, *viewers)

    async def holders(self, fight: str) -> list[Holder]:
        """List the holders of tokens of a fight."""
        return await self.fights.aside(self.grants.holders, fight, await self.fights.beginning(fight))

    async def take_back(self, fight: str, keys: Sequence[str]) -> None:
        """Take tokens back, of which these are the hashes, and end what is followed by them."""
        await self.fights.aside(self.grants.take_back, fight, keys)
        await self.end_taken_back(fight)

    async def end_taken_back(self, fight: str) -> None:
        """End the streams of a fight whose token was taken back, at whichever server of the same store."""
        followers = self.hub.followers(fight)  # before it is asked who holds a token: they had one when they came
        held = {holder.key for holder in await self.holders(fight)}
        for follower in followers:
            if follower.key and follower.key not in held:
                follower.end()

    def link(self, fight: str, token: str) -> str:
        """Return the link of a token, which stands in its fragment: browsers keep that to themselves."""
        return f"{self.origin}/#fight={quote(fight)}&token={token}"

    def host_link(self) -> str:
        """Return the link of whoever runs the server; it names no fight."""
        return f"{self.origin}/#token={self.host}"
