"""The record layer: checks each line's chain, position, command, format, spelling."""

from functools import partial
from typing import NamedTuple

from affray import events as facts
from affray.engine.limits import LONGEST
from affray.engine.texts import id_said, name_said
from affray.events import (
    ABOUT_THE_RECORD,
    FORMAT,
    GENESIS,
    INPUTS,
    OLDEST,
    STARTS,
    Event,
    LogError,
    RawRecorded,
    Recorded,
    UnknownFormat,
    check_raise,
    choose_decoder,
    decode_payload,
    format_of,
    hash_of,
    read_line,
)

from .envelope import ORDERED, goes_back, is_time, reader_faults, sender_faults
from .findings import Findings, Missing
from .spelling import is_older, note_fault, spelling_fault

_INPUTS = frozenset(INPUTS)

ALONE = ABOUT_THE_RECORD - {facts.Amended, facts.Restored, facts.Rewound}
"""The events that are always the only event of their command."""

WITH_REASON = (
    facts.Amended, facts.Closed, facts.Forked, facts.Restored, facts.Rewound, facts.UndoDeclined, facts.UndoRequested
)  # fmt: skip
"""The events about the record that hold a reason in free text."""

BOUNDED = 5
"""The first format whose reasons are checked for their maximum length."""


class Whole(NamedTuple):
    """The end of the last whole command of a log, where reading and replay stop.

    Attributes:
        position: The last position of whole commands.
        hash: Its hash, as written; empty where that line cannot be read.
        commands: The number of whole commands.
    """

    position: int = 0
    hash: str = GENESIS
    commands: int = 0


