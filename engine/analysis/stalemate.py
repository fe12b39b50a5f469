"""Tell a fight that would go on for ever: round after round passes, and nothing happens in it."""

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


class Stalemate:
    """Watches a fight for a stalemate: two rounds on end pass in which nobody did anything, and leave it as it was.

    Nothing then makes the next round another than the last: no die has fallen but those for the order of turns, nobody
    has moved, everybody is and has what they were and had, no time runs out, and who decides has left nothing to
    chance. What only marks that time passes is declared, in ``PASSING`` for all systems, and for its own by each.

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
        self._idle = False
        self._stood: object = None
        self.is_reached = False

    def reached(self, table: Table, events: Iterable[Event]) -> bool:
        """Look at the events of one command, after it; return whether the fight is at a stalemate now."""
        now = table.draft.round
        if now == self._round:
            if self._idle:
                self._idle = self._passes(table, events)
            return False
        passes = self._passes(table, events)
        before, self._stood = self._stood, self._standing(table) if self._idle and passes else None
        self._round, self._idle = now, passes
        self.is_reached = before is not None and before == self._stood
        return self.is_reached

    def _passes(self, table: Table, events: Iterable[Event]) -> bool:
        """Tell whether nothing but time passes in some events."""
        return all(type(event) in PASSING or self._is_passing(table, event) for event in events)

    def _standing(self, table: Table) -> object:
        """Return all that decides how the fight goes on, but for the order of turns and what is noted of the round."""
        state = table.draft.freeze()
        people = (state.combatants, state.items, state.relations, state.standing, state.concealed)
        return people, state.places, state.distances, state.views, self._chance.getstate()
