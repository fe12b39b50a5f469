"""The commands that a fight takes."""

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from affray import events as facts
from affray.events import STANDARD, UNREADABLE, Event, Id, Recorded

from .texts import named_normally, normal

MANY = 200
"""The longest id or author's name that a command may carry, in characters."""

if TYPE_CHECKING:
    Input = Event
else:  # so that a decoder knows them
    Input = facts.Declared | facts.Answered | facts.Passed | facts.AskingSet | facts.Ruled | facts.DiceEntered


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


class AnswerUndo(Struct, frozen=True, kw_only=True, tag=True):
    """Allow or decline a player's undo request.

    Attributes:
        request: Position of the request; if not given, the one that waits.
        allow: Whether the undo is carried out.
        reason: Why.
    """

    request: int | None = None
    allow: bool = True
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


Intent = Event | Undo | AnswerUndo | Redo | Amend | Stir | Close
"""What a command asks for: an input event, or something about the record itself."""


class Command(Struct, frozen=True, kw_only=True):
    """A request that may be refused.

    Attributes:
        id: Its own; the same id with the same content is carried out once.
        who: Who sends it, as claimed.
        intent: What is asked.
        expected: The position its sender believes to be the head; nothing is checked if not given.
        knows: Of which concealed combatants its sender may know: those that a player plays. The game master, for whom
            it is not given, knows of all.
    """

    id: str
    who: str
    intent: Intent
    expected: int | None = None
    knows: tuple[Id, ...] | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """The result of a command.

    Attributes:
        recorded: Its events.
        repeated: Whether they were recorded earlier, under the same id.
    """

    recorded: tuple[Recorded, ...]
    repeated: bool = False


def canonical(command: Command) -> Command:
    """Return a command as a log holds it: parameters in canonical JSON, its author and new names in normal form.

    Parameters that are no JSON are left as they are; decoding refuses them.
    """
    intent = command.intent
    command = command if command.who.isascii() else replace(command, who=normal(command.who))
    if isinstance(intent, Amend):
        instead = tuple(map(plainly, intent.instead))
        answers = tuple(map(plainly, intent.answers))
        return replace(command, intent=replace(intent, instead=instead, answers=answers))
    written = plainly(intent)
    return command if written is intent else replace(command, intent=written)


def plainly(intent: Intent) -> Any:
    """Return an intent with its parameters in canonical JSON."""
    if not isinstance(intent, facts.Declared | facts.Ruled):
        return intent
    try:
        said = msgspec.json.decode(intent.params)
        params = msgspec.json.encode(named_normally(said) if isinstance(intent, facts.Ruled) else said)
    except UNREADABLE:
        return intent
    if isinstance(intent, facts.Declared) and intent.manner == STANDARD:
        return replace(intent, params=Raw(params), manner=STANDARD)  # the very same object, which is not written out
    return intent if params == bytes(intent.params) else replace(intent, params=Raw(params))
