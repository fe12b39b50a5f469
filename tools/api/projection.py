"""Projections of a fight: a viewer's copy for parsing words and checking actions, and their headline."""

from typing import cast

from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, concealed_from, project_state
from affray.tools.present.awaiting import headline
from affray.tools.present.fight_view import glimpse


def project_fight(viewer: Viewer, fight: Fight) -> Fight:
    """Copy a fight with only the state that a viewer sees, for parsing words and checking actions."""
    seen = project_state(viewer, fight.state)
    if seen is fight.state:
        return fight
    table = Table(Draft(seen), fight.table.config)
    return cast("Fight", glimpse(fight.ruleset, fight.table, table, fight.history))


def may_know_of(reader: Viewer, other: Viewer, state: State) -> bool:
    """Tell whether a reader may know of another viewer.

    A reader may not know of a player whose combatants are all hidden from the reader.
    """
    hidden = concealed_from(reader, state)
    return hidden.isdisjoint(other.owns) or not hidden.issuperset(who for who in other.owns if who in state.combatants)


def headline_for(viewer: Viewer, fight: Fight) -> str:
    """Return the headline of a fight, from the state that a viewer sees."""
    return headline(project_fight(viewer, fight), None if viewer.role == "gm" else viewer.owns)
