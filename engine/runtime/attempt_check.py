"""Declarations that seem legal to a player, because their obstacle is concealed."""

from collections.abc import Sequence

from affray.engine.commands import Intent
from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.errors import RULE_ERRORS, EngineError
from affray.engine.visibility import Viewer, project_state
from affray.events import Attempted, Declared, Id

from .attempts import attempt_of
from .validation import check_declaration


def as_attempt(
    intent: Intent, ruleset: Ruleset, table: Table, state: State, knows: Sequence[Id] | None
) -> Attempted | None:
    """Convert a refused declaration to an attempt, if its sender sees no obstacle.

    Args:
        intent: The declaration as it was sent.
        table, state: The present of the fight.
        knows: Ids of the concealed combatants that its sender may know of; ``None`` for all.

    Returns:
        ``None`` where the sender sees why it is refused, or where the fight waits for a thing that they do not see.
    """
    if not isinstance(intent, Declared) or knows is None:
        return None
    seen = project_state(Viewer(role="player", owns=tuple(knows)), state)
    if seen is state or _waits(seen) != _waits(state):
        return None
    try:
        check_declaration(ruleset, Table(Draft(seen), table.config), intent)
    except (EngineError, *RULE_ERRORS):
        return None
    return attempt_of(intent)


def _waits(state: State) -> object:
    """Return what a fight waits for.

    In a window the phase does not count: a viewer does not see the phase of a sealed action.
    """
    phase = "" if state.window is not None else state.phase
    return phase, state.question is None, state.awaited is None, state.window is None
