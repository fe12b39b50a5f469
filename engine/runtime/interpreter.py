"""The interpreter: runs rules, carries out their effects, and keeps the stack."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from msgspec import Raw
from msgspec.json import Encoder

from affray import events as facts
from affray.engine.core.actions import Action
from affray.engine.core.awaiting import describe_awaited
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Ask, Go, Interrupted, Roll
from affray.engine.core.evolve import HANDLERS
from affray.engine.core.open_parts import (
    PARTS,
    mark_after_open_part,
    open_part,
    repeats_known,
    tells_more,
    tells_of_concealed,
)
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Endless, NotInFight, Refused
from affray.engine.limits import MOST_DICE, MOST_EVENTS
from affray.engine.visibility import MARGINED, find_veiled, hide_margin
from affray.events import APART, Clause, Event, Id

from .dice import DiceSource, Faces
from .frame import Frame, Suspended, do_nothing
from .hidden_causes import ATTEMPT, find_preventers
from .refusals import as_refusal, cite_clauses
from .requests import request_answer, request_dice
from .rolls import read_roll


class Interpreter:
    """Runs the rules of one fight over one draft.

    Attributes:
        table: The state as the rules read it.
        events: The events recorded so far for the present command.
        frames: The pending actions that have begun to resolve, by id.
        actions: The pending actions as structs of the ruleset, by id.
        asking: The rule that waits for an answer or for dice.
        suspended: The rules and windows that wait beneath actions of rulings; the last one continues first.
        most: The maximum number of events of the present command.
        apart: Whether the present command is a ruling that is numbered apart.
    """

    def __init__(self, ruleset: Ruleset, draft: Draft, config: Any, dice: DiceSource) -> None:
        self.ruleset = ruleset
        self.draft = draft
        self.dice = dice
        self.table = Table(draft, config)
        self._steps = ruleset.flow.table
        self.events: list[Event] = []
        self.frames: dict[Id, Frame] = {}
        self.actions: dict[Id, Action] = {}
        self.asking: Frame | None = None
        self.suspended: list[Suspended] = []
        self.most = MOST_EVENTS
        self.apart = False

    def record(self, event: Event) -> None:
        """Record an event and apply it to the draft.

        If it lists concealed combatants, its open part is recorded before it.
        """
        if self.draft.concealed:
            event = self._behind_open_part(event)
        self.events.append(event)
        HANDLERS[type(event)](self.draft, event)

    def _behind_open_part(self, event: Event) -> Event:
        """Record an event's open part, unless viewers know it; return the event to record."""
        part = open_part(event, self.draft)
        if part is None:
            return event
        if not repeats_known(event, self.draft):
            self.events.append(part)
            HANDLERS[type(part)](self.draft, part)
        return mark_after_open_part(event)

    def run(self, frame: Frame, value: Any = None, gone: Refused | None = None) -> None:
        """Run a rule until it is done or waits, and call its frame's function when done.

        Args:
            frame: The rule.
            value: The value that it receives first.
            gone: A refusal to raise in it, if its conditions no longer hold.

        Raises:
            Endless: it yields more than the maximum number of events.
        """
        send = frame.rule.send if gone is None else frame.meeting(gone)
        gone = None  # its traceback refers to this call, and only the garbage collector would free it
        events, draft, handler_of = self.events, self.draft, HANDLERS.get
        parts = PARTS if draft.concealed else ()
        try:
            within = True
            while within:
                step = send(value)
                kind = type(step)
                handler = handler_of(kind)  # type: ignore[arg-type]
                if handler is not None:
                    if frame.veiled and kind in MARGINED:
                        step = hide_margin(step, frame.veiled, self.ruleset.margins)  # type: ignore[arg-type]
                    if parts and kind in parts:
                        step = self._behind_open_part(step)  # type: ignore[arg-type]
                    events.append(step)  # type: ignore[arg-type]
                    handler(draft, step)
                    value = None
                elif kind is Roll:
                    value = self._roll(frame, step)  # type: ignore[arg-type]
                    if value is None:
                        return
                elif kind is Go:
                    self.fire(step.trigger, step.rules)  # type: ignore[union-attr]
                    value = None
                elif kind is Ask:
                    self.ask(frame, frame.name(step.about), step)  # type: ignore[union-attr, arg-type]
                    return
                else:
                    self._interrupt(step)  # type: ignore[arg-type]
                    return
                within = len(events) <= self.most  # each step but the last records at least one
            raise Endless(self.most)
        except StopIteration as stop:
            frame.done(self, stop.value)
        except (Refused, NotInFight) as no:
            if frame.id not in self.frames:
                raise
            self.fizzle(frame.id, no)

    def close_open_part(self, answer: facts.Answered) -> None:
        """Withdraw a question's open part if a sealed answer was given to it."""
        wish = self.asking.wish if self.asking is not None else None
        if wish is not None and wish[1] is not None and tells_of_concealed(answer, self.draft):
            self.record(facts.Withdrawn(what=answer.question))

    def go_on(self, value: Any) -> None:
        """Resume the waiting rule with the value that it waited for."""
        frame, self.asking = self.asking, None
        assert frame is not None
        self.run(frame, value)

    def leave(self, fact: facts.Resolved | facts.Fizzled | facts.Dropped) -> None:
        """Take a pending action off the stack and resume the one below."""
        self.record(fact)
        self.frames.pop(fact.item, None)
        self.actions.pop(fact.item, None)
        self.go_on_below(fact.item)

    def go_on_below(self, item: Id) -> None:
        """Run the aftermath of an action that left the stack; what waits below stays."""
        below = self.due() if self.suspended else None
        if below is None:
            self.run(Frame(item, self.ruleset.turns.aftermath(self.table), Interpreter.fire_if))
        elif below.top or below.frame is None:
            self.look_after(item)
        else:
            self.run(Frame(item, self.ruleset.corrections.tidy(self.table), do_nothing))

    def fizzle(self, item: Id, no: Refused | NotInFight) -> None:
        """Take a pending action off the stack that is no longer possible.

        If only concealed combatants prevent it, all viewers read that an attempt failed, and the game master reads the
        reason.
        """
        refusal = as_refusal(no)
        code, clauses = refusal.code, cite_clauses(refusal)
        if self.draft.concealed:
            actor = next(one.actor for one in self.draft.stack if one.id == item)
            causes = find_preventers(self.table, self.actions[item], actor, begun=item in self.frames)
            if causes:
                self.record(facts.AttemptRefused(actor=actor, code=code, because_of=causes, rules=clauses))
                code, clauses = ATTEMPT, ()
        self.leave(facts.Fizzled(item=item, code=code, rules=(*clauses, *self.ruleset.turns.fizzles)))

    def resume(self, frame: Frame) -> None:
        """Resume an interrupted rule; raise a refusal in it if its conditions are gone."""
        try:
            self.check_ground(frame)
        except (Refused, NotInFight) as gone:
            self.run(frame, gone=as_refusal(gone))
        else:
            self.run(frame)

    def due(self) -> Suspended | None:
        """Return the suspended rule or window that continues now.

        Those whose phase no longer exists are withdrawn.
        """
        draft = self.draft
        pending = [one.id for one in draft.stack]
        while self.suspended:
            last = self.suspended[-1]
            if last.top in pending or (not last.top and draft.phases[""] == last.phase):
                return last if last.top == (pending[-1] if pending else "") else None
            self.suspended.pop()
            if last.frame is not None and draft.is_waiting_for(last.frame.waits_for):
                self.record(facts.Withdrawn(what=last.frame.waits_for))
        return None

    def forget_withdrawn(self) -> None:
        """Drop the rules that wait for a withdrawn question or roll."""
        is_waiting_for = self.draft.is_waiting_for
        if self.asking is not None and not is_waiting_for(self.asking.waits_for):
            self.asking = None
        self.suspended = [one for one in self.suspended if one.frame is None or is_waiting_for(one.frame.waits_for)]

    def check_ground(self, frame: Frame) -> None:
        """Refuse to let a pending action go on if its conditions no longer hold."""
        for pending in self.draft.stack:
            if pending.id == frame.id:
                self.actions[pending.id].check_ground(self.table, pending.actor)

    def take_back(self, name: Id, rules: tuple[Clause, ...] = ()) -> None:
        """Withdraw the question or the roll that a rule waits for."""
        self.asking = None
        self.record(facts.Withdrawn(what=name, rules=rules))

    def _roll(self, frame: Frame, roll: Roll) -> facts.Rolled | None:
        """Roll dice, or wait for real ones; a roll without dice never waits."""
        name = frame.name(f"{roll.purpose}@{frame.turn}" if roll.recurs and frame.turn else roll.purpose)
        if self.draft.dice_generation:
            name = f"g{self.draft.dice_generation}:{name}"
        faces = self.faces(name, roll)
        if faces is None:
            self.await_dice(frame, name, roll)
            return None
        return self.record_roll(frame, name, roll, faces)

    def faces(self, name: Id, roll: Roll) -> Faces | None:
        """Return the faces of the engine's dice; ``None`` if real dice are needed."""
        dice = roll.dice
        if not dice:
            return ()
        if (dice[0].count if len(dice) == 1 else sum(map(_count_of, dice))) > MOST_DICE:
            raise Refused("too_many_dice", "", f"a roll may have at most {MOST_DICE} dice", source=name)
        draft = self.draft
        if (draft.dice_sources or draft.side_dice) and self.table.dice_of(roll.by) == "entered":
            return None
        return self.dice.faces(name, dice)

    def record_roll(self, frame: Frame, name: Id, roll: Roll, faces: Faces, source: str = "engine") -> facts.Rolled:
        """Record a roll of a rule, and return it; after a roll with a veiled counter no open event tells margins."""
        rolled = read_roll(roll, name, faces, source)
        self.record(rolled)
        if self.draft.veiled:
            frame.veiled |= find_veiled(rolled, self.draft)
        return rolled

    def await_dice(self, frame: Frame, name: Id, roll: Roll) -> None:
        """Let a rule wait for real dice."""
        if not roll.waits:
            raise Refused("real_dice", "", "the dice are real ones here; throw these behind a screen", source=name)
        self._wait(frame, roll)
        self._say(request_dice(roll, name, self.draft), frame)

    def _wait(self, frame: Frame, wants: Ask | Roll) -> None:
        """Let a rule wait; refuse it while another rule waits."""
        if self.asking is not None and self.asking is not frame:
            raise self._answer_pending()
        self.asking, frame.wants = frame, wants

    def _answer_pending(self) -> Refused:
        first = describe_awaited(self.draft, self.ruleset.vocabulary)
        return Refused("answer_pending", "", first, source=self.draft.phase)

    def ask(self, frame: Frame, name: Id, ask: Ask) -> None:
        """Let a rule wait for an answer."""
        self._wait(frame, ask)
        self._say(request_answer(ask, name, self.draft), frame)

    def _say(self, wish: facts.Asked | facts.DiceAwaited, frame: Frame) -> None:
        """Record a request, unless the same viewers have it already."""
        part = open_part(wish, self.draft) if self.draft.concealed else None
        if (wish, part) != frame.wish:
            before, frame.wish = frame.wish, (wish, part)
            if part is not None and before is not None and tells_more(part, before[1] or before[0], self.draft):
                self.record(part)
            self.record(wish)

    def _interrupt(self, step: Interrupted) -> None:
        """Put actions on top of the stack, the first one uppermost.

        The rule below continues when they have left.
        """
        if self.asking is not None or self.draft.window is not None:  # rulings come at any moment
            top = self.draft.stack[-1].id if self.draft.stack else ""
            self.suspended.append(Suspended(top, self.draft.phase, self.asking))
            self.asking = None
        if type(step) is not Interrupted:
            raise TypeError(f"a rule yields an event, Roll, Ask, Go or Interrupted, not {step!r}; write `yield from`")
        trigger = self.ruleset.turns.manners[step.manner]
        phase = self.ruleset.flow.leads(self.draft.phase, trigger).dest
        for actor, action in reversed(step.by):
            id, nth = self.next_id(actor, action.kind + APART if self.apart and actor == "gm" else action.kind)
            fixed = action.fix_choices(self.table, actor)
            self.run(Frame(id, fixed.pay(self.table, actor, step.manner), do_nothing))
            self.stack(id, nth, actor, fixed, step.manner, Raw(_encode(action)), phase, trigger, rules=step.rules)

    def stack(
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
        confided: bool = False,
    ) -> None:
        """Put an action on the stack by the system's precedence, in the flow's phase."""
        tags = action.tags(self.table, actor)
        self.actions[id] = action
        at, why = self.ruleset.turns.precedence(self.table, manner, tags)
        self.record(
            facts.Stacked(
                item=id,
                actor=actor,
                kind=action.kind,
                params=params,
                manner=manner,
                at=at,
                nth=nth,
                tags=tags,
                targets=action.targets(),
                confided=confided,
                rules=(*rules, *why) if why else rules,
            )
        )
        self.record(facts.PhaseEntered(phase=phase, trigger=trigger, item=id))

    def fire(self, trigger: str, rules: tuple[str, ...] = ()) -> None:
        """Take the flow's step for an outcome."""
        draft = self.draft
        item = draft.stack[-1].id if draft.stack else ""
        step = self._steps[draft.phases[item], trigger]
        entered = step.entered
        if item or rules:
            entered = facts.PhaseEntered(phase=step.dest, trigger=trigger, item=item, rules=rules or entered.rules)
        self.events.append(entered)
        _enter(draft, entered)

    def fire_if(self, trigger: str | None) -> None:
        """Take the flow's step for an outcome, if there is one."""
        if trigger:
            self.fire(trigger)

    def fire_ruled(self, trigger: str | None) -> None:
        """Take the flow's step that a ruling asks for.

        It is refused while an answer or dice are awaited in this phase.
        """
        if trigger:
            if self.asking is not None and self.draft.is_waiting_for(self.asking.waits_for):
                raise self._answer_pending()
            self.fire(trigger)

    def settle(self, id: Id, trigger: str) -> None:
        """Take the flow's step of an action that resolves at once, and run the aftermath."""
        self.fire(trigger)
        self.look_after(id)

    def look_after(self, id: Id) -> None:
        """Run the aftermath once the stack is empty.

        The trigger ``resume`` is skipped in the same phase: only a phase entered to ask a question resumes.
        """
        phase = self.draft.phase

        def end_aftermath(interpreter: Interpreter, trigger: str) -> None:
            if trigger != "resume" or interpreter.draft.phase != phase:
                interpreter.fire_if(trigger)

        self.run(Frame(id, self.ruleset.turns.aftermath(self.table), end_aftermath))

    def next_id(self, actor: Id, kind: str) -> tuple[Id, int]:
        """Return id and number of an actor's next declaration of a kind in this round."""
        draft = self.draft
        counter = draft.counter(actor, kind)
        nth = draft.counts.get(counter, 0) + 1
        return f"{draft.round}/{counter}{nth}" if draft.dice_scheme > 1 else f"{draft.round}/{counter}/{nth}", nth


_encode = Encoder().encode
_count_of = attrgetter("count")
_enter = HANDLERS[facts.PhaseEntered]
