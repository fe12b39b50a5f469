"""Events that concern a concealed combatant although no field names it.

Such events are the faces entered for a sealed roll, its judgement, the answer to a sealed question, and the phases of a
concealed combatant's turn. Each has the audience of the thing that it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeGuard

from msgspec import Struct

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.ids import MORE_TO_COME
from affray.engine.core.loading import load
from affray.engine.core.open_parts import open_part
from affray.engine.core.state import Pending, Postponed, Question
from affray.events import Event, Id, pending_of

Who = set[Id]
"""The concealed combatants that an event concerns."""

BELONGING = {
    facts.Answered: "question",
    facts.DiceAwaited: "roll",
    facts.DiceEntered: "roll",
    facts.Judged: "roll",
    facts.PhaseEntered: "item",
    facts.Resolved: "item",
    facts.Fizzled: "item",
    facts.Dropped: "item",
    facts.Rolled: "roll",
    facts.Withdrawn: "what",
}
"""The field of each event type that names its roll, question or pending action."""


class EventLinks:
    """Tracks the events of one command and finds the combatants that each concerns.

    Args:
        before: The state before the command.
        found: Returns the concealed combatants that a part of that state tells of.
        slot: The concealed combatants of the active slot, if it is theirs alone.
        events: The events of the command.
    """

    def __init__(self, before: Draft, found: Callable[[Struct], Who], slot: Who, events: Sequence[Event]) -> None:
        self._of: dict[Id, Who] = {one.id: found(one) for one in before.stack}
        self._parts = {one.id: seal_parts(one, self._of[one.id], before.system) for one in before.stack}
        for one in (*before.postponed, Postponed(question=before.question, awaited=before.awaited)):
            if one.awaited:
                self._of[one.id] = found(one.awaited)
            if one.question:
                self._of[one.id] = found(_open_question(one.question, before) or one.question)
        self._phases, self._system = dict(before.phases), before.system
        self._turn = slot if before.acting else set()
        self._slot: Id = "" if slot else before.up
        self._left: Who = set()
        self._ended: Who = set()
        self._last = next((one for one in reversed(events) if is_phase_of_fight(one)), None)

    def of(self, event: Event, own: Who) -> Who:
        """Return the combatants that an event concerns, then advance to the next event.

        Args:
            event: The next event of the command.
            own: The combatants that its own fields tell of.
        """
        match event:
            case facts.Stacked():
                self._of[event.item], self._parts[event.item] = own, seal_parts(event, own, self._system)
            case facts.Rolled() | facts.DiceAwaited():
                self._of[event.roll] = own | self._of.get(event.roll, set())
            case facts.Asked():  # its open part comes first, and opens the answer
                self._of[event.question] = own if self._of.get(event.question, own) else set()
            case facts.TurnBegan():
                self._ended = set()
                self._turn = own if event.slot != self._slot else set()
                self._slot = event.slot if not own else self._slot
            case facts.TurnEnded() | facts.RoundBegan() | facts.FightEnded():
                self._turn = set()
                self._ended = own if isinstance(event, facts.TurnEnded) else set()
            case facts.Concealed() if is_revelation(event):
                self._reveal(event.who)
            case facts.Declared():
                self._left = own
            case facts.Resolved() | facts.Fizzled() | facts.Dropped():
                self._left = own | self._of.get(event.item, set())
                self._phases.pop(event.item, None)
            case facts.PhaseEntered():
                return self._phase_subjects(event)
        return self._belonging(event)

    def _belonging(self, event: Event) -> Who:
        field = BELONGING.get(type(event))
        path: Id = getattr(event, field) if field else ""
        return self._of.get(path, set()) | self._parts.get(pending_of(path), set()) if path else set()

    def _phase_subjects(self, event: facts.PhaseEntered) -> Who:
        """Return the concealed combatants that a phase reveals.

        Those are the combatants that have the turn. If the phase stays the same, they are also those that declared or
        left the stack. Between a concealed combatant's turn and the next one only the last phase of the command is
        open.
        """
        same = self._phases.get(event.item) == event.phase
        left, self._left = self._left if same else set(), set[Id]()
        self._phases[event.item] = event.phase
        ended = set[Id]() if event is self._last else self._ended
        return left | (self._belonging(event) if event.item else self._turn | ended)

    def _reveal(self, who: Id) -> None:
        for one in (*self._of.values(), *self._parts.values(), self._turn, self._left, self._ended):
            one.discard(who)


def seal_parts(item: facts.Stacked | Pending, told: Who, system: str) -> Who:
    """List the combatants that seal the questions and rolls of an action.

    If it acts on several one by one, and some are known, it is none: each question and roll names its own combatant.

    Args:
        told: The combatants with hidden facts that the action tells of.
    """
    return told if told.issuperset(item.targets) or not load(system).actions[item.kind].one_by_one else set()


def payment(events: Sequence[Event]) -> tuple[int, Id]:
    """Return how many events pay for the declared action, and its id on the stack.

    The declaration itself is counted.
    """
    declared = events[0]
    for nth, one in enumerate(events if isinstance(declared, facts.Declared) else ()):
        if isinstance(one, facts.Stacked):
            own = isinstance(declared, facts.Declared) and (one.actor, one.kind) == (declared.actor, declared.kind)
            return (nth, one.item) if own else (0, "")
    return 0, ""


def is_revelation(event: Event) -> bool:
    """Tell whether an event reveals a combatant to all viewers.

    The event that no more combatants may join does not.
    """
    return isinstance(event, facts.Concealed) and not event.concealed and event.who != MORE_TO_COME


def is_phase_of_fight(event: Event) -> TypeGuard[facts.PhaseEntered]:
    """Tell whether an event enters a phase of the fight, not of a pending action."""
    return isinstance(event, facts.PhaseEntered) and not event.item


def _open_question(question: Question, of: Draft) -> Event | None:
    """Return the open part of a pending question.

    It concerns concealed combatants if its topic does.
    """
    asked = facts.Asked(question=question.id, of=question.of, about=question.about, options=question.options)
    return open_part(asked, of)
