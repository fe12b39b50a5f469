"""One fight: its record, its present state, and the commands that move it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from affray.events import (
    FORMAT,
    DiceRenewed,
    Event,
    FightOpened,
    PhaseEntered,
    Recorded,
    Restored,
    Rewound,
    Rolled,
    seal,
)

from .commands import MANY, Command, Outcome, Redo, Undo
from .course import Course
from .dice import DiceSource, EnteredDice, NamedDice, RecordedDice, commitment
from .draft import Draft
from .errors import Diverged, OutOfDate, Refused, Reused, Unusable
from .evolve import HANDLERS
from .history import History
from .log import read_log
from .ruleset import Ruleset, load, source_digest
from .state import State
from .stores.protocol import Store
from .table import Table

_EVERY = 256
"""How many events may lie between two kept states."""

Clock = Callable[[], str]


def utc_now() -> str:
    """Return the time as a log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Fight:
    """A fight that is open in this process. Made by ``open_fight`` and ``begin_fight``.

    Attributes:
        name: Under which the store keeps it.
        ruleset: Whose rules it follows.
        history: Everything recorded.
    """

    def __init__(
        self,
        name: str,
        ruleset: Ruleset,
        history: History,
        *,
        store: Store | None = None,
        seed: bytes | None = None,
        clock: Clock = utc_now,
        dice: DiceSource | None = None,
    ) -> None:
        self.name = name
        self.ruleset = ruleset
        self.history = history
        self._store = store
        self._clock = clock
        self._dice: DiceSource = dice or (NamedDice(seed) if seed else EnteredDice())
        self._kept: list[tuple[int, State]] = []
        self._quiet: list[int] = []
        self._config = _config(ruleset, history.at(1).event)
        self._published: State | None = None
        self._course = self._build()

    # --- what there is ---

    @property
    def state(self) -> State:
        """The present state, frozen."""
        if self._published is None:
            self._published = self._course.draft.freeze()
        return self._published

    @property
    def table(self) -> Table:
        """The present as rules read it. Not to be kept, not to be written."""
        return self._course.table

    @property
    def head(self) -> int:
        """The position of the last recorded event."""
        return self.history.head

    def state_at(self, position: int) -> State:
        """Return the state as it was after an effective position."""
        index = bisect_right(self._kept, position, key=lambda kept: kept[0]) - 1
        start, state = self._kept[index] if index >= 0 else (0, State())
        draft = Draft(state)
        for one in self.history.effective(after=start, to=position):
            HANDLERS[type(one.event)](draft, one.event)
        return draft.freeze()

    # --- what can be asked of it ---

    def submit(self, command: Command) -> Outcome:
        """Carry out a command and record it.

        Raises:
            Refused, Unusable: by the rules, the phase, or because it cannot be understood.
            OutOfDate: the head is not the expected one.
            Reused: the id stands for another command already.
            StoreFailed: it could not be recorded. Whatever is raised, nothing has changed.
        """
        _check_words(command)
        repeated = self._repeated(command)
        if repeated is not None:
            return repeated
        if command.expected is not None and command.expected != self.head:
            raise OutOfDate(command.expected, self.head, self.history.head_hash)
        intent = command.intent
        if isinstance(intent, Undo):
            return self._record(command, self._undoing(intent), rebuild=True)
        if isinstance(intent, Redo):
            return self._record(command, self._redoing(intent), rebuild=True)
        course = self._course
        try:
            events = course.carry_out(intent)
        except BaseException:
            if course.events:
                self._course = self._build()
            raise
        return self._record(command, events)

    def _record(self, command: Command, events: list[Event], *, rebuild: bool = False) -> Outcome:
        recorded, lines = seal(
            events,
            after=self.head,
            previous=self.history.head_hash,
            time=self._clock(),
            who=command.who,
            cause=command.id,
        )
        if self._store is not None:
            try:
                self._store.append(self.name, lines, self.head)
            except BaseException:
                self._course = self._build()
                raise
        self.history.add(recorded)
        self._published = None
        if rebuild:
            self._course = self._build()
        else:
            self._mark_quiet(recorded[-1].position, self._course.draft)
        return Outcome(recorded=tuple(recorded))

    def _repeated(self, command: Command) -> Outcome | None:
        """Return what the same command came to earlier, if it did."""
        position = self.history.commands.get(command.id)
        if position is None:
            return None
        first = self.history.at(position)
        if first.who != command.who or not _same(command.intent, first.event):
            raise Reused(command.id, position)
        return Outcome(recorded=tuple(self._command_at(position)), repeated=True)

    def _command_at(self, position: int) -> list[Recorded]:
        first = self.history.at(position)
        return self.history.recorded[position - 1 : position + first.more]

    # --- taking back and restoring ---

    def _undoing(self, undo: Undo) -> list[Event]:
        history = self.history
        if undo.to is None:
            if undo.commands < 1:
                raise Unusable("must be at least 1", "commands")
            to = history.before_last(undo.commands)
        else:
            to = undo.to
            if not history.is_effective(to) or history.at(to).more or to == history.path[-1]:
                raise Refused("no_such_moment", "", f"position {to} is not the end of an earlier command that counts")
        lane = history.path[-1]
        count = history.commands_since(to)
        events: list[Event] = [Rewound(to=to, lane=lane, commands=count, fresh=undo.fresh, reason=undo.reason)]
        if undo.fresh:
            used = sum(isinstance(one.event, DiceRenewed) for one in history.recorded)
            events.append(DiceRenewed(generation=used + 1))
        return events

    def _redoing(self, redo: Redo) -> list[Event]:
        history = self.history
        lane = redo.lane if redo.lane is not None else (history.undone[-1] if history.undone else 0)
        if not lane:
            raise Refused("nothing_to_redo", "", "nothing that was taken back can be brought back from here")
        if (
            not 1 <= lane <= self.head
            or history.is_effective(lane)
            or isinstance(history.at(lane).event, Rewound | Restored)
        ):
            raise Refused("no_such_lane", "", f"position {lane} does not end a lane that was taken back")
        if history.at(lane).more:
            raise Refused("no_such_lane", "", f"position {lane} is in the middle of a command")
        return [Restored(lane=lane, left=history.path[-1], reason=redo.reason)]

    # --- where the present comes from ---

    def _build(self) -> Course:
        """Return a course at the effective head: fold to the last quiet moment, then decide again what followed."""
        history = self.history
        path = history.path
        head = path[-1]
        self._published = None
        _cut(self._kept, head)
        _cut_numbers(self._quiet, head)
        while self._kept and not history.is_effective(self._kept[-1][0]):
            self._kept.pop()
        while self._quiet and not history.is_effective(self._quiet[-1]):
            self._quiet.pop()
        start = self._kept[-1][0] if self._kept else 0
        _cut_numbers(self._quiet, max(start, 0))
        draft = Draft(self._kept[-1][1] if self._kept else State())
        for one in history.effective(after=start):
            event = one.event
            HANDLERS[type(event)](draft, event)
            if not one.more:
                self._mark_quiet(one.position, draft)
        if draft.quiet:
            return self._course_on(draft)
        return self._again(self._quiet[-1])

    def _mark_quiet(self, position: int, draft: Draft) -> None:
        """Remember a moment at which nothing was half resolved, and now and then its state."""
        if draft.quiet:
            self._quiet.append(position)
            if position - (self._kept[-1][0] if self._kept else 0) >= _EVERY:
                self._kept.append((position, draft.freeze()))

    def _again(self, quiet: int) -> Course:
        """Decide again every effective command behind a quiet moment, against what is recorded."""
        course = self._course_on(Draft(self.state_at(quiet)))
        dice = course.dice
        tail = list(self.history.effective(after=quiet))
        rolled = {one.event.roll: one.event for one in tail if isinstance(one.event, Rolled)}
        course.dice = RecordedDice(rolled)
        at = 0
        while at < len(tail):
            end = at + 1
            while tail[end - 1].more:
                end += 1
            self._decide_again(course, tail[at:end], quiet)
            at = end
        course.dice = dice
        return course

    def _decide_again(self, course: Course, command: list[Recorded], quiet: int) -> None:
        first = command[0].event
        if isinstance(first, DiceRenewed):
            course.events = []
            course.record(first)
            return
        try:
            decided = course.carry_out(first)
        except (Refused, Unusable) as refusal:
            raise Diverged(command[0].position, first, None, quiet) from refusal
        for index, one in enumerate(command):
            now = decided[index] if index < len(decided) else None
            if now != one.event:
                raise Diverged(one.position, one.event, now, quiet)
        if len(decided) > len(command):
            raise Diverged(command[-1].position, None, decided[len(command)], quiet)

    def _course_on(self, draft: Draft) -> Course:
        return Course(self.ruleset, draft, self._config, self._dice)


