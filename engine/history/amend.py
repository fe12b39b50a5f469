"""Amendments: correct one earlier command, and decide everything after it again."""

from collections.abc import Sequence

from msgspec import Struct

from affray import events as facts
from affray.engine.commands import Amend, Intent
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Awaited, Question, State, Window
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.history.earlier_notes import is_as_recorded
from affray.engine.runtime.dice import SeenDice
from affray.events import Event, Id, Recorded, is_same

from .replay import InputReplay, NotReplayed
from .ruling_names import rename_rulings
from .snapshots import Snapshots, names_by_id
from .timeline import History, split_by_input
from .undo import must_be_after_fork

AMENDABLE = (
    *(facts.Declared, facts.Attempted, facts.Answered, facts.Passed),
    facts.AskingSet,
    facts.Ruled,
    facts.DiceEntered,
)
"""The inputs that can be amended. The opening cannot; an undo is undone by redo."""


class Amendment(Struct, frozen=True, kw_only=True):
    """The result of an amendment.

    Attributes:
        position: Position of the corrected input.
        to: Position of the last event before it.
        lane: The effective head before the amendment.
        reason: The reason, in the sender's words.
        instead: The events that replace it; empty to retract it.
        events: The new lane, from the corrected command on.
        dropped: The later inputs that have no place in it.
        needs: The question, dice or window that needs an input before the rest can be decided; then ``waiting`` are the
            positions of the rest.
        drawn: Ids of the rolls with dice that were never seen before.
        before, after: The present state, and the state after the amendment.
    """

    position: int
    to: int
    lane: int
    reason: str
    instead: tuple[Event, ...]
    events: tuple[Event, ...]
    dropped: tuple[NotReplayed, ...]
    needs: Question | Awaited | Window | None
    waiting: tuple[int, ...]
    drawn: tuple[Id, ...]
    before: State
    after: State

    def accept(self) -> list[Event]:
        """Return the events that record it.

        Raises:
            Refused: an answer is needed first, or no event would be left to go on from.
        """
        if self.needs is not None:
            what = self.needs.roll if isinstance(self.needs, Awaited) else self.needs.id
            raise Refused("answer_needed", "", f"{what} was never asked before and needs an answer", source=what)
        if not self.events:
            raise Refused("nothing_follows", "", "nothing would follow; undo takes back what was done last")
        return self.all_events()

    def all_events(self) -> list[Event]:
        """Return its events, whether or not they may be recorded."""
        dropped = tuple(one.position for one in self.dropped)
        amended = facts.Amended(
            position=self.position,
            to=self.to,
            lane=self.lane,
            retracted=not self.instead,
            dropped=dropped,
            reason=self.reason,
        )
        return [amended, *self.events]


def decide_amendment(history: History, snapshots: Snapshots, amend: Amend, seen: SeenDice) -> Amendment:
    """Decide an amendment; nothing is recorded.

    Args:
        seen: The dice that the record shows. It collects the other dice that are drawn, even if the amendment is
            refused.

    Raises:
        Refused: the position holds no amendable input, the replacement is forbidden there, or nothing would change.
        Unusable: the replacement cannot be understood.
    """
    wrong, later = find_amendable(history, amend.position)
    position = wrong[0].position
    line = history.path
    to = line[line.index(position) - 1]
    must_be_after_fork(history, to)
    later = rename_rulings(later, history, snapshots.ruleset)
    again = InputReplay(snapshots.decider_at(to, seen), history.effective(), later, amend.answers)
    for event in amend.instead:
        check_new_ruling(event, snapshots.ruleset, history, again.decider.table)
        refusal = again.carry_out_own(event)
        if refusal is not None:
            raise refusal
    again.go_on()
    again.settle()
    if again.needs is None and _repeats(again, list(history.effective(after=to))):
        said = f"position {position} says so already, and all that follows stays as it is"
        raise Refused("no_change", "", f"{said}; say what should have been, or retract it", source=str(position))
    return Amendment(
        position=position,
        to=to,
        lane=line[-1],
        reason=amend.reason,
        instead=amend.instead,
        events=tuple(again.events),
        dropped=tuple(again.dropped),
        needs=again.needs,
        waiting=tuple(one.position for one in again.later),
        drawn=seen.rolls_drawn,
        before=snapshots.state_at(line[-1]),
        after=again.decider.draft.freeze(),
    )


def _repeats(again: InputReplay, recorded: Sequence[Recorded]) -> bool:
    """Tell whether an amended fight equals the record, apart from the format."""
    if len(again.events) != len(recorded):
        return False
    notes, names = again.decider.ruleset.vocabulary.notes, names_by_id(again.decider.draft)
    return all(
        is_same(due, one.event) or is_as_recorded(due, one.event, notes, names)
        for due, one in zip(again.events, recorded, strict=True)
    )


def check_new_ruling(intent: Intent, ruleset: Ruleset, history: History, table: Table) -> None:
    """Refuse a new ruling that only earlier versions accept, or that opens nothing.

    It opens nothing if it would not change who can read the record. A recorded ruling is not checked when an amendment
    decides it again: the lines that it opened stay open.

    Raises:
        Refused: with the reason.
        Unusable: the ruling cannot be understood.
    """
    if isinstance(intent, facts.Ruled):
        ruling = ruleset.ruling(intent.kind, intent.params)
        ruling.check_new(table)
        ruling.check_record(history.recorded, history.opened)


def find_amendable(history: History, position: int) -> tuple[list[Recorded], list[Recorded]]:
    """Return the effective command of a position, and the inputs behind it.

    Raises:
        Refused: the position was taken back, or belongs to no amendable input.
        Unusable: there is no such position.
    """
    if not 1 <= position <= history.head:
        raise Unusable(f"must be from 1 to {history.head}", "position")
    if not history.is_effective(position):
        raise Refused("not_effective", "", f"position {position} was taken back; only what counts can be amended")
    parts = list(split_by_input(history.effective()))
    nth = next(index for index, part in enumerate(parts) if part[-1].position >= position)
    if not isinstance(parts[nth][0].event, AMENDABLE):
        kind = type(parts[nth][0].event).__name__
        raise Refused("not_amendable", "", f"position {position} belongs to {kind}, which nobody declared or ruled")
    return parts[nth], [part[0] for part in parts[nth + 1 :]]


def index_rolls(recorded: Sequence[Recorded]) -> dict[Id, facts.Rolled]:
    """Return the engine's rolls of a record, in all lanes, by id."""
    rolled = (one.event for one in recorded if isinstance(one.event, facts.Rolled))
    return {one.roll: one for one in rolled if one.source == "engine"}
