"""Snapshots of the state, and replay of the commands since the last quiet moment."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import fold_into
from affray.engine.core.rule_faults import find_rule_fault
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.errors import RULE_ERRORS, Diverged, Endless, Refused, Unusable, describe_error
from affray.engine.history.earlier_notes import is_as_recorded, is_text_of_rules
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import DiceSource, RecordedDice
from affray.events import STARTS, DiceRenewed, Event, Id, Recorded, Rolled, Senseless, are_same, is_same

from .timeline import History, split_by_input

EVERY = 256
"""The minimum number of positions between two snapshots."""


class Snapshots:
    """The quiet moments of a fight, with snapshots of some.

    At a quiet moment the state alone determines how the fight goes on.

    Args:
        config: The ruleset's own struct of configuration values.
    """

    def __init__(self, ruleset: Ruleset, history: History, config: Any) -> None:
        self.ruleset = ruleset
        self.history = history
        self.config = config
        self._kept: list[tuple[int, State]] = []
        self._quiet: list[int] = []

    def state_at(self, position: int) -> State:
        """Compute the state after an effective position."""
        index = bisect_right(self._kept, position, key=lambda kept: kept[0]) - 1
        start, state = self._kept[index] if index >= 0 else (0, State())
        draft = Draft(state)
        fold_into(draft, self.history.effective(after=start, to=position))
        return draft.freeze()

    def mark(self, position: int, draft: Draft) -> None:
        """Register a quiet moment, and take a snapshot at intervals."""
        if draft.quiet:
            self._quiet.append(position)
            if position - (self._kept[-1][0] if self._kept else 0) >= EVERY:
                self._kept.append((position, draft.freeze()))

    def decider_at_head(self, dice: DiceSource) -> Decider:
        """Build a decider at the effective head.

        It folds to the last quiet moment, then decides the later commands again. In a closed record nothing is decided
        again, since no command can follow.

        Raises:
            Diverged: the present rules decide unresolved commands differently.
            Senseless: a recorded fact fits no state.
        """
        head = self.history.path[-1]
        draft = self._fold_to_head(self._forget(head))
        if draft.quiet or self.history.closed:
            return self.decider(draft, dice)
        return self._decide_again(self._quiet_before(head), head, dice)

    def decider_at(self, position: int, dice: DiceSource) -> Decider:
        """Build a decider at an effective position that ends a command."""
        return self._decide_again(self._quiet_before(position), position, dice)

    def since_quiet(self, position: int) -> tuple[int, list[list[Recorded]]]:
        """Return the last quiet moment up to an effective position, and commands since.

        The command that holds the position is included wholly.

        Raises:
            Diverged: the present rules decide these commands differently.
            Senseless: no quiet moment lies before it.
        """
        path, ends = self.history.path, self.history.ends_a_command
        index = bisect_right(path, position) - 1
        end = next(there for there in path[index:] if ends(there))
        quiet = self._quiet_before(position)
        commands = list(split_by_input(self.history.effective(after=quiet, to=end)))
        if commands:
            self._decide_again(quiet, end, RecordedDice({}))
        return quiet, commands

    def check_quiet_before(self, position: int) -> None:
        """Refuse an effective position from which no fight could go on.

        Raises:
            Senseless: no quiet moment lies before it.
        """
        if not self.state_at(position).quiet:
            self._quiet_before(position)

    def decider(self, draft: Draft, dice: DiceSource) -> Decider:
        """Build a decider over a quiet draft."""
        return Decider(self.ruleset, draft, self.config, dice)

    def _fold_to_head(self, start: int) -> Draft:
        """Fold from the last snapshot, at ``start``, to the effective head.

        Quiet moments on the way are marked.
        """
        draft = Draft(self._kept[-1][1] if self._kept else State())
        fold_into(draft, self._mark_quiet_moments(start, draft))
        return draft

    def _mark_quiet_moments(self, start: int, draft: Draft) -> Iterator[Recorded]:
        """Yield the effective events behind a position, and mark quiet moments."""
        last = start
        for one in self.history.effective(after=start):
            if type(one.event) in STARTS and last > start:
                self.mark(last, draft)
            yield one
            last = one.position
        if last > start:
            self.mark(last, draft)

    def _forget(self, head: int) -> int:
        """Forget moments that no longer count; return the last snapshot's position."""
        history = self.history
        del self._kept[bisect_right(self._kept, head, key=lambda one: one[0]) :]
        del self._quiet[bisect_right(self._quiet, head) :]
        while self._kept and not history.is_effective(self._kept[-1][0]):
            self._kept.pop()
        while self._quiet and not history.is_effective(self._quiet[-1]):
            self._quiet.pop()
        start = self._kept[-1][0] if self._kept else 0
        del self._quiet[bisect_right(self._quiet, start) :]
        return start

    def _quiet_before(self, position: int) -> int:
        """Return the last quiet moment up to a position; refuse a log that has none."""
        index = bisect_right(self._quiet, position) - 1
        if index < 0:
            raise Senseless("the opening of the fight leaves something unresolved", 1)
        return self._quiet[index]

    def _decide_again(self, quiet: int, to: int, dice: DiceSource) -> Decider:
        """Decide the commands after a quiet moment again, up to a position.

        They are compared with the record.
        """
        decider = self.decider(Draft(self.state_at(quiet)), dice)
        tail = list(self.history.effective(after=quiet, to=to))
        rolled = {one.event.roll: one.event for one in tail if isinstance(one.event, Rolled)}
        decider.interpreter.dice = RecordedDice(rolled)
        for segment in split_by_input(tail):
            try:
                different = next(find_differences(decider, segment), None)
            except RULE_ERRORS as error:
                diverged = Diverged(segment[0].position, segment[0].event, None, quiet, why=describe_error(error))
                fault = find_rule_fault(error, self.ruleset, decider.draft, segment[0].position - 1)
                diverged.details = str(fault or "")
                raise diverged from error
            if different is not None:
                raise Diverged(different.position, different.recorded, different.decided, quiet) from different.refusal
        decider.interpreter.dice = dice
        return decider


