"""Frames: running rules, with the question or roll that each waits for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import Struct

from affray.engine.core.effects import Ask, Roll, Rule
from affray.engine.errors import Refused
from affray.events import Asked, DiceAwaited, Event, Id


class Frame(Struct, gc=False):
    """A running rule, the effect it waits for, and the function to call when done.

    That function takes the interpreter and the rule's result. The frame does not hold the interpreter. So a fight that
    is dropped in the middle of a rule is freed at once, and its rules are closed from the outside in.

    The rule of a phase within a turn has that slot in ``turn``. ``wish`` is the recorded request: the whole event, and
    its open part where it lists concealed combatants. ``veiled`` has the combatants whose
    veiled counters took part in its rolls.
    """

    id: Id
    rule: Rule[Any]
    done: Callable[[Any, Any], None]
    turn: Id = ""
    purposes: dict[str, int] = {}
    wants: Ask | Roll | None = None
    wish: tuple[Asked | DiceAwaited, Event | None] | None = None
    veiled: frozenset[Id] = frozenset()

    @property
    def waits_for(self) -> Id:
        """The id of the question or roll that it asked for last."""
        wish = self.wish[0] if self.wish is not None else None
        return wish.question if isinstance(wish, Asked) else wish.roll if wish is not None else ""

    def name(self, purpose: str) -> Id:
        """Return the id of the next roll, question or window of this purpose."""
        nth = self.purposes.get(purpose, 0) + 1
        self.purposes[purpose] = nth
        return f"{self.id}/{purpose}" if nth == 1 else f"{self.id}/{purpose}#{nth}"

    def meeting(self, gone: Refused) -> Callable[[Any], Any]:
        """Build a function that resumes the rule, first raising a refusal where it waits."""
        to_meet, rule = [gone.with_traceback(None)], self.rule  # a rule may wait while it handles it

        def go_on(value: Any) -> Any:
            return rule.throw(to_meet.pop()) if to_meet else rule.send(value)

        return go_on


class Suspended(NamedTuple):
    """A rule or window that waits beneath an action that a ruling put on top of it.

    Attributes:
        top: The pending action that was on top; empty where there was none.
        phase: The phase that the fight was in.
        frame: The rule; ``None`` for a window.
    """

    top: Id
    phase: str
    frame: Frame | None


def do_nothing(_: object, __: object) -> None:
    """Do nothing when a rule is done."""
