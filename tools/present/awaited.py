"""The awaited input of a fight: its kind, its senders, and the question, dice or window."""

from typing import Literal

from msgspec import Struct

from affray.engine.commands import GM
from affray.engine.core.draft import Draft
from affray.engine.core.state import Awaited, Question, State, Window
from affray.engine.fight import Fight
from affray.engine.runtime.offers import find_awaited_input


class Waiting(Struct, frozen=True, omit_defaults=True, rename={"awaits": "for"}):
    """The awaited input of a fight, and its senders.

    Attributes:
        headline: The awaited input as a sentence addressed to the viewer: ``Your turn: Ilse``.
    """

    awaits: Literal["answer", "dice", "pass", "action", "nothing"]
    of: list[str]
    headline: str = ""
    question: Question | None = None
    dice: Awaited | None = None
    window: Window | None = None


def find_awaited(state: State | Draft, closed: int = 0) -> Waiting:
    """Return the awaited input of a state, and its senders.

    Args:
        closed: The position at which the record was closed; 0 if it is open.
    """
    match None if closed else find_awaited_input(state):
        case Question() as question:
            return Waiting("answer", list(question.of), question=question)
        case Awaited() as dice:
            return Waiting("dice", [dice.by], dice=dice)
        case Window() as window:
            return Waiting("pass", list(window.to), window=window)
    if closed or state.ended:
        return Waiting("nothing", [])
    return Waiting("action", list(state.acting) or [GM])


def awaited_in(fight: Fight) -> Waiting:
    """Return what a fight waits for at its head."""
    return find_awaited(fight.state, fight.history.closed)