def names_by_id(of: State | Draft) -> dict[Id, str]:
    """Return the names of the combatants and items of a fight, by id."""
    names = {one.id: one.name for one in of.combatants.values()}
    return names | {one.id: one.name for one in of.items.values()}


class EventDifference(NamedTuple):
    """A difference between a recorded event and the event decided now.

    Attributes:
        position: Position of the recorded event; of the command's last one where further events are missing.
        recorded: The event in the log; ``None`` if the log has no further one.
        decided: The event of the rules; ``None`` if the rules yield no further one.
        refusal: The refusal of the whole command, if it is refused.
    """

    position: int
    recorded: Event | None
    decided: Event | None
    refusal: Refused | Unusable | None = None


def find_differences(decider: Decider, segment: Sequence[Recorded]) -> Iterator[EventDifference]:
    """Decide a recorded command again and yield every difference.

    After a difference the decider is not where the record is. The rules are followed for one event more than the record
    has, and no further.
    """
    first = segment[0].event
    if isinstance(first, DiceRenewed):
        decider.interpreter.record(first)
        for one in segment[1:]:
            yield EventDifference(one.position, one.event, None)
        return
    names = names_by_id(decider.draft) if any(is_text_of_rules(one.event) for one in segment) else {}
    try:
        decided = decider.carry_out(first, most=len(segment) + 1)
    except Endless:
        decided = decider.interpreter.events
    except (Refused, Unusable) as refusal:
        yield EventDifference(segment[0].position, first, None, refusal)
        return
    if are_same(decided, [one.event for one in segment]):
        return
    notes = decider.ruleset.vocabulary.notes
    for index, one in enumerate(segment):
        now = decided[index] if index < len(decided) else None
        if not is_same(now, one.event) and not is_as_recorded(now, one.event, notes, names):
            yield EventDifference(one.position, one.event, now)
    for extra in decided[len(segment) :]:
        yield EventDifference(segment[-1].position, None, extra)
