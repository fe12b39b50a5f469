"""Carrying commands out: the course of the fight over one draft.

A command is checked, recorded by its input event, and then everything that follows by itself happens: procedures
run, windows open and close, the stack resolves, until the fight waits for somebody again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Raw
from msgspec.json import Encoder

from affray.events import (
    Answered,
    Asked,
    ConditionChanged,
    Declared,
    DiceAwaited,
    DiceEntered,
    Dropped,
    Event,
    Fizzled,
    Id,
    OfferDeclined,
    Passed,
    PassStanding,
    PhaseEntered,
    PoolChanged,
    Resolved,
    Rolled,
    Ruled,
    Stacked,
    StatChanged,
    WindowClosed,
    WindowOpened,
)

from .actions import Action
from .answers import check_answer, check_faces
from .dice import DiceSource
from .draft import Draft
from .errors import Refused, Unusable
from .evolve import HANDLERS
from .reading import read_roll
from .rule import Ask, Go, Interrupted, Roll, Rule
from .ruleset import Ruleset
from .state import Pending
from .table import Table

CORRECTIONS = (PoolChanged, ConditionChanged, StatChanged)
"""What a game master may change about a combatant so that the rules want to look again."""


class Frame:
    """A rule that is running, and what to do when it is done."""

    __slots__ = ("done", "id", "purposes", "roll", "rule")

    def __init__(self, id: Id, rule: Rule[Any], done: Callable[[Any], None]) -> None:
        self.id = id
        self.rule = rule
        self.done = done
        self.purposes: dict[str, int] = {}
        self.roll: tuple[Id, Roll] | None = None

    def name(self, purpose: str) -> Id:
        """Return the id of the next roll, question or window of this purpose."""
        nth = self.purposes.get(purpose, 0) + 1
        self.purposes[purpose] = nth
        return f"{self.id}/{purpose}" if nth == 1 else f"{self.id}/{purpose}#{nth}"


class Course:
    """Drives one fight's rules.

    Attributes:
        table: What the rules read.
        events: What the command under way has recorded so far.
    """

    def __init__(self, ruleset: Ruleset, draft: Draft, config: Any, dice: DiceSource) -> None:
        self.ruleset = ruleset
        self.draft = draft
        self.dice = dice
        self.table = Table(draft, config)
        self.events: list[Event] = []
        self._frames: dict[Id, Frame] = {}
        self._asking: Frame | None = None
        self._actions: dict[Id, Action] = {}
        self._carry: dict[type[Event], Callable[[Any], None]] = {
            Declared: self._declare,
            Answered: self._answer,
            Passed: self._pass,
            PassStanding: self._stand,
            DiceEntered: self._enter,
            Ruled: self._rule,
        }

    def carry_out(self, intent: Event) -> list[Event]:
        """Carry out a command, given as the input event that records it; return all its events in order.

        Raises:
            Refused: the rules or the phase forbid it; nothing was recorded.
            Unusable: it cannot be understood; nothing was recorded.
        """
        self.events = []
        self._carry[type(intent)](intent)
        self._proceed()
        return self.events

    def record(self, event: Event) -> None:
        """Note a fact and let it change the draft."""
        self.events.append(event)
        HANDLERS[type(event)](self.draft, event)

    def action_of(self, pending: Pending) -> Action:
        """Return a pending action in the ruleset's own form."""
        action = self._actions.get(pending.id)
        if action is None:
            action = self._actions[pending.id] = self.ruleset.action(pending.kind, pending.params)
        return action

    # --- the commands ---

    def _declare(self, intent: Declared) -> None:
        self._nothing_awaited()
        if intent.kind not in self.ruleset.actions:
            raise self.ruleset.unknown_action(intent.kind)
        action = self.ruleset.action(intent.kind, intent.params)
        if intent.manner not in self.ruleset.manners:
            ways = ", ".join(self.ruleset.manners)
            raise Unusable(f"there is no manner {intent.manner}; there are {ways}", "manner")
        actor, manner = intent.actor, intent.manner
        trigger = action.trigger(self.ruleset.manners[manner])
        step = self.ruleset.flow.permit(self.table, actor, trigger)
        action.check(self.table, actor, manner)
        id, nth = self._id(actor)
        self.record(intent)
        self._shut("taken")
        if action.stacks:
            self._run(Frame(id, action.pay(self.table, actor, manner), _nothing))
            self._stack(id, nth, actor, action, manner, intent.params, step.dest, trigger, rules=(step.rule,))
        else:
            self._run(Frame(id, _paid(action, self.table, actor, manner), lambda _: self._settle(trigger)))

    def _settle(self, trigger: str) -> None:
        """Take the step of an action that happens at once, and whatever follows from it."""
        self._fire(trigger)
        self._look_after()

    def _look_after(self) -> None:
        """Let the system look at what has become of the fight, with nothing to resume."""
        self._run(Frame("", self.ruleset.aftermath(self.table), self._fire_unless_resuming))

    def _answer(self, intent: Answered) -> None:
        question = self.draft.question
        if question is None or question.id != intent.question:
            raise Refused("no_such_question", "", f"nobody is asked {intent.question} now", source=intent.question)
        check_answer(question, intent)
        self.record(intent)
        self._go_on(intent)

    def _enter(self, intent: DiceEntered) -> None:
        awaited = self.draft.awaited
        if awaited is None or awaited.roll != intent.roll:
            raise Refused("no_such_roll", "", f"no dice are awaited for {intent.roll} now", source=intent.roll)
        faces = check_faces(awaited, intent)
        self.record(intent)
        assert self._asking is not None
        assert self._asking.roll is not None
        name, roll = self._asking.roll
        rolled = read_roll(roll, name, faces, "entered")
        self.record(rolled)
        self._go_on(rolled)

    def _pass(self, intent: Passed) -> None:
        window = self.draft.window
        if window is None or window.id != intent.window:
            raise Refused("no_such_window", "", f"the window {intent.window} is not open", source=intent.window)
        if intent.who not in window.to:
            raise Refused("not_asked", "", f"{intent.who} has nothing to pass in this window", source=window.id)
        self.record(intent)
        self.record(OfferDeclined(window=window.id, who=intent.who))
        self._close_if_done()

    def _stand(self, intent: PassStanding) -> None:
        self.table[intent.who]
        if intent.unless not in ("targeted", "never", "asked"):
            raise Unusable("a standing pass holds unless targeted, never, or asked", "unless")
        self.record(intent)
        window = self.draft.window
        if window is not None and intent.who in window.to and self._stands_back(intent.who):
            self.record(OfferDeclined(window=window.id, who=intent.who, standing=True))
            self._close_if_done()

    def _rule(self, intent: Ruled) -> None:
        ruling = self.ruleset.ruling(intent.kind, intent.params)
        if not intent.reason.strip():
            raise Unusable("a ruling needs a reason", "reason")
        ruling.check(self.table)
        top = self.draft.stack[-1].id if self.draft.stack else ""
        id, _ = self._id("gm")
        self.record(intent)
        self._run(Frame(id, ruling.decide(self.table), self._fire_if))
        for who in {event.who: None for event in self.events if isinstance(event, CORRECTIONS)}:
            if who in self.draft.combatants:
                self._run(Frame(id, self.ruleset.corrected(self.table, who), _nothing))
        self._tidy(top)

    def _tidy(self, top: Id) -> None:
        """Forget what a ruling took away, and go on below if it took the pending action on top."""
        draft = self.draft
        left = {pending.id for pending in draft.stack}
        self._frames = {id: frame for id, frame in self._frames.items() if id in left}
        self._actions = {id: action for id, action in self._actions.items() if id in left}
        if draft.question is None and draft.awaited is None:
            self._asking = None
        if top and top not in left and not draft.ended:
            self._shut("ruled")
            self._run(Frame(top, self.ruleset.aftermath(self.table), self._fire))
        else:
            self._review_window()
            if not draft.stack and not draft.ended and draft.window is None and draft.question is None:
                self._look_after()

    # --- what follows by itself ---

    def _proceed(self) -> None:
        """Go on until the fight waits for somebody."""
        draft, ruleset = self.draft, self.ruleset
        while draft.question is None and draft.awaited is None and draft.window is None:
            phase = draft.phase
            if phase in ruleset.resolving:
                self._resolve()
            elif phase in ruleset.windows:
                self._open(phase)
            elif phase in ruleset.procedures:
                rule = ruleset.procedures[phase](self.table)
                self._run(Frame(f"{draft.round}/{phase}", rule, self._fire))
            else:
                return

    def _resolve(self) -> None:
        """Let the pending action on top take place, or go on."""
        pending = self.draft.stack[-1]
        frame = self._frames.get(pending.id)
        if frame is None:
            action = self.action_of(pending)
            try:
                action.check(self.table, pending.actor, "pending")
            except Refused as refusal:
                self._leave(Fizzled(item=pending.id, code=refusal.code, rules=_rules(refusal)))
                return
            rule = action.resolve(self.table, pending.actor)
            frame = Frame(pending.id, rule, lambda _: self._leave(Resolved(item=pending.id)))
            self._frames[pending.id] = frame
        self._run(frame)

    def _leave(self, fact: Resolved | Fizzled | Dropped) -> None:
        """Take a pending action off the stack and resume what lies below."""
        self.record(fact)
        self._frames.pop(fact.item, None)
        self._actions.pop(fact.item, None)
        self._run(Frame(fact.item, self.ruleset.aftermath(self.table), self._fire))

    def _open(self, phase: str) -> None:
        """Ask everyone who could answer; close at once if nobody can or wants to."""
        offer = self.ruleset.windows[phase](self.table)
        if offer.to:
            draft = self.draft
            about = draft.stack[-1].id if draft.stack else f"{draft.round}/{draft.up}/{phase}"
            nth = draft.counts.get(f"{about}/window", 0) + 1
            id = f"{about}/window" if nth == 1 else f"{about}/window#{nth}"
            self.record(WindowOpened(window=id, about=about, nth=nth, to=offer.to, what=offer.what, rules=offer.rules))
            for who in offer.to:
                if self._stands_back(who):
                    self.record(OfferDeclined(window=id, who=who, standing=True))
            self._close_if_done()
        else:
            self._fire("close")

    def _close_if_done(self) -> None:
        window = self.draft.window
        if window is not None and not window.to:
            self._shut("passed")
            self._fire("close")

    def _review_window(self) -> None:
        """Open the window anew if a ruling changed who can answer in it."""
        window = self.draft.window
        if window is None:
            return
        offer = self.ruleset.windows.get(self.draft.phase)
        if offer is None or not set(window.to) <= set(offer(self.table).to):
            self._shut("ruled")

    def _shut(self, how: str) -> None:
        window = self.draft.window
        if window is not None:
            self.record(WindowClosed(window=window.id, how=how, expired=window.to if how == "ruled" else ()))

    def _stands_back(self, who: Id) -> bool:
        unless = self.draft.standing.get(who)
        if unless != "targeted":
            return unless == "never"
        return all(who not in pending.targets for pending in self.draft.stack)

    # --- running rules ---

    def _run(self, frame: Frame, value: Any = None) -> None:
        """Run a rule until it is done or waits; then do what its frame says, unless it waits."""
        send, record = frame.rule.send, self.record
        try:
            while True:
                step = send(value)
                kind = type(step)
                if kind is Roll:
                    value = self._roll(frame, step)  # type: ignore[arg-type]
                    if value is None:
                        return
                elif kind in HANDLERS:
                    record(step)  # type: ignore[arg-type]
                    value = None
                elif kind is Go:
                    self._fire(step.trigger, step.rules)  # type: ignore[union-attr]
                    value = None
                elif kind is Ask:
                    self._ask(frame, step)  # type: ignore[arg-type]
                    return
                else:
                    self._interrupt(step)  # type: ignore[arg-type]
                    return
        except StopIteration as stop:
            frame.done(stop.value)
        except Refused as refusal:
            if frame.id not in self._frames:
                raise
            self._leave(Fizzled(item=frame.id, code=refusal.code, rules=_rules(refusal)))

    def _go_on(self, value: Any) -> None:
        """Give the rule that waits what it waited for."""
        frame, self._asking = self._asking, None
        assert frame is not None
        self._run(frame, value)

    def _roll(self, frame: Frame, roll: Roll) -> Rolled | None:
        """Throw dice, or wait for real ones."""
        draft = self.draft
        name = frame.name(roll.purpose)
        if draft.dice_generation:
            name = f"g{draft.dice_generation}:{name}"
        sources = draft.dice_sources
        real = bool(sources) and sources.get(roll.by, sources.get("*")) == "entered"
        faces = None if real else self.dice.faces(name, roll.dice)
        if faces is None:
            frame.roll = (name, roll)
            self._asking = frame
            self.record(DiceAwaited(roll=name, by=roll.by, purpose=roll.purpose, dice=roll.dice, rules=roll.rules))
            return None
        rolled = read_roll(roll, name, faces, "engine")
        self.record(rolled)
        return rolled

    def _ask(self, frame: Frame, ask: Ask) -> None:
        self._asking = frame
        id = frame.name(ask.about)
        self.record(Asked(question=id, of=ask.of, about=ask.about, options=ask.options, rules=ask.rules))

    def _interrupt(self, step: Interrupted) -> None:
        """Put actions on top of the stack, the first one uppermost; the rule below goes on when they have left."""
        trigger = self.ruleset.manners[step.manner]
        phase = self.ruleset.flow.leads(self.draft.phase, trigger).dest
        for actor, action in reversed(step.by):
            id, nth = self._id(actor)
            params = Raw(_encode(action))
            self._stack(id, nth, actor, action, step.manner, params, phase, trigger, rules=step.rules)

    def _stack(
        self,
        id: Id,
        nth: int,
        actor: Id,
        action: Action,
        manner: str,
        params: Raw,
        phase: str,
        trigger: str,
        rules: tuple[str, ...],
    ) -> None:
        table = self.table
        tags = action.tags(table, actor)
        self._actions[id] = action
        at = self.ruleset.precedence(table, manner, tags)
        self.record(
            Stacked(
                item=id,
                actor=actor,
                kind=action.kind,
                params=params,
                manner=manner,
                at=at,
                nth=nth,
                tags=tags,
                targets=action.targets(),
                rules=rules,
            )
        )
        self.record(PhaseEntered(phase=phase, trigger=trigger, item=id))

    def _fire(self, trigger: str, rules: tuple[str, ...] = ()) -> None:
        """Take the flow's step for an outcome."""
        draft = self.draft
        step = self.ruleset.flow.leads(draft.phase, trigger)
        item = draft.stack[-1].id if draft.stack else ""
        self.record(
            PhaseEntered(
                phase=step.dest, trigger=trigger, item=item, rules=rules or ((step.rule,) if step.rule else ())
            )
        )

    def _fire_if(self, trigger: str | None) -> None:
        if trigger:
            self._fire(trigger)

    def _fire_unless_resuming(self, trigger: str) -> None:
        if trigger != "resume":
            self._fire(trigger)

    def _id(self, actor: Id) -> tuple[Id, int]:
        nth = self.draft.counts.get(actor, 0) + 1
        return f"{self.draft.round}/{actor}/{nth}", nth

    def _nothing_awaited(self) -> None:
        draft = self.draft
        if draft.question is not None:
            raise self._pending(f"{' or '.join(draft.question.of)} must first answer: {draft.question.about}")
        if draft.awaited is not None:
            raise self._pending(f"the dice for {draft.awaited.roll} must first be entered")

    def _pending(self, message: str) -> Refused:
        refusal = self.ruleset.flow.refusal(self.draft.phase, "*")
        return Refused(refusal.code, refusal.rule, message, source=self.draft.phase)


def _nothing(_: Any) -> None:
    """Do nothing when a rule is done."""


def _paid(action: Action, table: Table, actor: Id, manner: str) -> Rule[None]:
    yield from action.pay(table, actor, manner)
    yield from action.resolve(table, actor)


def _rules(refusal: Refused) -> tuple[str, ...]:
    return (refusal.rule,) if refusal.rule else ()


_encode = Encoder().encode
