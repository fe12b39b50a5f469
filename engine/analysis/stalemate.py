"""Tell a fight that would go on for ever: round after round passes, and leaves everything as it was."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.events import (
    Answered,
    Asked,
    ConditionChanged,
    Declared,
    DiceAwaited,
    DiceEntered,
    Event,
    Judged,
    MemberDone,
    Noted,
    OfferDeclined,
    OrderSet,
    Passed,
    PhaseEntered,
    PoolChanged,
    Resolved,
    RoundBegan,
    Stacked,
    TurnBegan,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)

PASSING: frozenset[type[Event]] = frozenset(
    (
        *(Declared, Passed, OfferDeclined, Stacked, Resolved, Asked, Answered, Judged, Noted),
        *(PhaseEntered, RoundBegan, OrderSet, TurnBegan, TurnEnded, MemberDone, WindowOpened, WindowClosed),
        *(DiceAwaited, DiceEntered, PoolChanged, ConditionChanged),
    )
)
"""Events that may only tell of time: turns that pass, and what is full again or gone by the next round.

Whether real dice that are entered matter, the roll that is made of them says.
"""


PATIENCE = 100
"""So many rounds on end may come to nothing, whatever is tried in them, before that is called a stalemate."""


class Stalemate:
    """Watches a fight for a stalemate: rounds pass, and leave it as it was.

    Two rounds on end are enough in which nobody did anything. Nothing then makes the next round another than the last:
    no die has fallen but those for the order of turns, nobody has moved, everybody is and has what they were and had,
    no time runs out, and who decides has left nothing to chance. What only marks that time passes is declared, in
    ``PASSING`` for all systems, and for its own by each.

    Where somebody does something, as two with bare hands who strike at plate, the dice might once fall so that
    something comes of it; that is a stalemate after ``PATIENCE`` rounds, each of which left everything as it was.

    Args:
        ruleset: The rules.
        chance: What those who decide leave to chance.

    Attributes:
        is_reached: Whether the fight is at one.
    """

    def __init__(self, ruleset: Ruleset, chance: Random) -> None:
        self._is_passing = ruleset.is_passing
        self._chance = chance
        self._round = -1
        self._idle = self._was_idle = False
        self._stood: object = None
        self._left: object = None
        self._since = 0
        self.is_reached = False

    def reached(self, table: Table, events: Iterable[Event]) -> bool:
        """Look at the events of one command, after it; return whether the fight is at a stalemate now."""
        now = table.draft.round
        if now == self._round:
            if self._idle:
                self._idle = self._passes(table, events)
            return False
        passes = self._passes(table, events)
        self.is_reached = self._came_to_nothing(table, self._idle and passes)
        self._round, self._idle = now, passes
        return self.is_reached

    def _came_to_nothing(self, table: Table, idle: bool) -> bool:
        """Tell as a round begins, knowing whether nobody did anything in the last one, whether all is for nothing."""
        now, stands, left = table.draft.round, _standing(table), self._chance.getstate()
        as_it_was = stands == self._stood
        if not as_it_was:
            self._since = now
        nothing_at_all = as_it_was and idle and self._was_idle and left == self._left
        self._was_idle, self._stood, self._left = idle, stands, left
        return nothing_at_all or now - self._since >= PATIENCE

    def _passes(self, table: Table, events: Iterable[Event]) -> bool:
        """Tell whether nothing but time passes in some events."""
        return all(type(event) in PASSING or self._is_passing(table, event) for event in events)


def _standing(table: Table) -> object:
    """Return all that decides how the fight goes on, but for the order of turns and what is noted of the round."""
    state = table.draft.freeze()
    people = (state.combatants, state.items, state.relations, state.standing, state.concealed)
    return people, state.places, state.distances, state.views
