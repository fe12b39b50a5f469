"""What can be asked of a fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from affray.events import Answered, AskingSet, Declared, DiceEntered, Event, Id, Passed, Recorded, Ruled

MANY = 200
"""The longest id or author's name that a command may carry, in characters."""

if TYPE_CHECKING:
    Input = Event
else:
    Input = Declared | Answered | Passed | AskingSet | Ruled | DiceEntered  # so that a decoder knows them


class Undo(Struct, frozen=True, kw_only=True, tag=True):
    """Take back what was last done.

    Attributes:
        commands: How many commands.
        to: Instead of a number, the effective position to go back to.
        fresh: Whether what is declared again shall meet fresh dice.
        reason: Why.
    """

    commands: int = 1
    to: int | None = None
    fresh: bool = False
    reason: str = ""


class Redo(Struct, frozen=True, kw_only=True, tag=True):
    """Bring back what was taken back.

    Attributes:
        lane: Position of the last event of the lane; the one last taken back if not given.
        reason: Why.
    """

    lane: int | None = None
    reason: str = ""


class Amend(Struct, frozen=True, kw_only=True, tag=True):
    """Correct one earlier command; the rest of the fight is decided again with the same dice and answers.

    Attributes:
        position: Any event of the command that was wrong.
        instead: The input events that should have been; none retracts it.
        answers: Input events for what was never asked before: answers, passes, entered dice, in any order.
        reason: Why.
    """

    position: int
    instead: tuple[Input, ...] = ()
    answers: tuple[Input, ...] = ()
    reason: str = ""


class Stir(Struct, frozen=True, kw_only=True, tag=True):
    """Stir words of one's own into the dice, before the first of them falls."""

    words: str


class Close(Struct, frozen=True, kw_only=True, tag=True):
    """End the record and reveal the dice seed.

    Attributes:
        unfinished: Whether a fight that is not over may be closed too.
        reason: Why.
    """

    unfinished: bool = False
    reason: str = ""


Intent = Event | Undo | Redo | Amend | Stir | Close
"""What a command can mean: an input event, or something about the record itself."""


class Command(Struct, frozen=True, kw_only=True):
    """A request that may be refused.

    Attributes:
        id: Its own; the same id with the same content is carried out once.
        who: Who sends it, as claimed.
        intent: What is asked.
        expected: The position its sender believes to be the head; nothing is checked if not given.
        knows: Of which hidden combatants its sender may know; of all if not given. What they call others is a guess.
    """

    id: str
    who: str
    intent: Intent
    expected: int | None = None
    knows: tuple[Id, ...] | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """What a command came to.

    Attributes:
        recorded: Its events.
        repeated: Whether they were recorded earlier, under the same id.
    """

    recorded: tuple[Recorded, ...]
    repeated: bool = False
