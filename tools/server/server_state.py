"""State of a server, shared by its routes: the fights, the grants, the hub, the links, the limits."""

from asyncio import Semaphore
from collections import Counter
from collections.abc import Sequence
from functools import partial
from secrets import token_hex

from msgspec import Struct, field

from affray.engine.stores.documents import document_owner_of
from affray.engine.visibility import Viewer
from affray.tools.api.access import NotAllowed, Role

from .downloads import Downloads
from .forecasts import ForecastJobs
from .grants import EVERY_FIGHT, HOST, TokenHolder, TokenRegistry, hash_token, is_same_token
from .hub import Hub
from .open_fights import LimitReached, OpenFights
from .other_origins import OtherOrigins
from .rate_limits import ANONYMOUS, HOSTING, PLAYING, WATCHING, Allowance, RateLimits
from .scene_store import MOST_PICTURE_BYTES
from .scene_updates import SceneUpdates
from .send_buffer import SendBuffer
from .window_timers import WindowTimers

ALLOWED: dict[Role, Allowance] = {"host": HOSTING, "gm": PLAYING, "player": PLAYING, "spectator": WATCHING}
"""The rate limits of a link, by its role."""


class NotAuthenticated(Exception):
    """The token is missing or unknown."""


class AuthenticatedCaller(Struct, frozen=True):
    """Client of an authenticated request.

    Attributes:
        role: Its role in the table of roles.
        fight: The only fight that it may use; None for the host, who may use all.
        viewer: Its role and name in the fight.
        key: The hash of its token; empty for the host's.
        forks: The share of the server that all links of one fight's forks have together; empty for other links.
    """

    role: Role
    fight: str | None
    viewer: Viewer
    key: str = ""
    forks: str = ""

    @property
    def share(self) -> str:
        """The share of the server that it uses: its link's own, or that of all forks of one fight."""
        return self.forks or self.key

    @property
    def of_fight(self) -> str:
        """The fight that its link is for, or all forks of one; empty for the host."""
        return self.forks or self.fight or ""

    @property
    def lane(self) -> str:
        """The rate-limit lane of its link; spectators of forks have another one than the forks' players."""
        return f"{self.forks} {self.role == 'spectator'}" if self.forks else self.key or self.role

    @property
    def share_of_forks(self) -> str:
        """The share for links of a fork that it begins; empty for the host, as those links share nothing."""
        return "" if self.fight is None else self.forks or f"forks of {self.fight}"

    @property
    def allowance(self) -> Allowance:
        """The rate limit of its link; links of forks work one at a time, as the requests of one fight do."""
        allowed = ALLOWED[self.role]
        return allowed._replace(at_once=1) if self.forks else allowed


