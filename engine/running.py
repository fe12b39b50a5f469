"""Running rules: giving them what they ask for, and keeping the stack of what is pending."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any

from msgspec import Raw
from msgspec.json import Encoder

from affray.events import (
    Answered,
    Asked,
    DiceAwaited,
    Dropped,
    Event,
    Fizzled,
    Id,
    PhaseEntered,
    Resolved,
    Rolled,
    Stacked,
)

from .actions import Action
from .bounds import MOST_DICE, MOST_EVENTS
from .dice import DiceSource, Faces
from .draft import Draft
from .errors import Endless, Refused
from .evolve import HANDLERS
from .reading import read_roll
from .rule import Ask, Go, Interrupted, Roll, Rule
from .ruleset import Ruleset
from .state import Pending
from .table import Table


class Frame:
    """A rule that is running, and what to do when it is done."""

    __slots__ = ("done", "id", "purposes", "refuses", "roll", "rule")

    def __init__(self, id: Id, rule: Rule[Any], done: Callable[[Any], None]) -> None:
        self.id = id
        self.rule = rule
        self.done = done
        self.purposes: dict[str, int] = {}
        self.roll: tuple[Id, Roll] | None = None
        self.refuses: Callable[[Answered], None] | None = None

    def name(self, purpose: str) -> Id:
        """Return the id of the next roll, question or window of this purpose."""
        nth = self.purposes.get(purpose, 0) + 1
        self.purposes[purpose] = nth
        return f"{self.id}/{purpose}" if nth == 1 else f"{self.id}/{purpose}#{nth}"


class Runner:
    """Runs the rules of one fight over one draft.

    Attributes:
        table: What the rules read.
        events: What the command under way has recorded so far.
        frames: The pending actions that have begun to resolve, by id.
        actions: The pending actions in the ruleset's own form, by id.
        asking: The rule that waits for an answer or for dice.
        most: How many events the command under way may record.
    """

    def __init__(self, ruleset: Ruleset, draft: Draft, config: Any, dice: DiceSource) -> None:
        self.ruleset = ruleset
        self.draft = draft
        self.dice = dice
        self.table = Table(draft, config)
        self.events: list[Event] = []
        self.frames: dict[Id, Frame] = {}
        self.actions: dict[Id, Action] = {}
        self.asking: Frame | None = None
        self.most = MOST_EVENTS

    def record(self, event: Event) -> None:
        """Note a fact and let it change the draft."""
        self.events.append(event)
        HANDLERS[type(event)](self.draft, event)

    def action_of(self, pending: Pending) -> Action:
        """Return a pending action in the ruleset's own form."""
        action = self.actions.get(pending.id)
        if action is None:
            action = self.actions[pending.id] = self.ruleset.action(pending.kind, pending.params)
        return action

    def run(self, frame: Frame, value: Any = None) -> None:
        """Run a rule until it is done or waits; then do what its frame says, unless it waits.

        Raises:
            Endless: it goes on after all the events that the command may record.
        """
        send, events, draft, handler_of = frame.rule.send, self.events, self.draft, HANDLERS.get
        try:
            for _ in repeat(None, self.most - len(events) + 1):  # each step but the last records at least one
                step = send(value)
                kind = type(step)
                handler = handler_of(kind)  # type: ignore[arg-type]
                if handler is not None:
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
                    self._ask(frame, step)  # type: ignore[arg-type]
                    return
                else:
                    self._interrupt(step)  # type: ignore[arg-type]
                    return
            raise Endless(self.most)
        except StopIteration as stop:
            frame.done(stop.value)
        except Refused as refusal:
            if frame.id not in self.frames:
                raise
            self.leave(Fizzled(item=frame.id, code=refusal.code, rules=because(refusal)))

    def go_on(self, value: Any) -> None:
        """Give the rule that waits what it waited for."""
        frame, self.asking = self.asking, None
        assert frame is not None
        self.run(frame, value)

    def leave(self, fact: Resolved | Fizzled | Dropped) -> None:
        """Take a pending action off the stack and resume what lies below."""
        self.record(fact)
        self.frames.pop(fact.item, None)
        self.actions.pop(fact.item, None)
        self.run(Frame(fact.item, self.ruleset.aftermath(self.table), self.fire))

    def _roll(self, frame: Frame, roll: Roll) -> Rolled | None:
        """Throw dice, or wait for real ones; where there are none to throw, nobody waits."""
        draft = self.draft
        name = frame.name(roll.purpose)
        if draft.dice_generation:
            name = f"g{draft.dice_generation}:{name}"
        sources = draft.dice_sources
        real = bool(sources) and sources.get(roll.by, sources.get("*")) == "entered"
        if sum([one.count for one in roll.dice]) > MOST_DICE:
            raise Refused("too_many_dice", "", f"a roll may have at most {MOST_DICE} dice", source=name)
        if not roll.dice:
            faces: Faces | None = ()
        else:
            faces = None if real else self.dice.faces(name, roll.dice)
        if faces is None:
            if not roll.waits:
                raise Refused("real_dice", "", "the dice are real ones here; throw these behind a screen", source=name)
            frame.roll = (name, roll)
            self.asking = frame
            self.record(DiceAwaited(roll=name, by=roll.by, purpose=roll.purpose, dice=roll.dice, rules=roll.rules))
            return None
        rolled = read_roll(roll, name, faces, "engine")
        self.record(rolled)
        return rolled

    def _ask(self, frame: Frame, ask: Ask) -> None:
        self.asking = frame
        frame.refuses = ask.refuses
        id = frame.name(ask.about)
        self.record(Asked(question=id, of=ask.of, about=ask.about, options=ask.options, rules=ask.rules))

    def _interrupt(self, step: Interrupted) -> None:
        """Put actions on top of the stack, the first one uppermost; the rule below goes on when they have left."""
        trigger = self.ruleset.manners[step.manner]
        phase = self.ruleset.flow.leads(self.draft.phase, trigger).dest
        for actor, action in reversed(step.by):
            id, nth = self.next_id(actor)
            self.run(Frame(id, action.pay(self.table, actor, step.manner), nothing))
            params = Raw(_encode(action))
            self.stack(id, nth, actor, action, step.manner, params, phase, trigger, rules=step.rules)

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
    ) -> None:
        """Put an action where the system's precedence wants it, in the phase that the flow gives it."""
        table = self.table
        tags = action.tags(table, actor)
        self.actions[id] = action
        at, why = self.ruleset.precedence(table, manner, tags)
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
                rules=(*rules, *why) if why else rules,
            )
        )
        self.record(PhaseEntered(phase=phase, trigger=trigger, item=id))

    def fire(self, trigger: str, rules: tuple[str, ...] = ()) -> None:
        """Take the flow's step for an outcome."""
        draft = self.draft
        item = draft.stack[-1].id if draft.stack else ""
        step = self.ruleset.flow.leads(draft.phases[item], trigger)
        self.record(PhaseEntered(phase=step.dest, trigger=trigger, item=item, rules=rules or step.cited))

    def fire_if(self, trigger: str | None) -> None:
        """Take the flow's step for an outcome, if there is one."""
        if trigger:
            self.fire(trigger)

    def fire_unless_resuming(self, trigger: str) -> None:
        """Take the flow's step for an outcome, unless there was nothing to resume."""
        if trigger != "resume":
            self.fire(trigger)

    def look_after(self, id: Id) -> None:
        """Let the system look at what has become of the fight after a command, with nothing to resume."""
        self.run(Frame(id, self.ruleset.aftermath(self.table), self.fire_unless_resuming))

    def next_id(self, actor: Id) -> tuple[Id, int]:
        """Return the id of an actor's next declaration or procedure, and its how-many-th of this round it is."""
        nth = self.draft.counts.get(actor, 0) + 1
        return f"{self.draft.round}/{actor}/{nth}", nth


def nothing(_: Any) -> None:
    """Do nothing when a rule is done."""


def because(refusal: Refused) -> tuple[str, ...]:
    """Return the clause of a refusal as a fact cites it."""
    return (refusal.rule,) if refusal.rule else ()


_encode = Encoder().encode
