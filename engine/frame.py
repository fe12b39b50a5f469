"""A rule that is running."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.events import Asked, DiceAwaited, Id

from .errors import Refused
from .rule import Ask, Roll, Rule


class Frame:
    """A rule that is running, what it waits for, and what to do when it is done."""

    __slots__ = ("done", "id", "purposes", "rule", "wants", "wish")

    def __init__(self, id: Id, rule: Rule[Any], done: Callable[[Any], None]) -> None:
        self.id = id
        self.rule = rule
        self.done = done
        self.purposes: dict[str, int] = {}
        self.wants: Ask | Roll | None = None
        self.wish: Asked | DiceAwaited | None = None

    def name(self, purpose: str) -> Id:
        """Return the id of the next roll, question or window of this purpose."""
        nth = self.purposes.get(purpose, 0) + 1
        self.purposes[purpose] = nth
        return f"{self.id}/{purpose}" if nth == 1 else f"{self.id}/{purpose}#{nth}"

    def meeting(self, gone: Refused) -> Callable[[Any], Any]:
        """Return what lets the rule go on, and lets it first meet a refusal where it waits."""
        to_meet, rule = [gone], self.rule

        def go_on(value: Any) -> Any:
            return rule.throw(to_meet.pop()) if to_meet else rule.send(value)

        return go_on
