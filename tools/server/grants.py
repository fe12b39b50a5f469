"""Tokens: each stands for one viewer of one fight until it is revoked. Only their hashes are stored."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe
from time import monotonic
from typing import NamedTuple, cast

import msgspec
from msgspec import Struct

from affray.engine.clock import utc_now
from affray.engine.stores import FileStore, SqliteStore, Store
from affray.engine.visibility import Viewer

from .open_fights import LimitReached
from .token_store import FileTokenStore, SqliteTokenStore, TokenStore

TOKEN_BYTES = 24

EVERY_FIGHT = ""
"""Stands for the fight in a grant of the host's; no fight has this name."""

HOST = Viewer(role="gm", name="gm")
"""The host's viewer: a game master in every fight."""

MOST_GRANTS = 2_000
"""The most tokens that a running server gives out for one fight; revoked ones are not counted."""

MOST_GRANT_BYTES = 2**20
"""The most bytes of the stored viewers of one fight's tokens; each look at the holders reads them all."""

MEMORY_SECONDS = 1.0
"""Seconds for which a looked-up token is cached; a token revoked at another server stays valid so long."""


class _StoredGrant(Struct, frozen=True):
    """A stored viewer, with the time of the grant; earlier programs did not store that.

    Attributes:
        share: See ``TokenRegistry.find_share``.
        beginning: Identifies the fight among others of its name; see ``History.beginning``.
    """

    role: str
    name: str
    owns: tuple[str, ...] = ()
    since: str = ""
    share: str = ""
    beginning: str = ""

    def is_for(self, beginning: str) -> bool:
        """Tell whether a token is for the fight of this beginning; tokens of earlier programs count as such."""
        return self.beginning in ("", beginning)


class TokenHolder(NamedTuple):
    """A viewer who holds a token.

    Attributes:
        key: The token's hash.
        since: The time of the grant; empty if unknown.
    """

    key: str
    viewer: Viewer
    since: str


class TokenRegistry:
    """Grants, looks up and revokes tokens."""

    def __init__(self, keeping: TokenStore) -> None:
        self._store = keeping
        self._known: dict[str, tuple[float, tuple[str, Viewer], _StoredGrant]] = {}
        self._given: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()

    def grant(self, fight: str, *viewers: Viewer, beginning: str = "", share: str = "") -> list[str]:
        """Create new tokens for viewers of a fight, one each.

        Args:
            beginning: Identifies the fight among others of its name.
            share: See ``share``.

        Raises:
            LimitReached: this server gave out all tokens, or bytes of them, that it may for the fight.
            StoreFailed: they could not be stored.
        """
        if self._given[fight] + len(viewers) > MOST_GRANTS:
            raise LimitReached(
                f"{MOST_GRANTS} tokens at most are given out for a fight; there were {self._given[fight]}"
            )
        tokens, now = [token_urlsafe(TOKEN_BYTES) for _ in viewers], utc_now()
        kept = [
            msgspec.json.encode(_StoredGrant(one.role, one.name, one.owns, now, share, beginning)) for one in viewers
        ]
        size = sum(map(len, kept))
        if self._bytes[fight] + size > MOST_GRANT_BYTES:
            raise LimitReached("the links of this fight own too many combatants with too long names; revoke some")
        self._given[fight] += len(viewers)
        self._bytes[fight] += size
        self._store.grant(fight, dict(zip(map(hash_token, tokens), kept, strict=True)))
        return tokens

    def grant_host(self, *, renew: bool) -> str:
        """Create a new token of the host; ``renew`` revokes all earlier ones.

        Raises:
            StoreFailed: it could not be stored.
        """
        if renew:
            self.revoke(EVERY_FIGHT, [one.key for one in self.list_holders(EVERY_FIGHT, "")])
        return self.grant(EVERY_FIGHT, HOST)[0]

    def is_cached(self, token: str) -> bool:
        """Tell whether a token is in the cache of looked-up tokens."""
        return hash_token(token) in self._known

    def find_viewer(self, token: str) -> tuple[str, Viewer] | None:
        """Return the fight and the viewer of a token; None for an unknown token."""
        key, now = hash_token(token), monotonic()
        known = self._known.get(key)
        if known is not None and now < known[0] + MEMORY_SECONDS:
            return known[1]
        found = self._store.find_grant(key)
        if found is None:
            self._known.pop(key, None)
            return None
        who = found[0], msgspec.json.decode(found[1], type=Viewer)
        self._known[key] = now, who, msgspec.json.decode(found[1], type=_StoredGrant)
        return who

    def find_share(self, token: str) -> str:
        """Return the name of the rate-limit share that a looked-up token uses; empty if it has its own.

        All forks of one fight that the host did not begin are one share, however many links they bring.
        """
        known = self._known.get(hash_token(token))
        return known[2].share if known is not None else ""

    def is_for(self, key: str, beginning: str) -> bool:
        """Tell whether a looked-up token, given by its hash, is for the fight of this beginning."""
        known = self._known.get(key)
        return known is not None and known[2].is_for(beginning)

    def reset_count(self, fight: str) -> None:
        """Reset the number of tokens given out for a removed fight."""
        self._given.pop(fight, None)
        self._bytes.pop(fight, None)

    def list_holders(self, fight: str, beginning: str) -> list[TokenHolder]:
        """List the holders of tokens of the fight of this beginning, the earliest first."""
        kept = (
            (key, viewer, msgspec.json.decode(viewer, type=_StoredGrant)) for key, viewer in self._store.grants(fight)
        )
        found = [
            TokenHolder(key, msgspec.json.decode(viewer, type=Viewer), one.since)
            for key, viewer, one in kept
            if one.is_for(beginning)
        ]
        return sorted(found, key=lambda one: (one.since, one.viewer.role, one.viewer.name))

    def revoke(self, fight: str, keys: Sequence[str]) -> None:
        """Revoke tokens of a fight, given by their hashes.

        Raises:
            StoreFailed: that could not be stored.
        """
        found = [self._store.find_grant(key) for key in keys]
        self._store.take_back(keys)
        for key in keys:
            self._known.pop(key, None)
        self._given[fight] = max(0, self._given[fight] - len(keys))
        self._bytes[fight] = max(0, self._bytes[fight] - sum(len(one[1]) for one in found if one))


def hash_token(token: str) -> str:
    """Return the SHA-256 of a token, as hex."""
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def is_same_token(one: str, other: str) -> bool:
    """Tell whether two tokens are equal, in constant time."""
    return compare_digest(hash_token(one), hash_token(other))


def open_registry(store: Store) -> TokenRegistry:
    """Return the grants of a store of fights: beside its files, or in its database."""
    if isinstance(store, FileStore):
        return TokenRegistry(FileTokenStore(store.folder / "grants.json"))
    if isinstance(store, SqliteStore):
        return TokenRegistry(SqliteTokenStore(store.path))
    return TokenRegistry(cast("TokenStore", store))  # the store of a database server stores grants itself
