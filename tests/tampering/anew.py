"""Deciding a fight again from a point on: the forger's best, and the test where a forged log diverges."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from msgspec.structs import replace

import affray.engine.fight
from affray.engine.commands import Amend, Close, Command, Intent, Redo, Stir, Undo
from affray.engine.core.loading import load
from affray.engine.errors import EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.amend import find_amendable
from affray.engine.history.timeline import History, split_by_input
from affray.engine.runtime.dice import DiceSource, Faces, NamedDice
from affray.events import (
    Amended,
    Closed,
    Dice,
    DiceRenewed,
    EntropyAdded,
    Event,
    FightOpened,
    Id,
    Previewed,
    Recorded,
    Restored,
    Rewound,
    seal,
)
from tests.engine.fights import salt
from tests.forging import Log, command_at, list_commands, rechain_log
from tests.old_formats import writing


class Loaded:
    """The engine's dice, except for one roll, which is awaited or has more dice than the rules want.

    Args:
        dice: The engine's.
        roll: Which roll.
        more: How many dice more it throws; none, and they are awaited.
    """

    def __init__(self, dice: NamedDice, roll: Id, more: int = 0) -> None:
        self._dice = dice
        self._roll = roll
        self._more = more

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the faces of a roll."""
        if roll != self._roll:
            return self._dice.faces(roll, dice)
        if not self._more:
            return None
        first, *others = dice
        return self._dice.faces(roll, (replace(first, count=first.count + self._more), *others))


class Anew:
    """A fight that goes on behind what is recorded of it, by the commands that a log holds.

    Args:
        log: What is recorded, whole commands.
        seed: The seed of the dice.
        dice: Where its dice come from, if not from the seed.
    """

    def __init__(self, log: Log, seed: bytes, dice: DiceSource | None = None) -> None:
        history = History()
        history.add(log)
        opening = log[0].event
        assert isinstance(opening, FightOpened)
        self._ruleset = load(opening.system)
        self._seed = seed
        self._dice = dice
        self._time = log[-1].time
        self.fight = self._on(history)

    def _on(self, history: History) -> Fight:
        return Fight(
            "anew", self._ruleset, history, seed=self._seed, clock=lambda: self._time, dice=self._dice, salts=salt
        )

    def say(self, command: Sequence[Recorded]) -> Sequence[Recorded]:
        """Repeat an input, and return its events; nothing if it is refused."""
        first = command[0]
        self._time = first.time
        if isinstance(first.event, Previewed):
            try:
                looked_at = find_amendable(self.fight.history, first.event.position)[0][0].position
            except (Refused, Unusable):  # it is not there any more
                return ()
            there = looked_at == first.event.position
            return self._put(self.fight.history, command, [first.event]) if there else ()
        try:
            intent = _intent(self.fight.history, command)
            return self._submit(self.fight, Command(id=first.cause, who=first.who, intent=intent))
        except EngineError:
            return ()

    def _submit(self, fight: Fight, command: Command) -> Sequence[Recorded]:
        """Submit a command as an audit judges it: what is refused of new commands alone stands in older records."""
        with writing(fight.history.format), patch.object(affray.engine.fight, "check_new_ruling", lambda *_: None):
            return fight.submit(command).recorded

    def put_in(self, intents: Sequence[Intent], time: str) -> bool:
        """Add a request of the game master; tell whether all of it was recorded."""
        self._time = time
        try:
            for nth, intent in enumerate(intents):
                self._submit(self.fight, Command(id=f"put in {nth}", who="gm", intent=intent))
        except EngineError:
            return False
        return True

    def say_all(self, log: Log) -> None:
        """Say again everything that is not refused, and close the record."""
        for command in list_commands(log):
            if not isinstance(command[0].event, Closed) and not self.say(command) and _going_back(command[0].event):
                self._back(command[0])
        last = log[-1]
        self._time = last.time
        assert isinstance(last.event, Closed)
        close = Close(unfinished=True, reason=last.event.reason)
        self._submit(self.fight, Command(id=last.cause, who=last.who, intent=close))

    def _back(self, one: Recorded) -> None:
        intent = Redo() if isinstance(one.event, Restored) else Undo()
        try:
            self._submit(self.fight, Command(id=one.cause, who=one.who, intent=intent))
        except EngineError:
            return

    def follow(self, command: Sequence[Recorded]) -> list[Event]:
        """Say a command again as ``say`` does, but an amendment input by input; return what comes of it."""
        first = command[0]
        if not isinstance(first.event, Amended):
            return [one.event for one in self.say(command)]
        before = self.fight.history.recorded
        events: list[Event] = [first.event]
        for nth, segment in enumerate(split_by_input(command[1:])):
            history = History()
            history.add(before)
            self._put(history, command, events)
            try:
                going_on = self._on(history)
                if isinstance(segment[0].event, DiceRenewed):
                    events.append(segment[0].event)
                    continue
                said = Command(id=f"{first.cause} {nth}", who=first.who, intent=segment[0].event)
                events += [one.event for one in self._submit(going_on, said)]
            except EngineError:
                return events
        history = History()
        history.add(before)
        self._put(history, command, events)
        self.fight = self._on(history)
        return events

    def _put(self, history: History, command: Sequence[Recorded], events: list[Event]) -> Sequence[Recorded]:
        """Record an input that cannot be repeated: a preview of an amendment, or half of one."""
        first = command[0]
        recorded, _ = seal(
            events,
            after=history.head,
            previous=history.head_hash,
            time=first.time,
            who=first.who,
            cause=first.cause,
            format=history.format,
        )
        history.add(recorded)
        return recorded


