"""The audit: a log read once, looked at in layers, each of which reports by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from affray.engine.checkpoint import Checkpoint
from affray.events import (
    ABOUT_THE_RECORD,
    STARTS,
    Amended,
    EntropyAdded,
    FightOpened,
    Forked,
    Recorded,
    Rolled,
    Ruled,
    RulesetAdopted,
)

from .ahead import Ahead, look_ahead
from .dice import DiceLayer
from .findings import Listed, Report
from .kept import Kept
from .lanes import Lanes
from .record import Record
from .rules import RulesLayer


def audit(
    lines: Callable[[], Iterable[bytes]], *, seed: bytes | None = None, checkpoints: Sequence[Checkpoint] = ()
) -> Report:
    """Audit a log.

    Args:
        lines: Yields the lines of the log, each without its newline, every time it is called; it is called twice.
        seed: The seed of the dice, where it is kept beside the log; what the log itself reveals comes first.
        checkpoints: Heads that somebody kept, and whose signatures were checked.

    Returns:
        What was found, in the order of the log. Nothing is raised for whatever the log may hold.
    """
    ahead = look_ahead(lines())
    reading = _Reading(ahead, DiceLayer(ahead.seed or seed), [Kept(one) for one in checkpoints])
    number = 0
    for number, line in enumerate(lines(), 1):
        reading.take(number, line)
    return reading.end(number)


class _Reading:
    """A log while it is read."""

    def __init__(self, ahead: Ahead, dice: DiceLayer, kept: list[Kept]) -> None:
        self.record = Record()
        self.lanes = Lanes(ahead)
        self.dice = dice
        self.rules = RulesLayer()
        self.kept = kept
        self.last_return = ahead.last
        self.opening: FightOpened | None = None
        self.fight = self.fork_of = ""
        self.listed: dict[type[Any], list[Listed]] = {Ruled: [], Rolled: [], Amended: [], EntropyAdded: []}
        self._segment: list[Recorded] = []
        self._number = 0

    def take(self, number: int, line: bytes) -> None:
        """Look at one line."""
        one = self.record.take(number, line)
        if self.kept:
            self._compare(number)
        if one is None:
            return
        event = one.event
        kind = type(event)
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
            if isinstance(event, FightOpened):
                self.opening, self.fight = event, event.fight
        self.dice.look(one, number)
        if not one.more:
            self._judge()

    def end(self, lines: int) -> Report:
        """Return what came of it."""
        self._judge()
        self.record.end(lines)
        for kept in self.kept:
            kept.end(self.record.position, lines)
        opening = self.opening
        findings = self.record.findings + self.lanes.findings + self.dice.findings + self.rules.findings
        findings += [found for kept in self.kept for found in kept.findings]
        return Report(
            fight=self.fight,
            system=opening.system if opening else "",
            version=opening.version if opening else "",
            events=self.record.position,
            commands=self.record.commands,
            head=self.record.hash or "",
            closed=self.record.closed,
            dice=self.dice.checked,
            rules=self.rules.judged,
            findings=tuple(sorted(findings, key=lambda found: (found.line, found.position))),
            rulings=tuple(self.listed[Ruled]),
            entered=tuple(self.listed[Rolled]),
            redeclared=tuple(self.lanes.redeclared),
            amended=tuple(self.listed[Amended]),
            stirred=tuple(self.listed[EntropyAdded]),
            taken_back=self.lanes.taken_back,
            fork_of=self.fork_of,
            checkpoints=sum(not kept.findings for kept in self.kept),
        )

    def _compare(self, number: int) -> None:
        for kept in self.kept:
            kept.compare(self.record.position, self.record.hash, number)

    def _list(self, one: Recorded) -> None:
        """List what is no fault; of the rolls, those of real dice."""
        event = one.event
        if not isinstance(event, Rolled) or event.source != "engine":
            self.listed[type(event)].append(Listed(position=one.position, who=one.who, event=event))

    def _judge(self) -> None:
        """Let the rules look at an input and what followed from it."""
        segment, self._segment = self._segment, []
        if not segment:
            return
        self.rules.judge(segment, self._number, kept=segment[-1].position <= self.last_return)
        self.lanes.grow(segment, lambda: (self.rules.kept(), self.dice.fallen()))

    def _turn(self, one: Recorded, number: int) -> None:
        """Follow an event about the record."""
        spot = self.lanes.turn(one, number)
        if spot is not None:
            rules, dice = spot.kept
            self.rules.go_back(rules, number)
            self.dice.go_back(dice)
        if isinstance(one.event, Forked):
            self.fork_of, self.fight = one.event.parent, one.event.fight
            self.rules.commit(one.event)
        elif isinstance(one.event, RulesetAdopted):
            self.rules.adopt(one.event)
