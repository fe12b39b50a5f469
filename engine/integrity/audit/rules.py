"""The rules layer: decides every input again on the recorded dice, and compares."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from affray import events as facts
from affray.engine.core.digest import digest_rules
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import HANDLERS
from affray.engine.core.loading import load
from affray.engine.core.rule_faults import RulesFailed, describe_failure, tells_faults
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import State
from affray.engine.errors import RULE_ERRORS, EngineError, Refused, Unusable, describe_error
from affray.engine.history.log_validation import find_place_fault
from affray.engine.history.snapshots import EVERY, EventDifference, find_differences
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import SEED_BYTES, NamedDice
from affray.engine.texts import id_said, word_said
from affray.events import EVERYBODY, Event, Id, Recorded, is_same

from .effort import Effort
from .findings import Finding, Findings, Missing, RulesJudged
from .input_dice import InputDice, WrongDice
from .next_inputs import MOST_TRIED, list_next_inputs
from .opening import opening_faults

Segment = Sequence[Recorded]


class RestorePoint(NamedTuple):
    """The state at a quiet moment, and the segments since."""

    state: State
    since: tuple[Segment, ...]


class Impossible(Exception):
    """A fact fits no state.

    Attributes:
        one: The recorded event.
    """

    def __init__(self, one: Recorded, why: str) -> None:
        super().__init__(why)
        self.one = one


class RulesLayer:
    """Decides a log again while it is read.

    Args:
        details: Whether findings may name files and lines of the rules.

    Attributes:
        judged: The numbers of inputs by result.
    """

    def __init__(self, found: Findings, effort: Effort, *, details: bool = True) -> None:
        self._found = found
        self._effort = effort
        self._details = details
        self.judged = RulesJudged()
        self._ruleset: Ruleset | None = None
        self._config: Any = None
        self._rolled: dict[Id, facts.Rolled] = {}
        self._dice = InputDice(self._rolled)
        self._draft = Draft(State())
        self._decider: Decider | None = None
        self._state = State()
        self._since: list[Segment] = []
        self._unsaved = 0
        self._other_version = False
        self._version = ""
        self._format = 0

    def adopt(self, adopted: facts.RulesetAdopted, position: int, number: int) -> None:
        """Go on under another version of the rules.

        Inputs under a version that is not installed stay unjudged.
        """
        if self._ruleset is None or self.judged.why_not:
            return
        if adopted.version == self._version or not self._draft.quiet:
            due = f"another version than {id_said(self._version)}, adopted while nothing was pending"
            self._found.note("rules", position, number, "adopted", due, f"version {id_said(adopted.version)}")
        self._check_version(adopted.version, adopted.digest, position, number)

    def raise_format(self, raised: facts.FormatRaised) -> None:
        """Store the format of the lines behind this one."""
        self._format = raised.format

    def end(self) -> Iterator[Missing]:
        """Yield the parts that were not judged, and what they need."""
        judged = self.judged
        if judged.why_not:
            yield Missing(layer="rules", what=judged.why_not, remedy="the rule system and version that recorded it")
        elif judged.unjudged or judged.other_version:
            inputs = "1 input" if judged.unjudged == 1 else f"{judged.unjudged} inputs"
            what = f"{inputs}, since {judged.other_version or 'what was pending had been altered'}"
            remedy = "the version that recorded it" if judged.other_version else "the log as it was before that"
            yield Missing(layer="rules", what=what, remedy=remedy)

    def try_next(self, position: int, number: int) -> None:
        """Decide legal inputs of the present, if the system reports faults; a failure is a finding.

        An input that the rules failed on is not in the record, so that nothing else would show it.
        """
        if self._ruleset is None or self._decider is None or self._found.all or not tells_faults(self._ruleset):
            return
        from affray.engine.system_check import find_source_faults, read_sources  # noqa: PLC0415 - only authors wait for it

        for fault in find_source_faults(self._ruleset, read_sources(self._ruleset)):
            if fault.kind in ("driving", "flow"):
                said = str(fault) if self._details else f"faults; see affray rules {self._ruleset.name} --check"
                self._found.note("rules", position, number, "fails", "rules without faults", said)
                return
        point = self.restore_point()
        try:
            inputs = list(islice(list_next_inputs(self._ruleset, self._decider.table), MOST_TRIED))
        except RulesFailed as failed:
            said = str(failed.fault) if failed.fault and self._details else failed.reason
            self._found.note("rules", position, number, "fails", "rules that list the legal actions", said)
            return
        for intent in inputs:
            self._go_to(point, number)
            decider = self._decider
            decider.interpreter.dice = NamedDice(bytes(SEED_BYTES))
            try:
                decider.carry_out(intent)
            except EngineError:
                continue
            except RULE_ERRORS as error:
                due = f"rules that decide {_describe_input(intent)}"
                self._found.note("rules", position, number, "fails", due, self._describe(error, decider))
                return

    def _describe(self, error: Exception, decider: Decider) -> str:
        return describe_failure(error, decider.ruleset, decider.draft) if self._details else describe_error(error)

    def commit(self, opened: facts.FightOpened | facts.Forked) -> None:
        """Store the commitment of the dice from here on."""
        self._dice.committed = opened.commitment

    def judge(self, segment: Segment, number: int, *, kept: bool) -> None:
        """Decide one input again.

        Args:
            number: The line of the log it begins at.
            kept: Whether the record goes back to a position from here on, so that a restore point must be near.
        """
        if self.judged.why_not:
            return
        first = segment[0].event
        if self._ruleset is None and not isinstance(first, facts.FightOpened):
            self.judged.why_not = "the log does not begin with the opening of a fight"
            return
        self._since.append(segment)
        if isinstance(first, facts.FightOpened):
            self._open(first, segment, number)
        elif self._decider is None:
            self.judged.unjudged += 1
            self._follow(segment, number)
        else:
            self.judged.judged += 1
            difference = self._difference(self._decider, segment)
            if difference is not None:
                self._find(difference, segment, number)
                self._go_to(self.restore_point(), number)
        self._keep(segment, short=kept)

    def restore_point(self) -> RestorePoint:
        """Return a restore point for the present."""
        return RestorePoint(self._state, tuple(self._since))

    def go_back(self, point: RestorePoint, number: int) -> None:
        """Go on from an earlier moment, which was judged already."""
        if not self.judged.why_not:
            self._go_to(point, number)

    def _open(self, opening: facts.FightOpened, segment: Segment, number: int) -> None:
        """Fold the opening as it is recorded: the rules do not decide its contents."""
        try:
            self._ruleset = load(opening.system)
            self._config = config_of(self._ruleset, opening.config)
        except Unusable as why:
            self.judged.why_not = str(why)
            return
        self.commit(opening)
        self._format = opening.format
        self._check_version(opening.version, opening.digest, segment[0].position, number)
        if not self._other_version:
            for nth, code, due, found in opening_faults(self._ruleset, self._config, opening, segment):
                self._found.note("rules", segment[nth].position, number + nth, code, due, found)
        self._follow(segment, number)

    def _check_version(self, version: str, digest: str, position: int, number: int) -> None:
        """Check whether a version of the rules is installed, with the recorded code.

        A log format older than the first format of the installed version is a finding.
        """
        assert self._ruleset is not None
        name, here = self._ruleset.name, self._ruleset.version
        self._version = version
        self._other_version = here != version
        if self._other_version:
            self._decider = None
            self.judged.other_version = f"{name} is installed in version {here}, not {id_said(version)}"
        else:
            first = self._ruleset.first_format
            if self._format < first:
                due = f"format {first} or later, in which version {version} of {name} was first recorded"
                self._found.note("rules", position, number, "format", due, f"format {self._format}")
            self.judged.other_code = self.judged.other_code or digest_rules(self._ruleset) != digest
            if self._draft.quiet:
                self._decider = self._on(self._draft)

    def _difference(self, decider: Decider, segment: Segment) -> EventDifference | None:
        """Return the first difference between the record and the rules."""
        self._rolled.clear()
        self._rolled.update({one.event.roll: one.event for one in segment if isinstance(one.event, facts.Rolled)})
        try:
            return next(find_differences(decider, segment), None)
        except WrongDice as undue:
            return _find_failure(decider, segment, str(undue))
        except Exception as error:
            why = f"the rules cannot follow {_describe_input(segment[0].event)}: {self._describe(error, decider)}"
            return _find_failure(decider, segment, why)

    def _find(self, difference: EventDifference, segment: Segment, number: int) -> None:
        refusal, due, written = difference.refusal, difference.decided, difference.recorded
        code = "other"
        expected, rules = "", (due or written or segment[0].event).rules
        if refusal is not None:
            code, expected = "refused", str(refusal)
            if isinstance(refusal, Refused):
                code, expected = refusal.code, refusal.message
                rules = (refusal.rule,) if refusal.rule else ()
        elif written is None:
            code = "missing"
        elif due is None:
            code = "surplus"
        line = number + difference.position - segment[0].position
        position = difference.position + (written is None)
        found = Finding("rules", position, line, code, expected, due=due, written=written, rules=rules)
        self._found.add(found)

    def _go_to(self, point: RestorePoint, number: int) -> None:
        """Go to the present of the record.

        Fold to the last quiet moment, and decide the later commands again.
        """
        quiet = 0
        self._effort.spend(sum(map(len, point.since)))
        try:
            draft = Draft(point.state)
            for nth, segment in enumerate(point.since, 1):
                _fold(draft, segment)
                quiet = nth if draft.quiet else quiet
            self._state, self._since = point.state, list(point.since)
            self._draft = draft
            if self._other_version:
                self._decider = None
            else:
                self._decider = self._on(draft) if draft.quiet else self._again(point, quiet)
        except Impossible as impossible:
            self._give_up(impossible, point.since[-1], number)

    def _again(self, point: RestorePoint, quiet: int) -> Decider | None:
        """Decide unresolved inputs again; return ``None`` where the rules differ."""
        draft = Draft(point.state)
        for segment in point.since[:quiet]:
            _fold(draft, segment)
        decider = self._on(draft)
        for segment in point.since[quiet:]:
            if self._difference(decider, segment) is not None:
                return None
        self._draft = draft
        return decider

    def _follow(self, segment: Segment, number: int) -> None:
        """Fold recorded events unjudged until the next quiet moment."""
        try:
            _fold(self._draft, segment)
        except Impossible as impossible:
            self._give_up(impossible, segment, number)
            return
        if self._draft.quiet and not self._other_version:
            self._decider = self._on(self._draft)

    def _give_up(self, impossible: Impossible, segment: Segment, number: int) -> None:
        """Report an event that fits no state; nothing is judged from here on."""
        one = impossible.one
        self.judged.why_not = f"what is recorded at position {one.position} fits no state"
        self._decider = None
        line = number + one.position - segment[0].position
        due, found = "facts that fit the state before them", f"one that does not ({impossible})"
        self._found.add(Finding("rules", one.position, line, "impossible", due, found, written=one.event))

    def _keep(self, segment: Segment, *, short: bool) -> None:
        """Keep a quiet moment's state at intervals."""
        self._unsaved += len(segment)
        draft = self._draft
        if (short or self._unsaved >= EVERY) and draft.quiet:
            self._state, self._since, self._unsaved = draft.freeze(), [], 0

    def _on(self, draft: Draft) -> Decider:
        assert self._ruleset is not None
        return Decider(self._ruleset, draft, self._config, self._dice)