def _going_back(event: Event) -> bool:
    return isinstance(event, Rewound | Restored)


def _intent(history: History, command: Sequence[Recorded]) -> Intent:
    """Return what was asked, from what was recorded."""
    event = command[0].event
    if isinstance(event, Rewound) or (isinstance(event, Restored) and event.commands):
        return Undo(commands=event.commands, fresh=event.fresh, reason=event.reason)
    if isinstance(event, Restored):
        return Redo(lane=event.lane, reason=event.reason)
    if isinstance(event, Amended):
        return _amend(history, event, command)
    if isinstance(event, EntropyAdded):
        return Stir(words=event.words)
    if isinstance(event, Closed):
        return Close(unfinished=True, reason=event.reason)
    return event


def _amend(history: History, event: Amended, command: Sequence[Recorded]) -> Amend:
    inputs = [segment[0].event for segment in split_by_input(command[1:])]
    instead = () if event.retracted else tuple(inputs[:1])
    later = [one.event for one in find_amendable(history, event.position)[1]]
    answers = []
    for one in inputs[len(instead) :]:
        if one in later:
            later.remove(one)
        else:
            answers.append(one)
    return Amend(position=event.position, instead=instead, answers=tuple(answers), reason=event.reason)


def rewritten(log: Log, commands_of: Log, seed: bytes) -> list[Recorded]:
    """Return ``log`` continued by all commands of the other one that are not refused."""
    anew = Anew(log, seed)
    anew.say_all(commands_of)
    return list(anew.fight.history.recorded)


def parts_at(log: Log, first: int, seed: bytes) -> int | None:
    """Return the first position at which a forged log's commands lead elsewhere; nothing if none.

    Args:
        log: The log, its positions made right.
        first: The first position that was edited.
        seed: The seed of the dice.
    """
    log = rechain_log(log)  # dice are bound to the opening
    opening = command_at(log, 1)[1]
    start = command_at(log, first)[0] if first > opening else opening + 1
    try:
        anew = Anew(log[: start - 1], seed)
    except Unusable:
        return None
    for command in list_commands(log[start - 1 :]):
        due = anew.follow(command)
        found = [one.event for one in command]
        if due != found:
            same = next((nth for nth, (a, b) in enumerate(zip(due, found, strict=False)) if a != b), None)
            nth = same if same is not None else min(len(due), len(found))
            return command[0].position + nth
    return None
