"""The headlines of a recorded fight, for playback."""

from collections.abc import Iterable, Sequence
from typing import cast

from msgspec import Struct

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve, fold
from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.errors import RULE_ERRORS, EngineError
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.visibility import Viewer, project_state
from affray.events import Amended, LogError, Recorded, Restored, Rewound

from .awaiting import headline
from .fight_view import Glimpse, glimpse

MOVES = frozenset({Amended, Restored, Rewound})
"""Event types that replace the state, so that folding the event into the old state is not enough."""


class Headline(Struct, frozen=True):
    """The headline that holds from a position on."""

    position: int
    says: str


def list_headlines(recorded: Sequence[Recorded], viewer: Viewer | None = None) -> list[Headline]:
    """List the headline after each command, where it changed, for a viewer without a combatant.

    Args:
        viewer: The viewer. Without it nothing is hidden.

    A record is read as far as its events make sense.
    """
    found: list[Headline] = []
    try:
        for position, glimpse in _moments(recorded, viewer):
            says = headline(cast("Fight", glimpse), ())
            if not found or found[-1].says != says:
                found.append(Headline(position, says))
    except (EngineError, LogError, *RULE_ERRORS):
        pass
    return found


def _moments(recorded: Sequence[Recorded], viewer: Viewer | None) -> Iterable[tuple[int, Glimpse]]:
    """Yield the fight as the viewer saw it at the end of each command."""
    history, draft = History(), Draft(State())
    for one in recorded:
        history.add((one,))
        if type(one.event) in MOVES:
            draft = Draft(fold(history.effective()))
        else:
            evolve(draft, one.event)
        if not one.more:
            ruleset = load(history.opening.system)
            config = config_of(ruleset, history.opening.config)
            whole = Table(draft, config)
            if viewer is None:
                yield one.position, Glimpse(ruleset, whole, history)
            else:
                seen = Table(Draft(project_state(viewer, draft.freeze())), config)
                yield one.position, glimpse(ruleset, whole, seen, history)
