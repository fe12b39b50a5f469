"""A running rule, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import Struct

from affray.engine.core.effects import Ask, Roll, Rule
from affray.engine.errors import Refused
from affray.events import Asked, DiceAwaited, Event, Id


class Frame(Struct, gc=False):
    """A rule that is running, what it waits for, and what to do when it is done.

    That is a function of the interpreter and of what the rule returned. It does not hold the interpreter, so that a
    fight which is dropped in the middle of a rule is freed at once, and its rules are closed from the outside in.

    The rule of a phase within a turn says whose ``turn`` it is. ``wish`` is what was recorded of what it wants: the
    whole event, and its open part where it lists concealed combatants.
    """

    id: Id
    rule: Rule[Any]
    done: Callable[[Any, Any], None]
    turn: Id = ""
    purposes: dict[str, int] = {}
    wants: Ask | Roll | None = None
    wish: tuple[Asked | DiceAwaited, Event | None] | None = None

    @property
    def waits_for(self) -> Id:
        """The question or the roll that it asked for last."""
        wish = self.wish[0] if self.wish is not None else None
        return wish.question if isinstance(wish, Asked) else wish.roll if wish is not None else ""

    def name(self, purpose: str) -> Id:
        """Return the id of the next roll, question or window of this purpose."""
        nth = self.purposes.get(purpose, 0) + 1
        self.purposes[purpose] = nth
        return f"{self.id}/{purpose}" if nth == 1 else f"{self.id}/{purpose}#{nth}"

    def meeting(self, gone: Refused) -> Callable[[Any], Any]:
        """Return a function that resumes the rule, raising a refusal first where it waits."""
        to_meet, rule = [gone.with_traceback(None)], self.rule  # a rule may wait while it handles it

        def go_on(value: Any) -> Any:
            return rule.throw(to_meet.pop()) if to_meet else rule.send(value)

        return go_on


class Suspended(NamedTuple):
    """What waits beneath an action that a ruling put on top of it: a rule that asks, or an open window.

    Attributes:
        top: The pending action that was on top; empty where there was none.
        phase: The phase that the fight was in.
        frame: The rule; ``None`` for a window.
    """

    top: Id
    phase: str
    frame: Frame | None