class Record:
    """Reads the lines of a log and reports their faults.

    Attributes:
        position: The last position in its place.
        hash: Its hash, as written; ``None`` where that line is missing or cannot be read.
        commands: The number of commands.
        whole: The end of the last whole command.
        unknown: Whether the rest cannot be decoded: a later release wrote it, or it names no known format.
        missing: The parts that could not be judged: events of later releases, and times after a clock was set back.
    """

    def __init__(self, found: Findings) -> None:
        self.position = 0
        self.hash: str | None = GENESIS
        self.commands = 0
        self.whole = Whole()
        self.unknown = False
        self.missing: list[Missing] = []
        self._find = partial(found.note, "record")
        self._decode = choose_decoder(FORMAT)
        self._format = FORMAT
        self._last: RawRecorded | None = None
        self._begun: Event | None = None
        self._began = 0
        self._renewed = 0
        self._causes: set[str] = set()
        self._closed = 0

    @property
    def closed(self) -> bool:
        """True if the record is closed."""
        return self._closed > 0

    def take(self, number: int, line: bytes) -> Recorded | None:
        """Decode a line; ``None`` if it cannot be read or is not in its place."""
        if self.unknown:
            return None
        try:
            written = read_line(line, number)
            if number == 1 and not self._begin(line):
                return None
        except UnknownFormat as error:
            self._stop(error)
            return None
        except LogError as error:
            self._find(self.position + 1, number, "unreadable", "one recorded event", error.reason)
            self.position, self.hash, self._last = self.position + 1, None, None
            self.whole = Whole(self.position, "", self.commands)
            return None
        due = self.position + 1
        if written.position < due:
            self._find(written.position, number, "twice", f"position {due}", f"position {written.position} again")
            return None
        if written.position > due:
            self._find(due, number, "missing", f"position {due}", f"position {written.position}")
            self.hash, self._last = None, None
        one = self._decode_event(line, written, number)
        self._check_line(line, written, one, number)
        last = self._last
        if one is not None and (last is None or not last.more or self._closed or type(one.event) in STARTS):
            self._check_kind(one, number)
        self.position, self.hash, self._last = written.position, written.hash, written
        if not written.more:
            self.whole = Whole(written.position, written.hash, self.commands)
        return one

    def end(self, lines: int, *, torn: tuple[str, str] | None = None) -> None:
        """Report what is missing at the end.

        Args:
            lines: The number of whole lines.
            torn: The expected end, and the incomplete part that was left out; ``None`` without one.
        """
        if torn:
            self._find(max(self.position, 1), lines + 1, "torn", *torn)
            return
        if not lines:
            self._find(1, 1, "empty", "the opening of a fight", "no line at all")
        elif self._last is not None and self._last.more:
            missing = f"{self._last.more} more events of the command {id_said(self._last.cause)}"
            self._find(self.position + 1, lines + 1, "torn", missing, "the end of the log")
        elif self._renewal_due():
            due = "the dice renewed, as was asked for"
            self._find(self.position + 1, lines + 1, "fresh", due, "the end of the log")

    def _begin(self, line: bytes) -> bool:
        """Store the format that the opening names; tell whether that format ever existed.

        A log without a format is read as one of the present format.
        """
        try:
            self._format = format_of(line)
        except LogError:
            return True  # the line that stands there instead is a finding
        if self._format < OLDEST:
            self._find(1, 1, "format", f"a format from {OLDEST} on", f"format {self._format}, which no release wrote")
            self.unknown = True
            return False
        self._decode = choose_decoder(self._format)
        return True

    def _stop(self, unknown: UnknownFormat) -> None:
        """Stop reading, because a later release wrote the rest."""
        self.unknown = True
        what = f"everything behind position {self.position}, for {unknown.reason}"
        self.missing.append(Missing(layer="record", what=what, remedy="audit it with the release that recorded it"))

    def _check_line(self, line: bytes, written: RawRecorded, one: Recorded | None, number: int) -> None:
        """Check a line against the one before it, and check its spelling."""
        at = written.position
        if self.hash is not None:  # unknown if the line before it is missing
            hash = hash_of(written, self.hash, bytes(written.event), self._format)
            if written.hash != hash:
                self._find(at, number, "chain", f"the hash {hash}", f"the hash {id_said(written.hash)}")
        if one is not None:
            misspelt = spelling_fault(line, one, self._format)
            if misspelt is not None:
                self._find(at, number, "spelling", *misspelt)
        last = self._last
        due = written.who, written.cause, written.time, written.more + 1, written.known_to, written.mask
        if last is None or (last.who, last.cause, last.time, last.more, last.known_to, last.mask) != due:
            self._check_command(written, number)
            for fault in sender_faults(last, written, self._format):
                self._find(at, number, *fault)
            if last is not None and self._format < ORDERED and goes_back(last, written):
                what = f"when position {at} was recorded, for its time lies before that of the one before it"
                self.missing.append(Missing(layer="record", what=what, remedy="whoever was there then"))
        if written.audience is not None or written.salt:
            for fault in reader_faults(written, self._format):
                self._find(at, number, *fault)

    def _renewal_due(self) -> bool:
        """Tell whether the last line asked for fresh dice, which must follow at once."""
        begun = self._begun
        return isinstance(begun, facts.Rewound | facts.Restored) and begun.fresh and self._began == self.position

    def _check_command(self, written: RawRecorded, number: int) -> None:
        """Check that a command's events agree on it, and that commands are whole."""
        last = self._last
        find = partial(self._find, written.position, number)
        if last is None or last.cause != written.cause:
            self.commands += 1
            if last is not None and written.cause in self._causes:
                find("cause", "another id", f"{id_said(written.cause)}, an earlier command's")
            self._causes.add(written.cause)
        if last is None:
            return
        if not last.more:
            if self._renewal_due():
                find("fresh", "the dice renewed, as was asked for", "another command")
            if last.cause == written.cause:
                find("cause", "another command", f"the command {id_said(written.cause)} again")
            return
        for name in ("who", "cause", "time", "known_to", "mask"):
            due, found = getattr(last, name), getattr(written, name)
            if due != found:
                find(name, f"{_describe_field(due)}, as in all of its command", _describe_field(found))
        if written.more != last.more - 1:
            find("more", _to_come(last.more - 1), _to_come(written.more))

    def _decode_event(self, line: bytes, written: RawRecorded, number: int) -> Recorded | None:
        """Decode the event in the present format."""
        try:
            return decode_payload(written, number) if self._format == FORMAT else self._decode(line, number)
        except LogError as error:
            self._find(written.position, number, "unreadable", "an event of ours", error.reason)
            return None

    def _check_kind(self, one: Recorded, number: int) -> None:
        """Check which events stand first and last, in the fight and in a command."""
        kind = type(one.event)
        find = partial(self._find, one.position, number)
        if is_older(kind, self._format):
            find("format", f"an event of format {self._format}", f"{kind.__name__}, which came later")
        if isinstance(one.event, WITH_REASON) and self._format >= BOUNDED and len(one.event.reason) > LONGEST:
            find("reason", f"a reason of at most {LONGEST} characters", f"one of {len(one.event.reason)}")
        if isinstance(one.event, facts.Noted) and (noted := note_fault(one.event, self._format)):
            find("format", *noted)
        if isinstance(one.event, facts.FormatRaised):
            self._raise(one.event, one.position, number)
        if (kind is facts.FightOpened) != (one.position == 1):
            due = "the opening of the fight" if one.position == 1 else "no second opening of the fight"
            find("opening", due, kind.__name__)
        if kind in ALONE and one.more:
            find("more", f"{kind.__name__} alone in its command", _to_come(one.more))
        if self._last is None or not self._last.more:
            if self._last is not None and kind not in _INPUTS:
                find("no_input", "what somebody said or did", f"{kind.__name__}, a consequence")
            self._begun, self._began = one.event, one.position
        elif kind in STARTS:
            self._check_inside(one, number)
        if self._closed:
            find("closed", f"nothing, for the record was closed at position {self._closed}", kind.__name__)
        elif kind is facts.Closed:
            self._closed = one.position

    def _raise(self, event: facts.FormatRaised, position: int, number: int) -> None:
        """Go on in a later format, and refuse an earlier one."""
        try:
            self._format = check_raise(event.format, self._format)
            self._decode = choose_decoder(self._format)
        except UnknownFormat as error:
            self.position = position
            self._stop(error)
        except LogError:
            due = f"a format later than {self._format}"
            self._find(position, number, "format", due, f"format {event.format}")

    def _check_inside(self, one: Recorded, number: int) -> None:
        """Check an input in the middle of a command.

        Only an amendment may hold inputs, and an undo renewed dice.
        """
        begun, event = self._begun, one.event
        find = partial(self._find, one.position, number)
        if isinstance(begun, facts.Amended) and type(event) not in ABOUT_THE_RECORD:
            return
        if not (
            isinstance(event, facts.DiceRenewed) and isinstance(begun, facts.Rewound | facts.Restored) and begun.fresh
        ):
            find("two_inputs", "what follows from the command's own input", f"{type(event).__name__}, another input")
            return
        self._renewed += 1
        if event.generation != self._renewed:
            find("generation", f"generation {self._renewed} of the dice", f"generation {event.generation}")


def _describe_field(part: str | tuple[str, ...] | None) -> str:
    """Return a field of an envelope in words."""
    if isinstance(part, str):
        return part if is_time(part) else name_said(part) or "nothing"
    return "for everybody" if part is None else f"for {', '.join(map(id_said, part)) or 'nobody'}"


def _to_come(more: int) -> str:
    return f"{more} more events of its command" if more else "the last event of its command"
