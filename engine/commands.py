"""The commands that a fight accepts."""

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from affray import events as facts
from affray.events import STANDARD, UNREADABLE, Event, Id, Recorded

from .texts import normalize, normalize_names

GM = "gm"
"""The name of the game master as the sender of a command, or as an actor."""

MANY = 200
"""The maximum length of a command's id and of its sender's name, in characters."""

if TYPE_CHECKING:
    Input = Event
else:  # the types that a decoder accepts
    Input = facts.Declared | facts.Answered | facts.Passed | facts.AskingSet | facts.Ruled | facts.DiceEntered


class Undo(Struct, frozen=True, kw_only=True, tag=True):
    """Take back the last commands.

    Attributes:
        commands: The number of commands.
        to: Instead of a number, the effective position to go back to.
        fresh: Whether later declarations meet fresh dice, even if they are the same as before.
        reason: The reason, in the sender's words.
    """

    commands: int = 1
    to: int | None = None
    fresh: bool = False
    reason: str = ""


class AnswerUndo(Struct, frozen=True, kw_only=True, tag=True):
    """Allow or decline a player's undo request.

    Attributes:
        request: Position of the request; by default the pending one.
        allow: Whether the undo is carried out.
        reason: The reason, in the sender's words.
    """

    request: int | None = None
    allow: bool = True
    reason: str = ""


class Redo(Struct, frozen=True, kw_only=True, tag=True):
    """Restore commands that were taken back.

    Attributes:
        lane: Position of the last event of the lane; by default the lane that was taken back last.
        reason: The reason, in the sender's words.
    """

    lane: int | None = None
    reason: str = ""


class Amend(Struct, frozen=True, kw_only=True, tag=True):
    """Correct one earlier command, and decide the rest of the fight again.

    The dice and answers stay the same.

    Attributes:
        position: Position of any event of the command to correct.
        instead: The input events that replace it; empty to retract it.
        answers: Input events for questions that were never asked before: answers, passes, entered dice, in any order.
        reason: The reason, in the sender's words.
    """

    position: int
    instead: tuple[Input, ...] = ()
    answers: tuple[Input, ...] = ()
    reason: str = ""


class Stir(Struct, frozen=True, kw_only=True, tag=True):
    """Add a player's words to the dice key, before the first die falls."""

    words: str


class Close(Struct, frozen=True, kw_only=True, tag=True):
    """End the record and reveal the dice seed.

    Attributes:
        unfinished: Whether to close even a fight that is not over.
        reason: The reason, in the sender's words.
    """

    unfinished: bool = False
    reason: str = ""


Intent = Event | Undo | AnswerUndo | Redo | Amend | Stir | Close
"""The intent of a command: an input event, or a change of the record itself."""


def declare(actor: Id, kind: str, /, *, manner: str = STANDARD, **params: object) -> facts.Declared:
    """Build the declaration of an action.

    Args:
        actor: The id of the combatant; ``gm`` for an action of the game master.
        kind: The name of the action.
        manner: The manner of playing, if its system knows more than one.
        params: The parameters of the action, by name. A combatant, item or place is given by its id.
    """
    return facts.Declared(actor=actor, kind=kind, params=Raw(msgspec.json.encode(params)), manner=manner)


def rule(kind: str, reason: str, /, **params: object) -> facts.Ruled:
    """Build a ruling of the game master.

    Args:
        kind: The name of the ruling.
        reason: The reason that is recorded.
        params: The parameters of the ruling, by name, as in ``declare``.
    """
    return facts.Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason=reason)


class Command(Struct, frozen=True, kw_only=True):
    """A request that may be refused.

    Attributes:
        id: Its id; the same id with the same content is carried out once.
        who: Its sender, as claimed.
        intent: The request.
        expected: The position that its sender believes to be the head; ``None`` to skip the check.
        knows: The concealed combatants that its sender may know of: those of a player. ``None`` for the game master,
            who knows of all.
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


def canonicalize(command: Command) -> Command:
    """Return a command in the form of a log.

    Parameters are canonical JSON; its sender and new names are in normal form. Parameters that are no JSON are left as
    they are; decoding refuses them.
    """
    intent = command.intent
    command = command if command.who.isascii() else replace(command, who=normalize(command.who))
    if isinstance(intent, Amend):
        instead = tuple(map(canonicalize_params, intent.instead))
        answers = tuple(map(canonicalize_params, intent.answers))
        return replace(command, intent=replace(intent, instead=instead, answers=answers))
    written = canonicalize_params(intent)
    return command if written is intent else replace(command, intent=written)


def canonicalize_params(intent: Intent) -> Any:
    """Return an intent with its parameters in canonical JSON."""
    if not isinstance(intent, facts.Declared | facts.Ruled):
        return intent
    try:
        said = msgspec.json.decode(intent.params)
        params = msgspec.json.encode(normalize_names(said) if isinstance(intent, facts.Ruled) else said)
    except UNREADABLE:
        return intent
    if isinstance(intent, facts.Declared) and intent.manner == STANDARD:
        return replace(intent, params=Raw(params), manner=STANDARD)  # only this very object is left out
    return intent if params == bytes(intent.params) else replace(intent, params=Raw(params))
