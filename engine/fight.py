"""An open fight: its history, its present state, and its commands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from affray.events import Answered, EntropyAdded, Event, Id, Previewed, Recorded, Rewound

from .clock import Clock, utc_now
from .commands import Amend, AnswerUndo, Close, Command, Intent, Outcome, Redo, Stir, Undo, canonicalize
from .core.draft import Draft
from .core.rule_faults import convert_rule_errors, rule_failure
from .core.ruleset import Ruleset, config_of
from .core.state import State
from .core.table import Table
from .errors import RULE_ERRORS, Diverged, OutOfDate, Refused, Reused, Unusable
from .history.amend import Amendment, check_new_ruling, decide_amendment, find_amendable
from .history.idempotency import find_repeated
from .history.log import read_on
from .history.recorder import Recorder
from .history.snapshots import Snapshots
from .history.timeline import History
from .history.undo import decide_redo, decide_undo, decide_undo_answer, require_consent
from .integrity.commitment import decide_closing, decide_entropy, engine_dice, find_seen_dice
from .limits import check_command
from .runtime.attempt_check import as_attempt
from .runtime.dice import DiceSource, SeenDice
from .runtime.validation import check_open
from .stores.protocol import Store
from .texts import normalize
from .visibility import Salts, fresh_salt, mark_privileged


class Fight:
    """A fight that is open in this process.

    It is made by ``begin_fight`` and ``open_fight``.

    Attributes:
        name: The name under which the store keeps it.
        ruleset: The rule system that it follows.
        history: The whole record.
        diverged: The reason why the fight cannot continue from its head; then only an undo to the safe position is
            possible.
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
        salts: Salts = fresh_salt,
    ) -> None:
        self.name = name
        self.ruleset = ruleset
        self.history = history
        self._seed = seed
        self._recorder = Recorder(name, history, store, clock, salts)
        self._given = dice
        self._dice = self._source()
        self._snapshots = Snapshots(ruleset, history, config_of(ruleset, history.opening.config))
        self._published: State | None = None
        self.diverged: Diverged | None = None
        self._go_to_head(mend=mend)

    def _go_to_head(self, *, mend: bool) -> None:
        """Build the decider at the head.

        If the rules diverge there and ``mend`` is set, build it at the last safe position.
        """
        self._published = None
        self.diverged = None
        try:
            self._decider = self._snapshots.decider_at_head(self._dice)
        except Diverged as diverged:
            if not mend:
                raise
            self.diverged = diverged
            self._decider = self._snapshots.decider(Draft(self.state_at(diverged.safe)), self._dice)

    def catch_up(self, lines: Sequence[bytes]) -> None:
        """Add the events that others recorded behind the head.

        A fight that diverges by them can only be mended.

        Raises:
            LogError: they do not continue the record; the fight has to be opened again.
        """
        new = read_on(self.history, lines)
        self.history.add(new)
        self._recorder.note_hiding(new)
        if any(isinstance(one.event, EntropyAdded) for one in new):
            self._dice = self._source()
        self._go_to_head(mend=True)

    # --- the present and the past ---

    @property
    def state(self) -> State:
        """The present state, frozen."""
        if self._published is None:
            self._published = self._decider.draft.freeze()
        return self._published

    @property
    def table(self) -> Table:
        """The present as rules read it. Do not keep it, and do not write to it."""
        return self._decider.table

    @property
    def head(self) -> int:
        """The position of the last recorded event."""
        return self.history.head

    def state_at(self, position: int) -> State:
        """Compute the state after an effective position."""
        return self._snapshots.state_at(position)

    def since_quiet(self, position: int) -> tuple[int, list[list[Recorded]]]:
        """Return the last quiet moment up to an effective position, and commands since.

        The command that holds the position is included wholly. The state at that moment and these inputs, with their
        dice, lead to the position.

        Raises:
            Diverged: the present rules decide these commands differently.
            Senseless: no quiet moment lies before it.
        """
        return self._snapshots.since_quiet(position)

    def copy_at(self, position: int, *, mend: bool = False) -> Fight:
        """Return a copy of the fight as it was when a position was its head.

        The copy has no store.

        Args:
            position: The end of a command.
            mend: As in ``open_fight``.
        """
        history = History(self.history.recorded[:position])
        return Fight(self.name, self.ruleset, history, seed=self._seed, mend=mend)

    # --- commands ---

    def submit(self, command: Command) -> Outcome:
        """Carry out a command and record it.

        Whenever an error is raised, nothing has changed, with two exceptions. After ``Unsure`` the fight has to be
        opened again, and the command sent again under its id. A refused amendment that drew unseen dice is recorded as
        a look at them (``Previewed``), which moves the head.

        Raises:
            Refused, Unusable: by the rules, the phase, or because it cannot be understood.
            OutOfDate: the head is not the expected one.
            Reused: the id belongs to another command.
            StoreFailed: it could not be recorded.
        """
        check_command(command)
        command = canonicalize(command)
        again = find_repeated(self.history, command)
        if again is not None:
            return again
        if command.expected is not None and command.expected != self.head:
            raise OutOfDate(command.expected, self.head, self.history.head_hash)
        intent = command.intent
        self._check_open(intent)
        about_the_record = self._about_the_record(command)
        if about_the_record is not None:
            return self._record(command, about_the_record, rebuild=not isinstance(intent, Close))
        check_new_ruling(intent, self.ruleset, self.history, self.table)
        decider = self._decider
        said = mark_privileged(intent, self.ruleset.actions, decider.draft, command.knows)
        adopts = decider.draft.quiet and self.history.version != self.ruleset.version
        try:
            events = self._decide(said)  # type: ignore[arg-type]
        except (Refused, Unusable):
            attempt = as_attempt(said, self.ruleset, self.table, self.state, command.knows)
            if attempt is None:
                raise
            events = self._decide(attempt)
        return self._record(command, events, adopts=adopts)

    def _decide(self, intent: Event) -> list[Event]:
        """Decide an input's events; if that fails, restore the decider."""
        decider = self._decider
        try:
            return decider.carry_out(intent)
        except BaseException as error:
            if decider.interpreter.events:
                self._rebuild()
            if isinstance(error, RULE_ERRORS):
                raise rule_failure(error, self.ruleset, decider.draft, self.head) from error
            raise

    def check_answer(self, answer: Answered) -> None:
        """Refuse an answer as ``submit`` would; nothing is recorded."""
        self._check_open(answer)
        self._decider.check_answer(answer)

    def preview(self, amend: Amend, who: str, id: str) -> Amendment:
        """Decide an amendment without recording it.

        Dice that it shows for the first time are recorded as seen, even if it is refused: a refusal can depend on them.

        Args:
            amend: The amendment.
            who, id: The viewer, and the command id of that record.

        Raises:
            Refused, Unusable: as ``submit`` would.
            Reused: the id belongs to another command, and dice were seen.
            StoreFailed: it could not be recorded.
        """
        command = Command(id=id, who=normalize(who), intent=amend)
        check_command(command)
        self._check_open(amend)
        seen = find_seen_dice(self.history, self._dice)
        try:
            return self._amendment(amend, seen)
        finally:
            self._record_look(command, amend, seen)

    def _accept(self, command: Command, amend: Amend) -> list[Event]:
        """Return the events of an amendment.

        If it is refused, a look at the dice that it drew is recorded.
        """
        seen = find_seen_dice(self.history, self._dice)
        try:
            return self._amendment(amend, seen).accept()
        except BaseException:
            self._record_look(
                replace(command, id=self.history.free_command_id(f"look-{self.head}", command.id)), amend, seen
            )
            raise

    def _record_look(self, command: Command, amend: Amend, seen: SeenDice) -> None:
        """Record the dice that were seen for the first time, if there are any."""
        if not seen.drawn:
            return
        if command.id in self.history.commands:
            raise Reused(command.id, self.history.commands[command.id])
        (corrected, *_), _ = find_amendable(self.history, amend.position)
        looked = Previewed(position=corrected.position, rolls=seen.rolls_drawn, dice=tuple(seen.drawn))
        self._record(command, [looked], rebuild=True)

    def _check_open(self, intent: Intent) -> None:
        """Refuse every command to a closed record.

        In a diverged fight, refuse all but the undo to the safe position.
        """
        check_open(self.history.closed)
        if self.diverged is not None and intent != Undo(to=self.diverged.safe, reason=getattr(intent, "reason", "")):
            raise self.diverged

    def _about_the_record(self, command: Command) -> list[Event] | None:
        """Return the events of a command about the record itself; ``None`` for others."""
        history = self.history
        match intent := command.intent:
            case Undo() | AnswerUndo():
                return self._take_back(intent, command.knows)
            case Redo():
                return decide_redo(history, intent)
            case Amend():
                return self._accept(command, intent)
            case Stir():
                return decide_entropy(history, intent)
            case Close():
                return decide_closing(history, self._seed, intent, over=self.state.ended)
            case _:
                return None

    def _take_back(self, intent: Undo | AnswerUndo, plays: tuple[Id, ...] | None) -> list[Event]:
        """Return the events of an undo, or of the answer to an undo request.

        Args:
            plays: The combatants that its sender plays; ``None`` for the game master.
        """
        if isinstance(intent, AnswerUndo):
            taken = decide_undo_answer(self.history, intent, plays)
        else:
            taken = decide_undo(self.history, intent)
        if isinstance(taken[0], Rewound):
            self._snapshots.check_quiet_before(taken[0].to)
        asks = plays is not None and not self.diverged and self._decider.draft.player_undo == "consent"
        return require_consent(self.history, taken, plays or ()) if asks else taken

    def _amendment(self, amend: Amend, seen: SeenDice) -> Amendment:
        with convert_rule_errors(self.ruleset, self._decider.draft, self.head):
            return decide_amendment(self.history, self._snapshots, amend, seen)

    def _source(self) -> DiceSource:
        return engine_dice(self.history.recorded, self._seed) if self._given is None else self._given

    def _record(self, command: Command, events: list[Event], *, rebuild: bool = False, adopts: bool = False) -> Outcome:
        """Record a command, and update the state."""
        try:
            recorded = self._recorder.record(command, events, self.state_at, self.ruleset if adopts else None)
        except BaseException:
            self._rebuild()
            raise
        self._published = None
        self.diverged = None
        if isinstance(events[0], EntropyAdded):
            self._dice = self._source()
        if rebuild:
            self._rebuild()
        else:
            self._snapshots.mark(recorded[-1].position, self._decider.draft)
        return Outcome(recorded=tuple(recorded))

    def _rebuild(self) -> None:
        self._published = None
        self._decider = self._snapshots.decider_at_head(self._dice)
