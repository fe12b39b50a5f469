"""Detect a fight that would go on for ever: rounds pass and change nothing."""

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
"""Event types that may mark the mere passing of time: turns, and values that are back or gone by the next round.
Entered dice are among them, because the roll made of them decides whether they matter."""

PATIENCE = 100
"""The number of successive rounds without any lasting change that counts as a stalemate, whatever was tried in them."""


class StalemateDetector:
    """Detects a stalemate: rounds pass without any lasting change.

    Two successive rounds suffice if no combatant did anything in them. Then the next round cannot differ from the last.
    No die has fallen except for the turn order, no combatant has moved, and all have their former values. No time limit
    runs out, and the policies have left nothing to chance. ``PASSING`` lists the events that only mark time for all
    systems. Each system declares its own.

    If combatants do act, the dice might still bring about a change. An example is two bare-handed fighters who strike
    at plate armour. That is a stalemate after ``PATIENCE`` rounds without a lasting change.

    Args:
        ruleset: The rules.
        chance: The random source of the policies.

    Attributes:
        is_reached: Whether the fight is at a stalemate.
    """

    def __init__(self, ruleset: Ruleset, chance: Random) -> None:
        self._is_passing = ruleset.turns.is_passing
        self._chance = chance
        self._round = -1
        self._idle = self._was_idle = False
        self._stood: object = None
        self._left: object = None
        self._since = 0
        self.is_reached = False

    def observe(self, table: Table, events: Iterable[Event]) -> bool:
        """Process the events of a command; return whether the fight is at a stalemate now."""
        now = table.draft.round
        if now == self._round:
            if self._idle:
                self._idle = self._is_idle(table, events)
            return False
        passes = self._is_idle(table, events)
        self.is_reached = self._is_stalemate(table, self._idle and passes)
        self._round, self._idle = now, passes
        return self.is_reached

    def _is_stalemate(self, table: Table, idle: bool) -> bool:
        """Tell at the start of a round whether the fight is at a stalemate.

        Args:
            idle: Whether no combatant did anything in the last round.
        """
        now, stands, left = table.draft.round, _list_lasting_state(table), self._chance.getstate()
        as_it_was = stands == self._stood
        if not as_it_was:
            self._since = now
        nothing_at_all = as_it_was and idle and self._was_idle and left == self._left
        self._was_idle, self._stood, self._left = idle, stands, left
        return nothing_at_all or now - self._since >= PATIENCE

    def _is_idle(self, table: Table, events: Iterable[Event]) -> bool:
        """Tell whether events only mark the passing of time."""
        return all(type(event) in PASSING or self._is_passing(table, event) for event in events)


def _list_lasting_state(table: Table) -> object:
    """Return the state that decides how the fight goes on.

    The turn order and marks about the round are left out.
    """
    state = table.draft.freeze()
    people = (state.combatants, state.items, state.relations, state.standing, state.concealed)
    return people, state.places, state.distances, state.views