def begin_fight(
    name: str,
    encounter: Mapping[str, Any],
    *,
    who: str,
    seed: bytes | None,
    store: Store | None = None,
    clock: Clock = utc_now,
    dice: DiceSource | None = None,
) -> Fight:
    """Open a new fight and record its opening.

    Args:
        name: Under which the store keeps it.
        encounter: The content of an encounter file.
        who: Who opens it.
        seed: 32 secret bytes for the engine's dice; none means that all dice are entered.
        store: Where it is kept; nowhere if not given.
        clock: Tells the time.
        dice: Another source of dice, for scenarios.

    Raises:
        Unusable: the encounter cannot be understood; says which field and what would be right.
        StoreFailed: it could not be recorded.
    """
    ruleset = load(_text(encounter, "system"))
    config = _convert_config(ruleset, encounter.get("config", {}))
    opened = FightOpened(
        format=FORMAT,
        fight=_text(encounter, "name", default=name),
        system=ruleset.name,
        version=ruleset.version,
        digest=source_digest(ruleset.package),
        config=msgspec.to_builtins(config),
        commitment=commitment(seed) if seed else "",
    )
    begun = PhaseEntered(phase=ruleset.flow.initial, trigger="opened")
    events = [opened, begun, *ruleset.encounter(encounter, config)]
    recorded, lines = seal(events, after=0, previous="", time=clock(), who=who, cause="opening")
    if store is not None:
        if seed:
            store.keep_seed(name, seed)
        store.append(name, lines, 0)
    history = History()
    history.add(recorded)
    return Fight(name, ruleset, history, store=store, seed=seed, clock=clock, dice=dice)


