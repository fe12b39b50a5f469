"""Authors of commands that are written without a server: the game master, or a combatant's player."""

from affray.engine.commands import AnswerUndo, Intent, Undo
from affray.engine.core.state import State
from affray.events import Id
from affray.tools.parse.typed_names import people_called


def plays(state: State, who: str, intent: Intent) -> tuple[Id, ...] | None:
    """Return the combatants that an undo's author plays; none for a game master.

    Commands other than an undo give none either. A program that can write to a log can claim any author, so the claim
    is believed. An author with the id or the name of a combatant is that combatant's player; every other author is the
    game master.
    """
    if not isinstance(intent, Undo | AnswerUndo):
        return None
    return people_called(state.combatants).find(who) or None
