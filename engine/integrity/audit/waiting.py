"""The waiting list of inputs and actions that were taken back."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from affray.events import Id

from .identities import Identity, kind_of


class Waits(Protocol):
    """An item that was taken back.

    Attributes:
        identity: Its compared parts.
        waits: Whether it waits for its counterpart.
    """

    identity: Identity
    waits: bool


T = TypeVar("T", bound=Waits)
Key = Identity | tuple[Id | None, str | None]


class WaitingList(Generic[T]):
    """Items that were taken back and wait for a counterpart; the newest matches first."""

    def __init__(self) -> None:
        self._waiting: dict[Key, list[T]] = {}

    def add(self, one: T, *more: Key) -> None:
        """Let an item wait for the same identity, for its kind, and under more keys."""
        one.waits = True
        keys: tuple[Key, ...] = (one.identity, kind_of(one.identity), *more)
        for key in keys:
            self._waiting.setdefault(key, []).append(one)

    def last(self, key: Key) -> T | None:
        """Return the item that is matched next under a key."""
        waiting = self._waiting.get(key)
        while waiting and not waiting[-1].waits:
            waiting.pop()
        return waiting[-1] if waiting else None

    def counterpart(self, identity: Identity) -> T | None:
        """Return the item that waits for this identity, or else for its kind."""
        return self.last(identity) or self.last(kind_of(identity))
