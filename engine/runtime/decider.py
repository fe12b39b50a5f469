"""The decider: turns a command into events.

It checks the command and records its input event. Then it decides everything that needs no further input: procedures
run, windows open and close, the stack resolves, until the fight waits for a person again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from itertools import repeat
from typing import Any

from msgspec.structs import replace

from affray import events as facts
from affray.engine.core.actions import Action
from affray.engine.core.draft import RANK, Draft
from affray.engine.core.effects import Ask, Roll, Rule
from affray.engine.core.endings import Ended, endings, endings_due
from affray.engine.core.references import check_named
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Endless, NoSuch, NotInFight, Refused, Unusable
from affray.engine.limits import MOST_EVENTS
from affray.engine.visibility import is_about_concealed
from affray.events import APART, EVERYBODY, Event, Id

from .asking_again import ask_again
from .attempts import begin_attempt
from .dice import DiceSource
from .frame import Frame, do_nothing
from .interpreter import Interpreter
from .ruling_effect import refusal_without_effect
from .validation import (
    check_answer,
    check_asking,
    check_declaration,
    check_faces,
    check_nothing_awaited,
    check_ruled_dice,
)
from .windows import Windows

MOST_SECONDS = 3600
"""The longest timeout of a window."""

CORRECTIONS = (facts.Joined, facts.PoolChanged, facts.ConditionChanged, facts.StatChanged, facts.TraitChanged)
"""The changes of a combatant after which its rules run again, when a ruling makes them."""

CHANGES_OF_MEMBERS = (*CORRECTIONS, facts.SideChanged, facts.Concealed, facts.Left)
"""The changes of a member that close a window beneath an action of the game master."""


class Decider:
    """Decides the commands of one fight over its draft.

    Attributes:
        interpreter: Runs the rules.
        windows: Opens and closes windows.
        table: The state as the rules read it.
    """

    def __init__(self, ruleset: Ruleset, draft: Draft, config: Any, dice: DiceSource) -> None:
        self.ruleset = ruleset
        self.draft = draft
        self.interpreter = Interpreter(ruleset, draft, config, dice)
        self.table = self.interpreter.table
        self.windows = Windows(ruleset, self.interpreter)
        self._checked: Id = ""
        self._automatic: dict[str, Callable[[Decider, str], None]] = {
            **dict.fromkeys(ruleset.turns.procedures, Decider._procedure),
            **dict.fromkeys(ruleset.turns.windows, Decider._open),
            **dict.fromkeys(ruleset.turns.resolving, Decider._resolve),
        }

    def carry_out(self, intent: Event, most: int = MOST_EVENTS) -> list[Event]:
        """Carry out a command; return all its events in order.

        Args:
            intent: The command, as the input event that records it.
            most: The maximum number of its events, the input included.

        Raises:
            Refused: the rules or the phase forbid it; nothing was recorded.
            Unusable: it cannot be understood; nothing was recorded.
            Endless: it has more events, as rules do that never end.
        """
        interpreter = self.interpreter
        interpreter.events = []
        interpreter.most = most
        interpreter.apart = False
        self._checked = ""
        carry = METHODS.get(type(intent))
        if carry is None:
            raise Unusable(f"{type(intent).__name__} is no command's input", "intent")
        try:
            carry(self, intent)
            self._proceed()
            if interpreter.suspended:
                self._close_beneath(self._list_fallen())
        except RecursionError:  # of actions that interrupt each other, or of a rule that calls itself
            raise Endless(most) from None
        return interpreter.events

    # --- the commands ---

    def _declare(self, intent: facts.Declared) -> None:
        interpreter, draft, table = self.interpreter, self.draft, self.table
        check_nothing_awaited(self.ruleset, draft)
        action, trigger, step = check_declaration(self.ruleset, table, intent)
        actor, manner = intent.actor, intent.manner
        id, nth = interpreter.next_id(actor, intent.kind)
        interpreter.record(intent)
        if draft.window is not None:
            self.windows.close("taken")
        if action.stacks:
            action = action.fix_choices(table, actor)
            interpreter.run(Frame(id, action.pay(table, actor, manner), do_nothing))
            rules = (step.rule,)
            interpreter.stack(id, nth, actor, action, manner, intent.params, step.dest, trigger, rules, intent.confided)
            self._checked = id
        else:
            if draft.phase == self.ruleset.flow.initial:
                self._correct(id, tuple(draft.combatants))
            rule = _pay_and_resolve(action, table, actor, manner)
            interpreter.run(Frame(id, rule, lambda interpreter, _: interpreter.settle(id, trigger)))

    def _attempt(self, intent: facts.Attempted) -> None:
        """Record an attempt, if the rules refuse its declaration.

        Whether the sender could expect otherwise is decided by the sender's view (``attempt_check``).
        """
        check_nothing_awaited(self.ruleset, self.draft)
        begin_attempt(self.interpreter, intent)

    def check_answer(self, intent: facts.Answered) -> None:
        """Refuse an answer to a question that is not open, or to none of its options."""
        question = self.draft.question
        if question is None or question.id != intent.question:
            raise Refused("no_such_question", "", f"nobody is asked {intent.question} now", source=intent.question)
        assert self.interpreter.asking is not None
        assert isinstance(self.interpreter.asking.wants, Ask)
        check_answer(question, intent, self.interpreter.asking.wants.refuses)

    def _answer(self, intent: facts.Answered) -> None:
        self.check_answer(intent)
        self.interpreter.record(intent)
        self.interpreter.close_open_part(intent)
        self.interpreter.go_on(intent)

    def _enter(self, intent: facts.DiceEntered) -> None:
        awaited = self.draft.awaited
        if awaited is None or awaited.roll != intent.roll:
            raise Refused("no_such_roll", "", f"no dice are awaited for {intent.roll} now", source=intent.roll)
        faces = check_faces(awaited, intent)
        self.interpreter.record(intent)
        asking = self.interpreter.asking
        assert asking is not None
        assert isinstance(asking.wants, Roll)
        self.interpreter.go_on(self.interpreter.record_roll(asking, awaited.roll, asking.wants, faces, "entered"))

    def _pass(self, intent: facts.Passed) -> None:
        check_nothing_awaited(self.ruleset, self.draft)  # an attempt in this window may wait for the game master
        self.windows.decline(intent)

    def _stand(self, intent: facts.AskingSet) -> None:
        if intent.ask not in RANK:
            raise Unusable("somebody is asked always, worthwhile, targeted or never", "ask")
        if intent.who == EVERYBODY:
            self._stop(intent)
            return
        self.table[intent.who]
        if intent.what or intent.seconds:
            raise Unusable("is for the whole table (*) alone", "what" if intent.what else "seconds")
        check_asking(self.table, intent)
        self.interpreter.record(intent)
        self.windows.apply_asking(intent.who)

    def _stop(self, intent: facts.AskingSet) -> None:
        """Set when the table stops, and decline for those who are no longer asked."""
        if intent.what and intent.what not in self.ruleset.flow.triggers:
            raise NoSuch("kind of window", intent.what, self.ruleset.flow.triggers, "what")
        if not 0 <= intent.seconds <= MOST_SECONDS or (intent.what and intent.seconds):
            raise Unusable(f"must be from 0 to {MOST_SECONDS}, and for all kinds of windows", "seconds")
        check_asking(self.table, intent)
        self.interpreter.record(intent)
        for who in self.draft.window.to if self.draft.window else ():
            self.windows.apply_asking(who)

    def _rule(self, intent: facts.Ruled) -> None:
        ruling = self.ruleset.ruling(intent.kind, intent.params)
        if not intent.reason.strip():
            raise Unusable("a ruling needs a reason", "reason")
        check_named(self.table, ruling)
        ruling.check(self.table)
        check_ruled_dice(ruling, self.interpreter.dice, self.draft)
        top = self.draft.stack[-1].id if self.draft.stack else ""
        over = self._fighters() if self.draft.ended else None
        sealed = is_about_concealed(intent, self.draft) and not ruling.has_open_part(self.table)
        apart = self.draft.dice_scheme > 1 and sealed
        id, _ = self.interpreter.next_id("gm", intent.kind + APART if apart else intent.kind)
        before = self.draft.freeze()
        self.interpreter.apart = apart
        self.interpreter.record(intent if intent.apart == apart else replace(intent, apart=apart))
        self.interpreter.run(Frame(id, ruling.decide(self.table), Interpreter.fire_ruled))
        changed, own = self.draft.differs_from(before), len(self.interpreter.events)
        self._correct(id, self._list_corrected())
        self.interpreter.run(Frame(id, self.ruleset.corrections.tidy(self.table), do_nothing))
        if not ruling.only_recorded and not (changed and self.draft.differs_from(before)):
            events, self.interpreter.events = self.interpreter.events, []
            self.draft.restore(before)
            raise refusal_without_effect(ruling, self.table, events, own, changed=changed)
        if over is not None and self._is_fought_again(*over):
            self.interpreter.run(Frame(id, self.ruleset.corrections.reopen(self.table), Interpreter.fire_if))
            self.interpreter.run(Frame(id, self.ruleset.corrections.tidy(self.table), do_nothing))
            top = ""
        self._tidy(id, top)

    def _list_corrected(self) -> Iterable[Id]:
        """List the combatants a ruling changed; all of them if it dropped an action."""
        events = self.interpreter.events
        if any(isinstance(event, facts.Dropped) for event in events):
            return tuple(self.draft.combatants)
        return {event.who: None for event in events if isinstance(event, CORRECTIONS)}

    def _correct(self, cause: Id, people: Iterable[Id]) -> None:
        """Run the rules for combatants that a ruling or an earlier fight changed."""
        for who in people:
            if who in self.draft.combatants:
                self.interpreter.run(Frame(cause, self.ruleset.corrections.correct(self.table, who), do_nothing))

    def _fighters(self) -> tuple[frozenset[tuple[Id, Id]], set[tuple[Id, str]]]:
        """Return the enemies that can still fight, and the combatants with their sides."""
        return self.ruleset.corrections.list_foes(self.table), {
            (who, one.side) for who, one in self.draft.combatants.items()
        }

    def _is_fought_again(self, foes: frozenset[tuple[Id, Id]], there: set[tuple[Id, str]]) -> bool:
        """Tell whether a ruling after the end made enemies able to fight.

        If enemies could still fight at the end, as after a truce, only a combatant that is new on its side counts.
        """
        now, people = self._fighters()
        new = {who for who, _ in people - there}
        return any(not foes or not new.isdisjoint(pair) for pair in now - foes)

    def _tidy(self, ruling: Id, top: Id) -> None:
        """Drop the frames of actions that a ruling removed.

        If it removed the action on top, the fight continues with the one below.
        """
        draft = self.draft
        still = {pending.id for pending in draft.stack}
        removed = self.interpreter.actions.keys() - still
        self.interpreter.frames = {id: frame for id, frame in self.interpreter.frames.items() if id in still}
        self.interpreter.actions = {id: action for id, action in self.interpreter.actions.items() if id in still}
        self.interpreter.forget_withdrawn()
        if top and top not in still and not draft.ended:
            if self.windows.about == top:
                self.windows.close("ruled")
            self.interpreter.go_on_below(top)
        else:
            if not self.interpreter.suspended or draft.phase in self.ruleset.turns.windows:
                self.windows.review()
            changed = {event.who for event in self.interpreter.events if isinstance(event, CHANGES_OF_MEMBERS)}
            self._close_beneath(changed | removed)
            ask_again(self.interpreter)
            if not draft.stack and not draft.ended and draft.question is None and draft.awaited is None:
                self.interpreter.look_after(ruling)

    def _close_beneath(self, changed: Set[Id]) -> None:
        """Close the suspended window if its subject or a member changed."""
        if self.interpreter.suspended and self.draft.phase not in self.ruleset.turns.windows:
            self.windows.close_beneath(changed)

    def _list_fallen(self) -> set[Id]:
        """List the combatants that the command put out of the fight."""
        known = self.ruleset.vocabulary.conditions
        gained = [
            event for event in self.interpreter.events if isinstance(event, facts.ConditionChanged) and event.after
        ]
        return {one.who for one in gained if one.condition in known and known[one.condition].role == "out"}

    # --- steps that need no input ---

    def _proceed(self) -> None:
        """Decide all steps that need no input, until the fight waits for a person."""
        draft, interpreter, windows = self.draft, self.interpreter, self.ruleset.turns.windows
        for _ in repeat(None, interpreter.most + 1):  # each step but the last records at least one event
            if interpreter.asking is not None:
                return
            if interpreter.suspended and self._return_to_suspended():
                continue
            phase = draft.phase
            if draft.window is not None and phase in windows:
                if draft.window.to:
                    return
                self.windows.close_if_all_declined()  # the last member declined beneath a question
                continue
            if not draft.stack and self.table.derive(endings) and self._end_conditions():
                continue
            go_on = self._automatic.get(phase)
            if go_on is None:
                return
            go_on(self, phase)
        raise Endless(self.interpreter.most)

    def _end_conditions(self) -> bool:
        """End the conditions that are due; tell whether there were any."""
        due = endings_due(self.table)
        if not due:
            return False
        id = f"{self.draft.round}/endings"
        self.interpreter.run(Frame(id, self._end_all(due), do_nothing))
        if self.draft.phase not in self._automatic and not self.draft.ended:
            self.interpreter.look_after(id)
        return True

    def _end_all(self, due: tuple[Ended, ...]) -> Rule[None]:
        for who, condition, source in due:
            yield self.ruleset.corrections.set_condition_until(self.table, who, condition, 0, source, None)
        for who in dict.fromkeys(one[0] for one in due):
            yield from self.ruleset.corrections.correct(self.table, who)
        yield from self.ruleset.corrections.tidy(self.table)

    def _return_to_suspended(self) -> bool:
        """Review what was suspended beneath rulings; tell whether there was anything."""
        if self.interpreter.due() is None:
            return False
        frame = self.interpreter.suspended.pop().frame
        if frame is None:
            self.windows.review()
        else:
            self.interpreter.asking = frame
            ask_again(self.interpreter)
        return True

    def _procedure(self, phase: str) -> None:
        """Run the procedure of a phase."""
        rule = self.ruleset.turns.procedures[phase](self.table)
        turn = self.draft.up if self.draft.acting else ""
        self.interpreter.run(Frame(f"{self.draft.round}/{phase}", rule, Interpreter.fire, turn))

    def _resolve(self, _: str) -> None:
        """Resolve the pending action on top, or resume it.

        It is checked again, unless it was declared just now and no input came in between.
        """
        pending = self.draft.stack[-1]
        just_checked = self._checked == pending.id
        self._checked = ""
        frame = self.interpreter.frames.get(pending.id)
        if frame is None:
            action = self.interpreter.actions[pending.id]
            try:
                if not just_checked:
                    action.check(self.table, pending.actor, "pending")
            except (Refused, NotInFight) as refusal:
                self.interpreter.fizzle(pending.id, refusal)
                return
            rule = action.resolve(self.table, pending.actor)
            frame = Frame(pending.id, rule, lambda interpreter, _: interpreter.leave(facts.Resolved(item=pending.id)))
            self.interpreter.frames[pending.id] = frame
            self.interpreter.run(frame)
        else:
            self.interpreter.resume(frame)

    def _open(self, phase: str) -> None:
        self.windows.open(phase)


def _pay_and_resolve(action: Action, table: Table, actor: Id, manner: str) -> Rule[None]:
    yield from action.pay(table, actor, manner)
    yield from action.resolve(table, actor)


METHODS: dict[type[Event], Callable[[Decider, Any], None]] = {
    facts.Declared: Decider._declare,
    facts.Attempted: Decider._attempt,
    facts.Answered: Decider._answer,
    facts.Passed: Decider._pass,
    facts.AskingSet: Decider._stand,
    facts.DiceEntered: Decider._enter,
    facts.Ruled: Decider._rule,
}
"""The method that decides each type of input."""
