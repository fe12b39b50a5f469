"""One fight: its record, its present state, and the commands that move it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from affray.events import (
    FORMAT,
    DiceRenewed,
    Event,
    FightOpened,
    FormatRaised,
    Recorded,
    Rolled,
    seal,
)

from .commands import MANY, Command, Outcome, Redo, Undo
from .course import Course
from .dice import DiceSource, EnteredDice, NamedDice, RecordedDice
from .draft import Draft
from .errors import Diverged, OutOfDate, Refused, Reused, Unusable
from .evolve import HANDLERS
from .history import History
from .ruleset import Ruleset, config_of
from .state import State
from .stores.protocol import Store
from .table import Table
from .taking_back import redoing, same, undoing

_EVERY = 256
"""How many events may lie between two kept states."""

Clock = Callable[[], str]


def utc_now() -> str:
    """Return the time as a log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Fight:
    """A fight that is open in this process. Made by ``begin_fight`` and ``open_fight``.

    Attributes:
        name: Under which the store keeps it.
        ruleset: Whose rules it follows.
        history: Everything recorded.
        diverged: Why the fight cannot go on from where it stands; then it can only be taken back to the safe position.
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
        mend: bool = False,
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
        self.diverged: Diverged | None = None
        try:
            self._course = self._build()
        except Diverged as diverged:
            if not mend:
                raise
            self.diverged = diverged
            self._course = self._course_on(Draft(self.state_at(diverged.safe)))

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
        if self.diverged is not None and intent != Undo(to=self.diverged.safe, reason=getattr(intent, "reason", "")):
            raise self.diverged
        if isinstance(intent, Undo):
            return self._record(command, undoing(self.history, intent), rebuild=True)
        if isinstance(intent, Redo):
            return self._record(command, redoing(self.history, intent), rebuild=True)
        course = self._course
        try:
            events = course.carry_out(intent)
        except BaseException:
            if course.runner.events:
                self._course = self._build()
            raise
        return self._record(command, events)

    def _record(self, command: Command, events: list[Event], *, rebuild: bool = False) -> Outcome:
        try:
            if self.history.format != FORMAT:
                self._write([FormatRaised(format=FORMAT)], command.who, f"format-{FORMAT}")
            recorded = self._write(events, command.who, command.id)
        except BaseException:
            self._course = self._build()
            raise
        self._published = None
        self.diverged = None
        if rebuild:
            self._course = self._build()
        else:
            self._mark_quiet(recorded[-1].position, self._course.draft)
        return Outcome(recorded=tuple(recorded))

    def _write(self, events: list[Event], who: str, cause: str) -> list[Recorded]:
        """Put the events of one command on record, in the store first."""
        history = self.history
        recorded, lines = seal(
            events, after=self.head, previous=history.head_hash, time=self._clock(), who=who, cause=cause
        )
        if self._store is not None:
            self._store.append(self.name, lines, self.head)
        history.add(recorded)
        return recorded

    def _repeated(self, command: Command) -> Outcome | None:
        """Return what the same command came to earlier, if it did."""
        position = self.history.commands.get(command.id)
        if position is None:
            return None
        first = self.history.at(position)
        if first.who != command.who or not same(command.intent, first.event):
            raise Reused(command.id, position)
        return Outcome(recorded=tuple(self._command_at(position)), repeated=True)

    def _command_at(self, position: int) -> list[Recorded]:
        first = self.history.at(position)
        return self.history.recorded[position - 1 : position + first.more]

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
        _cut_numbers(self._quiet, start)
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
        dice = course.runner.dice
        tail = list(self.history.effective(after=quiet))
        rolled = {one.event.roll: one.event for one in tail if isinstance(one.event, Rolled)}
        course.runner.dice = RecordedDice(rolled)
        at = 0
        while at < len(tail):
            end = at + 1
            while tail[end - 1].more:
                end += 1
            self._decide_again(course, tail[at:end], quiet)
            at = end
        course.runner.dice = dice
        return course

    def _decide_again(self, course: Course, command: list[Recorded], quiet: int) -> None:
        first = command[0].event
        if isinstance(first, DiceRenewed):
            course.runner.record(first)
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


def _config(ruleset: Ruleset, opening: Event) -> Any:
    assert isinstance(opening, FightOpened)
    return config_of(ruleset, opening.config)


def _check_words(command: Command) -> None:
    for field, word in (("id", command.id), ("who", command.who)):
        if not word or len(word) > MANY or not word.isprintable():
            raise Unusable(f"must have 1 to {MANY} printable characters", field)


def _cut(kept: list[tuple[int, State]], after: int) -> None:
    del kept[bisect_right(kept, after, key=lambda one: one[0]) :]


def _cut_numbers(numbers: list[int], after: int) -> None:
    del numbers[bisect_right(numbers, after) :]
