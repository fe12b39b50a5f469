"""The fights that are open at one pipe, and those that are followed."""

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
"""How often a command is carried out upon what others wrote meanwhile, before it is out of date."""


class Session:
    """What one pipe holds open.

    Attributes:
        store: Where its fights are kept. Others may write there too.
        who: Who sends what does not say who sends it.
        fights: Those that are open, by name.
    """

    def __init__(self, store: Store, who: str) -> None:
        self.store = store
        self.who = who
        self.fights: dict[str, Fight] = {}
        self._sent: dict[str, int] = {}

    def open(self, name: str, *, mend: bool = False) -> Fight:
        """Open a fight, or open it anew."""
        fight = self.fights[name] = open_fight(name, self.store, mend=mend)
        return fight

    def leave(self, name: str) -> None:
        """Put a fight away."""
        self.fights.pop(name, None)
        self.unfollow(name)

    def named(self, name: str) -> str:
        """Return the name of the fight that is meant, the only one that is open if none is named.

        Raises:
            Unusable: it cannot be told, or is not open.
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
        """Return an open fight as it stands, whoever moved it last."""
        name = self.named(name)
        fight = self.fights[name]
        new = self.store.since(name, fight.head, fight.history.head_hash)
        if not new:
            return fight
        mends = fight.diverged is not None
        try:
            fight.catch_up(new)
        except LogError:  # it is not the log that it was
            return self.open(name, mend=mends)
        if fight.diverged is not None and not mends:
            raise fight.diverged
        return fight

    def submit(self, name: str, intent: Intent, *, id: str, who: str, expected: int | None) -> Outcome:
        """Carry out a command; if somebody else wrote meanwhile, upon what there is then."""
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
        """Begin to follow a fight; yield what comes first.

        Raises:
            Unusable: the position is behind the head.
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
        """Follow a fight no more."""
        self._sent.pop(name, None)

    @property
    def follows(self) -> bool:
        """Whether any fight is followed."""
        return bool(self._sent)

    def news(self) -> Iterator[dict[str, Any]]:
        """Yield what was recorded since in the followed fights; one that cannot be read is followed no more."""
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
