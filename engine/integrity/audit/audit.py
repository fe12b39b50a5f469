"""The audit of a log, which is read once and checked in layers."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import count, islice
from typing import Any

from affray import events as facts
from affray.engine.clock import is_ahead
from affray.engine.errors import RULE_ERRORS, describe_error
from affray.engine.integrity.checkpoint import Checkpoint
from affray.events import ABOUT_THE_RECORD, STARTS, Recorded

from .checkpoint_check import CheckpointCheck
from .dice import DiceLayer
from .effort import Effort, Exhausted, size_of
from .findings import Ahead, Findings, Listed, ListedFork, Missing, Report
from .lanes import Lanes
from .line_ends import LineEnds
from .parents import Parent, Parents
from .prescan import Prescan, prescan
from .record import Record, Whole
from .renewals import Renewals
from .return_points import SavedLayers
from .rules import RulesLayer


def audit(
    lines: Callable[[], Iterable[bytes]],
    *,
    seed: bytes | None = None,
    parents: Sequence[Parent] = (),
    checkpoints: Sequence[Checkpoint] = (),
    signed: bool = True,
    now: str = "",
    details: bool = True,
) -> Report:
    """Audit a log.

    Args:
        lines: Yields the lines of the log, each without its newline. It is called twice; lines that are added
            meanwhile are left to the next audit.
        seed: The seed of the dice that is kept beside the log, if there is one.
        parents: The parent fights of a fork, by name.
        checkpoints: Checkpoints of the log.
        signed: Whether their signatures were checked.
        now: The time of the audit, as a log writes it; without it events from the future are not listed.
        details: Whether findings may name files and lines of the rules. Players may not read them.

    Returns:
        The findings, in the order of the log, and everything that could not be judged. No log makes it raise an error.
    """
    ends, counted = LineEnds(), count()
    scan = prescan(LineEnds().strip(line for line, _ in zip(lines(), counted, strict=False)))
    reading = _Reading(scan, seed, parents, checkpoints, now, details=details)
    number = stopped = 0
    for number, line in enumerate(ends.strip(islice(lines(), next(counted))), 1):
        if not line:
            continue
        try:
            reading.take(number, line)
        except Exhausted:
            reading.exhausted = True
        if reading.exhausted or reading.found.full:
            stopped = number
            break
    ends.note(reading.found)
    reading.found.sum_up()
    return reading.end(number, stopped, signed=signed, torn=ends.torn)


class _Reading:
    """The state of an audit while the log is read."""

    def __init__(
        self,
        scan: Prescan,
        seed: bytes | None,
        parents: Sequence[Parent],
        checkpoints: Sequence[Checkpoint],
        now: str,
        *,
        details: bool,
    ) -> None:
        self.now = now
        self.ahead: Ahead | None = None
        self.found = Findings()
        self.record = Record(self.found)
        self.effort = Effort()
        self.exhausted = False
        self.lanes = Lanes(self.found, scan, self.effort)
        self.parents = Parents(self.found, parents)
        seeds = (one for one in (scan.seed, seed, *self.parents.seeds()) if one is not None)
        self.dice = DiceLayer(self.found, seeds, seed, looks=bool(scan.looked))
        self.rules = RulesLayer(self.found, self.effort, details=details)
        self.renewals = Renewals(scan.renewals)
        self.checkpoint_checks = [CheckpointCheck(self.found, one) for one in checkpoints]
        self.last_return = scan.last
        self.opening: facts.FightOpened | None = None
        self.fight = self.fork_of = ""
        asked: list[Listed] = []
        self.listed: dict[type[Any], list[Listed]] = {
            facts.UndoRequested: asked,
            facts.UndoDeclined: asked,
            facts.Ruled: [],
            facts.Rolled: [],
            facts.Amended: [],
            facts.EntropyAdded: [],
            facts.Previewed: [],
        }
        self.forks: list[ListedFork] = []
        self._segment: list[Recorded] = []
        self._number = 0

    def take(self, number: int, line: bytes) -> None:
        """Check one line.

        Raises:
            Exhausted: the record goes back too often.
        """
        self.effort.allow_line()
        one = self.record.take(number, line)
        self.parents.compare(number, line)
        for check in self.checkpoint_checks:
            check.compare(self.record.position, self.record.hash, number)
        if one is None:
            return
        try:
            self._check(one, number)
        except RULE_ERRORS as error:  # a forged event may hold anything
            what = f"one that makes none ({describe_error(error)})"
            self.found.note("record", one.position, number, "senseless", "an event that makes sense", what)

    def _check(self, one: Recorded, number: int) -> None:
        """Check an event in the layers behind the record layer."""
        event = one.event
        kind = type(event)
        if self.now and self.ahead is None and is_ahead(one.time, self.now):
            self.ahead = Ahead(position=one.position, time=one.time)
        if kind in STARTS:
            self._judge()
        if kind in self.listed:
            self._list(one)
        if kind in ABOUT_THE_RECORD:
            self._turn(one, number)
        else:
            if not self._segment:
                self._number = number
            self._segment.append(one)
            if isinstance(event, facts.FightOpened):
                self.opening, self.fight = event, event.fight
        self.dice.check(one, number)
        self.renewals.follow(one)
        if not one.more:
            self._judge()

    def end(self, lines: int, stopped: int, *, signed: bool, torn: tuple[str, str] | None) -> Report:
        """Build the report."""
        if not stopped:
            with suppress(Exhausted, *RULE_ERRORS):  # the rest is half a command, which is a finding in any case
                self._judge()
                self.rules.try_next(self.record.position, lines)
            self.record.end(lines, torn=torn)
            for check in self.checkpoint_checks:
                check.end(self.record.position, lines)
        whole = not (stopped or self.record.unknown)
        missing = [*self.record.missing, *self.parents.end(), *self.dice.end(whole=whole), *self.rules.end()]
        if stopped:
            why = "the record goes back too often to be followed" if self.exhausted else "so much was found before it"
            what = f"everything behind line {stopped}, for {why}"
            missing += [
                Missing(layer=one, what=what, remedy="a log without that") for one in ("record", "dice", "rules")
            ]
        if self.checkpoint_checks and not signed:
            missing.append(Missing(layer="checkpoint", what="who signed the checkpoint", remedy="--signer KEY"))
        opening, record = self.opening, self.record
        reached = record.whole if torn else Whole(record.position, record.hash or "", record.commands)
        return Report(
            fight=self.fight,
            system=opening.system if opening else "",
            version=opening.version if opening else "",
            events=reached.position,
            commands=reached.commands,
            head=reached.hash,
            closed=self.record.closed,
            dice=self.dice.checked,
            rules=self.rules.judged,
            findings=tuple(sorted(self.found.all, key=lambda found: (found.line, found.position))),
            missing=tuple(missing),
            stopped=stopped,
            rulings=tuple(self.listed[facts.Ruled]),
            entered=tuple(self.listed[facts.Rolled]),
            redeclared=tuple(self.lanes.takebacks.list_redeclared()),
            requests=tuple(self.listed[facts.UndoRequested]),
            takebacks=tuple(self.lanes.takebacks.report()),
            amended=tuple(self.listed[facts.Amended]),
            stirred=tuple(self.listed[facts.EntropyAdded]),
            renewed=self.renewals.list_requests(),
            looks=tuple(self.listed[facts.Previewed]),
            forks=tuple(self.forks),
            taken_back=self.lanes.taken_back,
            fork_of=self.fork_of,
            checkpoints=sum(not check.parted for check in self.checkpoint_checks),
            covered=max((check.position for check in self.checkpoint_checks if not check.parted), default=0),
            ahead=self.ahead,
        )

    def _list(self, one: Recorded) -> None:
        """List an event that is no fault; of rolls, only those of real dice."""
        event = one.event
        if not isinstance(event, facts.Rolled) or event.source != "engine":
            self.listed[type(event)].append(Listed(position=one.position, who=one.who, event=event))

    def _judge(self) -> None:
        """Let the rules layer judge an input and the events it led to."""
        segment, self._segment = self._segment, []
        if not segment:
            return
        self.rules.judge(segment, self._number, kept=segment[-1].position <= self.last_return)
        self.lanes.grow(segment, self._number, self._keep)

    def _keep(self) -> SavedLayers:
        """Return a restore point for the present."""
        rules, dice = self.rules.restore_point(), self.dice.restore_point()
        return SavedLayers((rules, dice), size_of(rules.state) + len(rules.since) + sum(map(len, dice)))

    def _turn(self, one: Recorded, number: int) -> None:
        """Follow an event about the record."""
        spot = self.lanes.turn(one, number)
        if spot is not None:
            rules, dice = spot.kept.layers
            self.rules.go_back(rules, number)
            self.dice.go_back(dice)
        if isinstance(one.event, facts.Forked):
            self.fork_of, self.fight = one.event.parent, one.event.fight
            own = one.event.commitment != self.dice.committed
            self.forks.append(ListedFork(position=one.position, who=one.who, event=one.event, own_dice=own))
            self.rules.commit(one.event)
            self.parents.leave(one.event)
        elif isinstance(one.event, facts.RulesetAdopted):
            self.rules.adopt(one.event, one.position, number)
        elif isinstance(one.event, facts.FormatRaised):
            self.rules.raise_format(one.event)
