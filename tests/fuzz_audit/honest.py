"""Whether a log could have been recorded honestly, without the audit: by repeating its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import limits as bounds
from affray.engine.commands import Command
from affray.engine.core.loading import load
from affray.engine.errors import EngineError, Unusable
from affray.engine.fight import Fight
from affray.engine.history.earlier_notes import write_as_recorded
from affray.engine.history.log import read_log
from affray.engine.history.snapshots import names_by_id
from affray.engine.history.timeline import History, split_by_input
from affray.engine.runtime.dice import NamedDice
from affray.events import (
    ABOUT_THE_RECORD,
    INPUTS,
    Amended,
    ClockSet,
    Closed,
    Concealed,
    ConditionChanged,
    DiceRenewed,
    DistanceSet,
    EntropyAdded,
    FightOpened,
    FoesSet,
    Forked,
    FormatRaised,
    ItemAdded,
    Joined,
    LogError,
    MarkSet,
    PhaseEntered,
    PlaceSet,
    Previewed,
    Recorded,
    RelationSet,
    Restored,
    Rewound,
    Rolled,
    Ruled,
    RulesetAdopted,
    UndoDeclined,
    UndoRequested,
    Veiled,
    ViewSet,
    format_of,
    seal,
)
from tests.forging import find_seeds, list_commands
from tests.fuzz_audit.bases import Beside
from tests.fuzz_audit.seeded import Seeded
from tests.fuzz_audit.spelt import Dishonest, written_honestly
from tests.old_formats import writing

OPENING = (
    ClockSet, ConditionChanged, Concealed, DistanceSet, FoesSet, ItemAdded, Joined, MarkSet, PhaseEntered, PlaceSet,
    RelationSet, Veiled, ViewSet,
)  # fmt: skip
"""What an encounter comes to."""


def dishonest(lines: Sequence[bytes], key: bytes | None, parent: Beside | None = None) -> str:
    """Return the reason why a log cannot have been recorded honestly; nothing if it can.

    Args:
        lines: The log.
        key: The seed that is known beside it.
        parent: What is known of the log that it is a fork of.
    """
    try:
        written_honestly(lines)
        log = read_log(lines, verified=False)
        with _as_then(format_of(lines[0])):
            Forward(log, key, lines, parent).go()
    except Dishonest as why:
        return str(why)
    except LogError as why:
        return f"it cannot be read: {why}"
    return ""


@contextmanager
def _as_then(format: int) -> Iterator[None]:
    """Permit the texts of an old format: before 4 also invisible characters."""
    if format >= SEEN:
        yield
        return
    with patch.object(bounds, "find_invisible_fault", lambda text: ""):
        yield


SEEN = 4
"""The first format whose writers refuse characters that nobody sees."""

BOUND = 5
"""The first format whose dice are bound to the hash of the opening, or of the fork."""

COVERED = 6
"""The first format whose promise covers the opening, and whose dice are bound to the promise instead."""


class Forward:
    """Says again what a log says was said, and compares what comes of it.

    Args:
        log: What is recorded.
        key: The seed that is known beside it.
        lines: The same as it is written.
        parent: What is known of the log that it is a fork of.
    """

    def __init__(self, log: list[Recorded], key: bytes | None, lines: Sequence[bytes], parent: Beside | None) -> None:
        self.log = log
        self.lines = lines
        self.parent = parent
        self.dice = Seeded()
        self.words: list[str] = []
        self.bound = ""
        self.fallen = False
        self.judged = 0
        last = log[-1].event
        known = [one for one in (key, parent and parent.key) if one]
        known += [bytes.fromhex(last.seed)] if isinstance(last, Closed) else []
        with suppress(LogError):  # what follows in the parent is no matter of this log's
            if parent is not None and isinstance(end := read_log(parent.lines, verified=False)[-1].event, Closed):
                known.append(bytes.fromhex(end.seed))
        self.seeds = find_seeds(log, known)

    def go(self) -> None:
        """Raise ``Dishonest`` where something else comes of it."""
        first, *rest = list_commands(self.log)
        opening = first[0].event
        if not isinstance(opening, FightOpened):
            raise Dishonest("it does not begin with an opening")
        for one in first[1:]:
            if not isinstance(one.event, OPENING):
                raise Dishonest(f"its opening holds {type(one.event).__name__}")
        try:
            self.ruleset = load(opening.system)
        except Unusable as why:
            raise Dishonest(str(why)) from None
        self.adopt(opening.version)
        self.format = opening.format
        self.history = History()
        self.history.add(first)
        self.binds = opening.format >= BOUND
        if opening.dice_scheme != 1 + self.binds:
            raise Dishonest(f"format {opening.format} has no dice scheme {opening.dice_scheme}")
        self.promise(opening.commitment, first[-1].hash)
        self.fight = self.stand()
        for command in rest:
            self.command(command)

    def promise(self, promised: str, last: str) -> None:
        """Derive the dice from a promise whose command ends with a line of this hash; keep the words under one."""
        if promised != self.dice.promised:
            self.words, self.fallen = [], False
            self.bound = (promised if self.format >= COVERED else last) if self.binds else ""
        self.dice.promised = promised
        seed = self.seeds.get(promised)
        self.dice.now = NamedDice(seed, self.words, self.bound) if seed is not None else None

    def adopt(self, version: str) -> None:
        if version != self.ruleset.version:
            raise Dishonest(f"it goes by version {version} of the rules, which is not here")
        self.version = version

    def stand(self) -> Fight:
        history = self.history
        try:
            return Fight("forward", self.ruleset, history, clock=lambda: history.recorded[-1].time, dice=self.dice)
        except Exception as why:
            raise Dishonest(f"nothing can stand at {history.head}: {type(why).__name__}: {why}") from None

    def command(self, command: list[Recorded]) -> None:
        first = command[0]
        event, at = first.event, first.position
        if self.history.closed:
            raise Dishonest(f"position {at} follows the end of the record")
        if type(event) in ABOUT_THE_RECORD and not isinstance(event, Amended):
            self.about(event, command)
            self.history.add(command)
            self.fight = self.stand()
        elif isinstance(event, Amended):
            self.amended(event, command)
        else:
            self.same(command, self.said(first.cause, first.who, event, at), command[0].position)
            rolls = [one.event for one in command if isinstance(one.event, Rolled) and one.event.source == "engine"]
            self.fallen = self.fallen or any(group.thrown for roll in rolls for group in roll.dice)

    def said(self, cause: str, who: str, event: Any, at: int) -> list[Any]:
        of_gm = isinstance(event, Ruled) or getattr(event, "confided", False)
        knows = None if of_gm else ()  # no record says who was a player of whom
        try:  # as the audit judges it: what is refused of new commands alone stands in older records
            with writing(self.format), patch("affray.engine.fight.check_new_ruling"):
                came = self.fight.submit(Command(id=cause, who=who, intent=event, knows=knows))
            return [one.event for one in came.recorded]
        except EngineError as why:
            raise Dishonest(f"position {at} is refused: {why}") from None

    def same(self, command: list[Recorded], due: list[Any], at: int) -> None:
        recorded = [one.event for one in command]
        due = write_as_recorded(due, recorded, self.fight.ruleset.vocabulary.notes, names_by_id(self.fight.state))
        found, due = list(map(_plain, recorded)), list(map(_plain, due))
        if found != due:
            nth = next(
                (nth for nth, (a, b) in enumerate(zip(due, found, strict=False)) if a != b), min(len(due), len(found))
            )
            raise Dishonest(f"at position {at + nth} the rules lead elsewhere")

    def about(self, event: Any, command: list[Recorded]) -> None:
        """Check what a record says of itself."""
        history, at = self.history, command[0].position
        rest = [one.event for one in command[1:]]

        def check(right: object, why: str) -> None:
            if not right:
                raise Dishonest(f"position {at}: {why}")

        if isinstance(event, Rewound | Restored):
            fresh = [DiceRenewed(generation=self.generation() + 1)] if event.fresh else []
            check(rest == fresh, "the dice are renewed where nobody asked for it, or not where somebody did")
            to = event.to if isinstance(event, Rewound) else event.lane
            left = event.lane if isinstance(event, Rewound) else event.left
            check(left == history.path[-1], "it leaves another head")
            check(1 <= to <= history.head and history.ends_a_command(to), "it goes to no end of a command")
            check(history.is_effective(to) == isinstance(event, Rewound) and to != left, "it goes where it cannot")
            check(not history.floor or history.floor in history.list_ancestors(to), "it goes before the fork")
            if isinstance(event, Rewound):
                check(event.commands == history.commands_since(to), "it miscounts")
                check(not event.request or self.asked_for(event.request) == to, "nobody asked for it")
            else:
                check(type(history.at(to).event) not in ABOUT_THE_RECORD, "it goes to a remark")
            return
        check(not rest, "more follows than can")
        if isinstance(event, UndoRequested):
            check(self.may_be_asked_for(event), "nobody can ask for it")
        elif isinstance(event, UndoDeclined):
            check(self.asked_for(event.request), "nobody asked for it")
        elif isinstance(event, Forked):
            raised = isinstance(history.recorded[-1].event, FormatRaised)
            check(event.position == at - 1 - raised, "it says that it was forked elsewhere")
            check(self.parent is not None, "nobody has shown the parent")
            theirs = self.parent.lines if self.parent is not None else ()
            check(
                tuple(self.lines[: event.position]) == tuple(theirs[: event.position]), "it is no fork of that parent"
            )
            check(bool(event.commitment) == bool(self.dice.promised), "a fork promises a seed if its parent does")
            self.promise(event.commitment, command[-1].hash)
        elif isinstance(event, EntropyAdded):
            check(self.dice.promised and not self.fallen, "words are stirred in when they cannot be")
            check(0 < len(event.words) <= 200 and event.words.isprintable(), "words cannot be those")
            self.words.append(event.words)
            self.promise(self.dice.promised, "")
        elif isinstance(event, Closed):
            due = self.seeds.get(self.dice.promised, b"")
            check(bool(due) == bool(self.dice.promised) and bytes.fromhex(event.seed) == due, "it reveals another seed")
        elif isinstance(event, FormatRaised):
            check(event.format > self.format, "the format is not raised")
            self.format = event.format
        elif isinstance(event, RulesetAdopted):
            check(event.version != self.version, "the rules are those there were")
            self.adopt(event.version)
        else:
            check(isinstance(event, Previewed), f"nobody asks for {type(event).__name__}")

    def may_be_asked_for(self, event: UndoRequested) -> bool:
        """Tell whether an undo that a player asks for could be carried out."""
        history, to = self.history, event.to
        return (
            event.lane == history.path[-1]
            and 1 <= to < event.lane
            and history.is_effective(to)
            and history.ends_a_command(to)
            and to >= history.floor
            and event.commands == history.commands_since(to)
        )

    def asked_for(self, request: int) -> int:
        """Return the position that the request which waits would go back to; 0 if it is another one, or none."""
        event = self.history.at(request).event if request and request == self.history.request else None
        return event.to if isinstance(event, UndoRequested) else 0

    def generation(self) -> int:
        used = (one.event.generation for one in self.history.recorded if isinstance(one.event, DiceRenewed))
        return max(used, default=0)

    def amended(self, event: Amended, command: list[Recorded]) -> None:
        """Say again, input by input, what an amendment holds; its end may have been left out."""
        history, at = self.history, command[0].position
        path = history.path
        if event.lane != path[-1] or event.position not in path or path.index(event.position) < 1:
            raise Dishonest(f"position {at} amends what does not count")
        if path[path.index(event.position) - 1] != event.to or type(history.at(event.position).event) not in INPUTS:
            raise Dishonest(f"position {at} amends no input")
        if history.floor and event.to < history.floor:
            raise Dishonest(f"position {at} amends what is before the fork")
        later = [one.event for one in history.effective(after=event.to) if isinstance(one.event, DiceRenewed)]
        put: list[Any] = [event]
        for nth, segment in enumerate(split_by_input(command[1:])):
            first = segment[0].event
            self.half(command, put)
            if isinstance(first, DiceRenewed):
                if first not in later:
                    raise Dishonest(f"position {segment[0].position} renews dice where nobody asked for it")
                later.remove(first)
                put += [one.event for one in segment[:1]]
                if len(segment) > 1:
                    raise Dishonest(f"position {segment[1].position} follows from nothing")
                continue
            self.fight = self.stand()
            due = self.said(f"{nth} of {command[0].cause}"[:200], command[0].who, first, segment[0].position)
            self.same(segment, due, segment[0].position)
            put += due
        history = History()
        history.add(self.history.recorded[: at - 1])
        history.add(command)
        self.history = history
        self.fight = self.stand()

    def half(self, command: list[Recorded], put: list[Any]) -> None:
        """Put half an amendment on record."""
        first = command[0]
        history = History()
        history.add(self.history.recorded[: first.position - 1])
        recorded, _ = seal(
            put, after=history.head, previous=history.head_hash, time=first.time, who=first.who, cause=first.cause
        )
        history.add([replace(one, more=0) for one in recorded])
        self.history = history


def _plain(event: Any) -> Any:
    """Return an event with its parameters in one spelling; how they are spelt is looked at elsewhere."""
    params = getattr(event, "params", None)
    return event if params is None else replace(event, params=Raw(msgspec.json.encode(msgspec.json.decode(params))))