class ServerState(Struct, frozen=True, kw_only=True):
    """A running server.

    Attributes:
        host: A token of the host that is not stored, as the environment gives it; empty if there is none.
        host_keys: The hashes of the host's stored tokens when they were last listed.
        id: Random characters that tell a client whether an address leads to this server.
        origin: The address that links begin with until the host sets a public one, such as ``http://127.0.0.1:8000``.
        others: The other origins that may use it.
        reach: The addresses of this machine in its networks; empty if it listens locally only.
        fork_pictures: The bytes of the pictures that were sent to the forks of each fight.
        telling: Lets one log file at a time be read for its story.
        looking_ahead: Lets a few policies at a time look ahead, over all fights.
    """

    fights: OpenFights
    grants: TokenRegistry
    hub: Hub
    host: str = ""
    host_keys: set[str] = field(default_factory=set)
    id: str = field(default_factory=partial(token_hex, 8))
    origin: str
    others: OtherOrigins = OtherOrigins()
    reach: tuple[str, ...] = ()
    downloads: Downloads = field(default_factory=Downloads)
    send_buffer: SendBuffer = field(default_factory=SendBuffer)
    forecasts: ForecastJobs = field(default_factory=ForecastJobs)
    window_timers: WindowTimers = field(default_factory=WindowTimers)
    scene_updates: SceneUpdates = field(default_factory=SceneUpdates)
    rate_limits: RateLimits = field(default_factory=RateLimits)
    fork_pictures: Counter[str] = field(default_factory=Counter)
    story_slots: Semaphore = field(default_factory=lambda: Semaphore(1))
    policy_slots: Semaphore = field(default_factory=lambda: Semaphore(4))

    async def authenticate(self, token: str, address: str = "") -> AuthenticatedCaller:
        """Authenticate a token; a token that is not cached is looked up within the rate limit of its address.

        Raises:
            NotAuthenticated: the token is unknown.
            RateLimitExceeded: the address sends too many unknown tokens.
        """
        if self.host and is_same_token(token, self.host):
            return AuthenticatedCaller("host", None, HOST)
        if self.grants.is_cached(token):
            found = await self.fights.call_store(self.grants.find_viewer, token)
        else:
            async with self.rate_limits.permit(f"@{address}", ANONYMOUS):
                found = await self.fights.call_store(self.grants.find_viewer, token)
        if found is None:
            raise NotAuthenticated("this link is not valid, or no longer")
        fight, viewer = found
        if fight == EVERY_FIGHT:
            return AuthenticatedCaller("host", None, HOST)
        return AuthenticatedCaller(viewer.role, fight, viewer, hash_token(token), self.grants.find_share(token))

    async def authenticate_for(self, token: str, fight: str, address: str = "") -> AuthenticatedCaller:
        """Authenticate a token for a fight.

        Raises:
            NotAuthenticated: the token is unknown.
            NotAllowed: it is for another fight.
        """
        caller = await self.authenticate(token, address)
        if caller.fight not in (None, fight):
            raise NotAllowed("this token is for another fight")
        return caller

    async def check_fight(self, caller: AuthenticatedCaller) -> None:
        """Refuse the token of a removed fight, if another fight has its name now.

        Raises:
            NotAuthenticated: the token is of such a fight.
            NotFound: there is no fight of that name.
            Exception: the fight must be opened for it, and cannot be; see ``OpenFights.lock``.
        """
        if caller.fight is not None:
            beginning = await self.fights.beginning(caller.fight)
            if not self.grants.is_for(caller.key, beginning):
                raise NotAuthenticated("this link is not valid, or no longer")

    async def document_owner(self, fight: str) -> str:
        """Return the owner of a fight's documents."""
        return document_owner_of(fight, await self.fights.beginning(fight))

    def drop_removed(self, fight: str) -> None:
        """Drop all state of a removed fight, since another one is open under its name."""
        self.hub.remove_fight(fight)
        self.forecasts.drop_all(fight)
        self.window_timers.cancel(fight)
        self.scene_updates.known.pop(fight, None)
        self.grants.reset_count(fight)

    async def create_tokens(self, fight: str, *viewers: Viewer, share: str = "") -> list[str]:
        """Create tokens for viewers of a fight, one each; see ``TokenRegistry.find_share``."""
        grant = partial(self.grants.grant, beginning=await self.fights.beginning(fight), share=share)
        return await self.fights.call_store(grant, fight, *viewers)

    async def list_holders(self, fight: str) -> list[TokenHolder]:
        """List the holders of tokens of a fight."""
        return await self.fights.call_store(self.grants.list_holders, fight, await self.fights.beginning(fight))

    def count_fork_pictures(self, caller: AuthenticatedCaller, size: int) -> None:
        """Count a picture that is sent to a fork which the host did not begin.

        Raises:
            LimitReached: the forks of the fight have as many bytes as one fight may.
        """
        if not caller.forks:
            return
        if self.fork_pictures[caller.forks] + size > MOST_PICTURE_BYTES:
            raise LimitReached(f"the pictures of all forks of a fight may have {MOST_PICTURE_BYTES:,} bytes together")
        self.fork_pictures[caller.forks] += size

    async def revoke_tokens(self, fight: str, keys: Sequence[str]) -> None:
        """Revoke tokens, given by their hashes, and end their streams."""
        await self.fights.call_store(self.grants.revoke, fight, keys)
        await self.end_revoked_streams(fight)

    async def end_revoked_streams(self, fight: str) -> None:
        """End the streams of revoked tokens of a fight, revoked at any server of the store."""
        followers = self.hub.list_subscriptions(fight)  # list them before the holders: each had a token when it came
        held = {holder.key for holder in await self.list_holders(fight)}
        for follower in followers:
            if follower.key and follower.key not in held:
                follower.end()

    async def end_revoked_host_streams(self) -> None:
        """End the host's streams if one of the host's tokens was revoked. Valid ones can follow again at once."""
        held = {holder.key for holder in await self.fights.call_store(self.grants.list_holders, EVERY_FIGHT, "")}
        if self.host_keys - held:
            for fight in self.hub.followed_fights:
                for follower in self.hub.list_subscriptions(fight):
                    if not follower.key:
                        follower.end()
        self.host_keys.clear()
        self.host_keys.update(held)