def _find_failure(decider: Decider, segment: Segment, why: str) -> EventDifference:
    """Return the first difference in what the rules decided before they failed."""
    done = decider.interpreter.events
    nth = next(
        (nth for nth, one in enumerate(segment) if nth >= len(done) or not is_same(done[nth], one.event)), len(segment)
    )
    if nth == len(segment):
        return EventDifference(segment[-1].position, None, None, Unusable(why))
    return EventDifference(segment[nth].position, segment[nth].event, None, Unusable(why))


def _describe_input(intent: Event) -> str:
    """Describe an input in a few words."""
    match intent:
        case facts.Declared(actor=who, kind=what):
            return f"{word_said(what)} by {id_said(who)}"
        case facts.Ruled(kind=what):
            return f"the ruling {word_said(what)}"
        case facts.Answered(question=asked):
            return f"the answer to {id_said(asked)}"
        case facts.Passed(who=who):
            return f"what resolves once {'everybody' if who == EVERYBODY else id_said(who)} passes"
        case facts.DiceEntered(roll=roll):
            return f"the dice entered for {id_said(roll)}"
    return "what is recorded"


def _fold(draft: Draft, segment: Segment) -> None:
    for one in segment:
        try:
            HANDLERS[type(one.event)](draft, one.event)
            fault = find_place_fault(one.event, draft.system)
        except Exception as error:
            raise Impossible(one, describe_error(error)) from error
        if fault:
            raise Impossible(one, fault)
