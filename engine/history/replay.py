"""Replay of recorded inputs after an amendment.

Declarations and rulings are repeated in their order. Answers, passes and entered dice are repeated when their own
question, window or roll comes up. A declaration or ruling that is refused now is dropped. So is an answer whose
question is no longer asked. A question that was never asked before needs a new answer.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.state import Awaited, Question, Window
from affray.engine.errors import Refused, Unusable
from affray.engine.runtime.decider import Decider
from affray.engine.visibility import mark_privileged
from affray.events import EVERYBODY, Event, Id, Recorded


class NotReplayed(Struct, frozen=True, kw_only=True):
    """A later input that is dropped from the amended fight.

    Attributes:
        position: Its position in the record.
        event: The input.
        why: Its refusal by the rules now; ``None`` if its question, window or roll does not come up any longer.
    """

    position: int
    event: Event
    why: Refused | Unusable | None = None


class InputReplay:
    """Replays the later inputs of a fight.

    Args:
        decider: The decider after the correction.
        line: The recorded events that counted, from before that.
        later: The recorded inputs that are to be repeated.
        answers: Answers to questions that were never asked before.

    Attributes:
        decider: The decider at the present point of the replay.
        later: The recorded inputs that are not repeated yet.
        events: The events of the inputs that were repeated.
        dropped: The inputs that are no longer possible.
        needs: The question, dice or window that needs an input before the replay can continue.
    """

    def __init__(
        self, decider: Decider, line: Iterable[Recorded], later: list[Recorded], answers: Sequence[Event] = ()
    ) -> None:
        self.decider = decider
        self.later = later
        self._left_open = _list_unanswered(line)
        self.answers = list(answers)
        self.events: list[Event] = []
        self.dropped: list[NotReplayed] = []
        self.needs: Question | Awaited | Window | None = None

    def carry_out(self, event: Event) -> Refused | Unusable | None:
        """Carry out an input; return its refusal, if it is refused."""
        if isinstance(event, facts.DiceRenewed):
            self.decider.interpreter.record(event)
            self.events.append(event)
            return None
        try:
            self.events += self.decider.carry_out(event)
        except (Refused, Unusable) as refusal:
            if self.decider.interpreter.events:
                raise
            return refusal
        return None

    def carry_out_own(self, event: Event) -> Refused | Unusable | None:
        """Carry out an input of the amendment itself.

        It is marked if it holds words while a combatant is concealed.
        """
        decider = self.decider
        if isinstance(event, facts.Declared | facts.Answered):
            event = mark_privileged(event, decider.ruleset.actions, decider.draft, None)  # type: ignore[assignment]
        return self.carry_out(event)

    def go_on(self) -> None:
        """Replay inputs as long as any can be."""
        while self._answer_next() or self._replay_next() or self._declare_next():
            pass

    def settle(self) -> None:
        """Record which input is missing; if none is, drop inputs that did not come up.

        Raises:
            Unusable: the amendment holds an answer that no question asks for.
        """
        draft = self.decider.draft
        if self.later and not draft.ended:
            self.needs = draft.question or draft.awaited or draft.window
        if self.needs is None:
            if self.answers:
                raise Unusable(f"nothing asks for {type(self.answers[0]).__name__}: {self.answers[0]}", "answers")
            self.dropped += [NotReplayed(position=one.position, event=one.event) for one in self.later]
            self.later = []
        self.dropped.sort(key=lambda one: one.position)

    def _answer_next(self) -> bool:
        """Answer the open question or roll from the amendment itself."""
        for event in self.answers:
            if _belongs(event, self.decider.draft):
                refusal = self.carry_out_own(event)
                if refusal is not None:
                    raise refusal
                self.answers.remove(event)
                return True
        return False

    def _replay_next(self) -> bool:
        """Carry out or drop the first later input that can be replayed now."""
        draft = self.decider.draft
        waits = draft.waits_for
        if waits and waits not in self._left_open and not any(_belongs(one.event, draft) for one in self.later):
            return False
        blocked = False
        for one in self.later:
            if isinstance(one.event, facts.Answered | facts.DiceEntered | facts.Passed):
                if not _belongs(one.event, draft):
                    continue
            elif blocked or (waits and isinstance(one.event, facts.Attempted | facts.Declared)):
                blocked = True
                continue
            refusal = self.carry_out(one.event)
            if refusal is not None and isinstance(one.event, facts.Declared) and draft.window is not None:
                blocked = True
                continue
            if refusal is not None:
                self.dropped.append(NotReplayed(position=one.position, event=one.event, why=refusal))
            self.later.remove(one)
            return True
        return False

    def _declare_next(self) -> bool:
        """Declare an action of the amendment itself, if a window is open."""
        if self.decider.draft.window is not None:
            for event in self.answers:
                if isinstance(event, facts.Declared) and self.carry_out_own(event) is None:
                    self.answers.remove(event)
                    return True
        return False


def _list_unanswered(line: Iterable[Recorded]) -> set[Id]:
    """Return the questions and rolls that were never answered.

    The game master ruled them away.
    """
    events = [one.event for one in line]
    asked = {event.question for event in events if isinstance(event, facts.Asked)}
    asked |= {event.roll for event in events if isinstance(event, facts.DiceAwaited)}
    answered = {event.question for event in events if isinstance(event, facts.Answered)}
    return asked - answered - {event.roll for event in events if isinstance(event, facts.DiceEntered)}


def _belongs(event: Event, draft: Draft) -> bool:
    """Tell whether an answer, pass or entered dice belong to what the fight waits for."""
    if isinstance(event, facts.Answered):
        return draft.question is not None and draft.question.id == event.question
    if isinstance(event, facts.DiceEntered):
        return draft.awaited is not None and draft.awaited.roll == event.roll
    if isinstance(event, facts.Passed):
        window = draft.window
        return window is not None and window.id == event.window and event.who in (*window.to, EVERYBODY)
    return False
