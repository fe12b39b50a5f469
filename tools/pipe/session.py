"""Session of a pipe: its open and its followed fights."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.engine.commands import Command, Intent, Outcome
from affray.engine.errors import OutOfDate, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import open_fight
from affray.engine.stores import Store
from affray.events import LogError
from affray.tools.api.authors import plays
from affray.tools.api.problem_details import problem_of
from affray.tools.api.queries import moment_of
from affray.tools.parse.faults import KNOWN
from affray.tools.present.story.line_text import spoken_since

TRIES = 100
"""The number of tries of a command while other processes write first."""


class PipeSession:
    """Open and followed fights of one pipe.

    Attributes:
        store: The store of its fights. Other processes may write there too.
        who: The sender of requests that name none.
        fights: The open fights, by name.
    """

    def __init__(self, store: Store, who: str) -> None:
        self.store = store
        self.who = who
        self.fights: dict[str, Fight] = {}
        self._sent: dict[str, int] = {}

    def open(self, name: str, *, mend: bool = False) -> Fight:
        """Open a fight, or open it again."""
        fight = self.fights[name] = open_fight(name, self.store, mend=mend)
        return fight

    def leave(self, name: str) -> None:
        """Close a fight in this session."""
        self.fights.pop(name, None)
        self.unfollow(name)

    def resolve_name(self, name: str) -> str:
        """Return the name of the fight of a request: the only open one if the request names none.

        Raises:
            Unusable: it is ambiguous, or not open.
        """
        there = ", ".join(self.fights) or "none"
        if not name and len(self.fights) == 1:
            return next(iter(self.fights))
        if not name:
            raise Unusable(f"say which fight; open are {there}", "fight")
        if name not in self.fights:
            raise Unusable(f"{name} is not open; open are {there}", "fight")
        return name

    def fight(self, name: str) -> Fight:
        """Return an open fight, up to date with its store."""
        name = self.resolve_name(name)
        fight = self.fights[name]
        new = self.store.since(name, fight.head, fight.history.head_hash)
        if not new:
            return fight
        mends = fight.diverged is not None
        try:
            fight.catch_up(new)
        except LogError:  # the log was replaced
            return self.open(name, mend=mends)
        if fight.diverged is not None and not mends:
            raise fight.diverged
        return fight

    def submit(self, name: str, intent: Intent, *, id: str, who: str, expected: int | None) -> Outcome:
        """Carry out a command; if another process wrote first, try again on the new state."""
        command = Command(id=id, who=who or self.who, intent=intent, expected=expected)
        tries = 0
        while True:
            fight = self.fight(name)
            try:
                return fight.submit(replace(command, knows=plays(fight.state, command.who, intent)))
            except OutOfDate:
                tries += 1
                if tries == TRIES or not self.store.since(fight.name, fight.head):
                    raise

    # --- following ---

    def follow(self, name: str, after: int | None) -> Iterator[dict[str, Any]]:
        """Subscribe to a fight; yield the first messages.

        Raises:
            Unusable: the position is beyond the head.
        """
        fight = self.fight(name)
        if after is not None and not 0 <= after <= fight.head:
            raise Unusable(f"must be from 0 to {fight.head}", "after")
        return self._first(fight, after)

    def _first(self, fight: Fight, after: int | None) -> Iterator[dict[str, Any]]:
        self._sent[fight.name] = fight.head if after is None else after
        if after is None:
            yield {"fight": fight.name, "snapshot": moment_of(fight)}
        yield from self._behind(fight.name)
        yield {"fight": fight.name, "ready": {"head": self._sent[fight.name]}}

    def unfollow(self, name: str) -> None:
        """End the subscription to a fight."""
        self._sent.pop(name, None)

    @property
    def is_following(self) -> bool:
        """True if any fight is followed."""
        return bool(self._sent)

    def read_news(self) -> Iterator[dict[str, Any]]:
        """Yield the new lines of the followed fights; an unreadable fight is unsubscribed."""
        for name in list(self._sent):
            try:
                yield from self._behind(name)
            except KNOWN as error:
                self.unfollow(name)
                yield {"fight": name, "problem": problem_of(error)}

    def _behind(self, name: str) -> Iterator[dict[str, Any]]:
        lines = self.store.since(name, self._sent[name])
        if not lines:
            return
        for line in spoken_since(self.fight(name), self._sent[name], lines):
            self._sent[name] += 1
            yield {"fight": name, "line": line}