def open_fight(name: str, store: Store, *, clock: Clock = utc_now, verified: bool = True) -> Fight:
    """Open a recorded fight where it stands.

    Raises:
        LogError: the log is damaged, altered, or of an unknown format.
        Unusable: there is no such fight, or no such rule system here.
        Diverged: what is half resolved would go on differently under the present rules.
        StoreFailed: it cannot be read.
    """
    history = History()
    history.add(read_log(store.read(name), verified=verified))
    opening = history.at(1).event
    assert isinstance(opening, FightOpened)
    seed = store.seed(name)
    if seed is not None and opening.commitment and commitment(seed) != opening.commitment:
        raise Unusable("the seed kept beside the log is not the one the log committed itself to", "seed")
    return Fight(name, load(opening.system), history, store=store, seed=seed, clock=clock)


def _config(ruleset: Ruleset, opening: Event) -> Any:
    assert isinstance(opening, FightOpened)
    return _convert_config(ruleset, opening.config)


def _convert_config(ruleset: Ruleset, values: object) -> Any:
    try:
        return msgspec.convert(values, ruleset.config)
    except msgspec.ValidationError as error:
        raise Unusable(str(error), "config") from None


def _text(encounter: Mapping[str, Any], key: str, default: str = "") -> str:
    value = encounter.get(key, default)
    if not isinstance(value, str) or not value:
        raise Unusable(f'must be given as a text, such as {key} = "…"', key)
    return value


def _check_words(command: Command) -> None:
    for field, word in (("id", command.id), ("who", command.who)):
        if not word or len(word) > MANY or not word.isprintable():
            raise Unusable(f"must have 1 to {MANY} printable characters", field)


def _same(intent: Event | Undo | Redo, recorded: Event) -> bool:
    """Tell whether a recorded input event stands for this intent."""
    if isinstance(intent, Undo):
        return (
            isinstance(recorded, Rewound)
            and (recorded.fresh, recorded.reason) == (intent.fresh, intent.reason)
            and (recorded.commands == intent.commands if intent.to is None else recorded.to == intent.to)
        )
    if isinstance(intent, Redo):
        return (
            isinstance(recorded, Restored) and recorded.reason == intent.reason and intent.lane in (None, recorded.lane)
        )
    return intent == recorded


def _cut(kept: list[tuple[int, State]], after: int) -> None:
    del kept[bisect_right(kept, after, key=lambda one: one[0]) :]


def _cut_numbers(numbers: list[int], after: int) -> None:
    del numbers[bisect_right(numbers, after) :]
